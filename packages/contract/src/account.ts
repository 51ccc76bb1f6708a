import { z } from 'zod';
import { call } from './call.ts';
import { done } from './envelope.ts';
import { user } from './me.ts';
import { epochSeconds, familyDoc, personName, text } from './api-types.ts';

const familyDoctor = {
  familyDoc,
  hasFamilyDoc: z.boolean().nullish(),
};

export const updateMe = call('updateMe', {
  summary: 'Update the profile. Name and birth date are accepted and not believed.',
  section: '§5 Account edit, §7, R-6, R-8, R-72',
  limit: 'changes',
  idempotency: 'natural',
  body: z.strictObject({
    firstName: personName(100).nullish(),
    lastName: personName(100).nullish(),
    address: text(200),
    city: text(100),
    province: text(100),
    postal: text(20),
    phone: text(30).nullish(),
    mobile: text(30).nullish(),
    internationalPhone: text(30).nullish(),
    birthYear: z.int().nullish(),
    birthMonth: z.int().nullish(),
    birthDay: z.int().nullish(),
    sex: text(20),
    country: text(100),
    ...familyDoctor,
    shouldUpdate: z.boolean().nullish(),
    preferredPharmacy: text(64).nullish(),
  }),
  answer: user,
});

export const confirmInformation = call('confirmInformation', {
  summary: 'The patient answered the family-doctor question or confirmed their information.',
  section: '§4 Account, §7, R-72',
  limit: 'changes',
  idempotency: 'natural',
  body: z.strictObject({ shouldUpdate: z.boolean(), ...familyDoctor }),
  answer: user,
});

export const listSessions = call('listSessions', {
  summary: 'Where the patient is signed in.',
  section: 'ASVS 7.5 (ours)',
  limit: 'reads',
  idempotency: 'natural',
  answer: z.object({
    success: z.literal(true),
    extras: z.object({
      sessions: z.array(
        z.object({
          signedInAt: epochSeconds,
          lastActiveAt: epochSeconds,
          /** 'Chrome on Android', as far as the browser says. */
          device: z.string(),
          current: z.boolean(),
        }),
      ),
    }),
  }),
});

export const endSessions = call('endSessions', {
  summary: 'Sign out everywhere, this session too.',
  section: 'ASVS 7.5 (ours)',
  limit: 'changes',
  idempotency: 'natural',
  answer: done,
});

export const changePassword = call('changePassword', {
  summary: 'Change the password; every other session ends.',
  section: 'ASVS 6.2 (ours)',
  limit: 'shared',
  idempotency: 'natural',
  body: z.strictObject({ currentPassword: text(128).min(1), newPassword: text(128) }),
  answer: z.object({ success: z.literal(true), extras: z.object({ message: z.string() }) }),
});

export const exportData = call('exportData', {
  summary:
    "Everything the clinic's booking service keeps about the patient: JSON and files, as one ZIP.",
  section: 'S-15 (ours)',
  limit: 'shared',
  idempotency: 'natural',
  download: true,
  answer: z.never(),
});
