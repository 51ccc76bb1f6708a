import { z } from 'zod';
import { call } from './call.ts';
import { done } from './envelope.ts';
import { text } from './api-types.ts';

export const reportProblem = call('reportProblem', {
  summary: 'A suggestion, with a masked screenshot. Nobody replies to it.',
  section: '§2 Suggest an improvement, §7, R-81',
  limit: 'suggestions',
  idempotency: 'none',
  bodyLimit: 4 * 1024 * 1024,
  body: z.strictObject({
    /** `data:image/png;base64,…` or JPEG; empty when the patient left the picture out. */
    dataURL: text(4 * 1024 * 1024),
    message: text(4000),
    isAppointment: z.boolean(),
  }),
  answer: done,
});

/** Where in the app it failed. */
export const appPage = z.enum([
  'home',
  'login',
  'register',
  'resetPassword',
  'account',
  'appointments',
  'walkin',
  'success',
  'auth',
  'other',
]);

/**
 * Nothing a person wrote can be among what is kept: of `err` the name that it begins with
 * ('TypeError: …'), of `details` the known fields; a text there is read by nobody.
 */
export const saveError = call('saveError', {
  summary: 'A failure in the browser; only what the allowlist of error reports knows is kept.',
  section: '§7, S-8',
  limit: 'failures',
  idempotency: 'none',
  body: z.strictObject({
    err: text(2000),
    date: z.union([text(40), z.number()]).nullish(),
    details: z
      .union([
        text(8000),
        z.strictObject({
          page: appPage.nullish(),
          status: z.int().min(0).max(999).nullish(),
          /** The reference that an answer with a bug gave. */
          requestId: z.uuid().nullish(),
        }),
      ])
      .nullish(),
  }),
  answer: done,
});
