import { STAFF_ROLES } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { done, envelope, epochSeconds, id, personName, text } from '../shapes.ts';

const token = text(200).min(16);
const password = text(128).min(1);
/** A one-time code, or a recovery code, as it was typed. */
const factor = text(40).min(1);
const nothing = z.strictObject({});

const session = z.object({
  name: z.string(),
  roles: z.array(z.enum(STAFF_ROLES)),
  /** Signed in, and covered until an own password or code is shown. */
  isLocked: z.boolean(),
  /** From when on the screen locks if nothing is done, and when the session ends in any case. */
  locksAt: epochSeconds,
  endsAt: epochSeconds,
});

export type ApiDeskSession = z.infer<typeof session>;

/** Coming in to the front desk, and the colleagues who may. */
export const deskSignInCalls = {
  deskSignIn: call('deskSignIn', {
    summary: 'Sign in with e-mail, password and a one-time code, or a recovery code in its place.',
    section: 'S-18 (ours)',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({ email: text(254).min(1), password, code: factor }),
    answer: envelope(session.shape),
    refusals: [401, 403],
  }),
  deskReadInvitation: call('deskReadInvitation', {
    summary: 'Whom an invitation is for, and the key that goes into the app of one-time codes.',
    section: 'S-18 (ours)',
    limit: 'shared',
    idempotency: 'natural',
    body: z.strictObject({ token }),
    answer: envelope({ name: z.string(), email: z.string(), secret: z.string(), uri: z.string() }),
    refusals: [403, 409],
  }),
  deskAcceptInvitation: call('deskAcceptInvitation', {
    summary: 'Set the password and the second factor, once; answers ten recovery codes.',
    section: 'S-18 (ours)',
    limit: 'shared',
    idempotency: 'natural',
    body: z.strictObject({ token, password, code: factor }),
    answer: envelope({ recoveryCodes: z.array(z.string()) }),
    refusals: [403, 409],
  }),
  deskSession: call('deskSession', {
    summary: 'Who is signed in, and whether the screen is locked.',
    section: 'S-18 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope(session.shape),
  }),
  deskLock: call('deskLock', {
    summary: 'Lock the screen: nothing is told until an own password or code is shown.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    body: nothing,
    answer: done,
  }),
  deskUnlock: call('deskUnlock', {
    summary:
      'Show the password or a one-time code: opens a locked screen, and a code counts as a recent factor.',
    section: 'S-18 (ours)',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({ secret: password }),
    answer: envelope(session.shape),
  }),
  deskSignOut: call('deskSignOut', {
    summary: 'End this session.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    body: nothing,
    answer: done,
  }),
  deskInvite: call('deskInvite', {
    summary: 'Invite a colleague, who is mailed a link for 24 hours.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({
      email: text(254).min(3),
      name: personName(100).min(1),
      roles: z.array(z.enum(STAFF_ROLES)).min(1).max(4),
      providerId: id.nullish(),
    }),
    answer: done,
    refusals: [409],
  }),
};
