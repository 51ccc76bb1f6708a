import { STAFF_ROLES } from '@clinic/domain';
import { languages } from '@clinic/texts/languages';
import { z } from 'zod';
import { call } from '../call.ts';
import {
  done,
  email,
  emailOfAccount,
  envelope,
  epochSeconds,
  id,
  label,
  personName,
  proof,
  text,
  uuid,
} from '../shapes.ts';

const token = text(200).min(16);
const password = text(128).min(1);
/** A one-time code or a recovery code, as typed. */
const factor = text(40).min(1);
const nothing = z.strictObject({});

/** Bytes of a passkey, in base64url as browsers write them. */
const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/);
const credentialId = bytes(1364);

/** What the browser asks passkeys for. It lists none, so that nobody learns whose passkeys exist. */
const passkeyAsked = {
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.enum(['required', 'preferred']),
};

/** How a passkey answers a challenge. */
const passkeyShown = z.strictObject({
  id: credentialId,
  clientDataJSON: bytes(4_096),
  authenticatorData: bytes(4_096),
  signature: bytes(4_096),
});

const passkey = z.object({
  id: uuid,
  name: z.string(),
  createdAt: epochSeconds,
  /** Null until it is used. */
  lastUsedAt: epochSeconds.nullable(),
});

/** A session of the front desk, in one browser. */
const openSession = z.object({
  id: uuid,
  /** 'Chrome, Windows', as far as the browser said; '' when it said neither. */
  device: z.string(),
  signedInAt: epochSeconds,
  lastActiveAt: epochSeconds,
  isLocked: z.boolean(),
  /** Whether this session asked. */
  isCurrent: z.boolean(),
});
const openSessions = envelope({ sessions: z.array(openSession) });

/** Which sessions are ended: one, or without an `id` all. */
const whichSessions = z.strictObject({ id: uuid.optional() });

/** A body that has exactly one of two fields, such as a code or a passkey. */
const withOneOf = <Body extends z.ZodObject>(body: Body, one: string, other: string): Body =>
  body
    .refine((sent) => (sent[one] === undefined) !== (sent[other] === undefined), { path: [one] })
    .meta({ oneOf: [{ required: [one] }, { required: [other] }] });

const session = z.object({
  name: z.string(),
  roles: z.array(z.enum(STAFF_ROLES)),
  /** Signed in, but hidden until the user shows their password or code again. */
  isLocked: z.boolean(),
  /** When the screen locks without activity, and when the session ends in any case. */
  locksAt: epochSeconds,
  endsAt: epochSeconds,
  /** The language that they have chosen for themselves; null or absent where they have not. */
  language: z.string().nullish(),
});

export type ApiDeskSession = z.infer<typeof session>;
export type ApiDeskOpenSession = z.infer<typeof openSession>;
export type ApiPasskey = z.infer<typeof passkey>;
export type ApiPasskeyShown = z.infer<typeof passkeyShown>;

/** Calls to sign in to the front desk, and to invite colleagues. */
export const deskSignInCalls = {
  deskSignIn: call('deskSignIn', {
    summary:
      'Sign in with e-mail, password and a one-time code, or a recovery code or a passkey in its place.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'shared',
    idempotency: 'none',
    body: withOneOf(
      z.strictObject({
        email: emailOfAccount,
        password,
        code: factor.optional(),
        passkey: passkeyShown.optional(),
        /** The proof for the captcha, once a refusal with `captchaNeeded` has asked for it. */
        recaptcha: proof.optional(),
      }),
      'code',
      'passkey',
    ),
    answer: envelope(session.shape),
    refusals: [401, 403],
  }),
  deskAskPasskey: call('deskAskPasskey', {
    summary: 'What a passkey signs at the sign-in of an address, once and within five minutes.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({ email: emailOfAccount }),
    answer: envelope(passkeyAsked),
    refusals: [403, 409],
  }),
  deskReadInvitation: call('deskReadInvitation', {
    summary: 'Whom an invitation is for, and the key that goes into the app of one-time codes.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'tokens',
    idempotency: 'natural',
    body: z.strictObject({ token }),
    answer: envelope({ name: z.string(), email: z.string(), secret: z.string(), uri: z.string() }),
    refusals: [403, 409],
  }),
  deskAcceptInvitation: call('deskAcceptInvitation', {
    summary: 'Set the password and the second factor, once; answers ten recovery codes.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'tokens',
    idempotency: 'natural',
    body: z.strictObject({ token, password, code: factor }),
    answer: envelope({ recoveryCodes: z.array(z.string()) }),
    refusals: [403, 409],
  }),
  deskSession: call('deskSession', {
    summary: 'Who is signed in, and whether the screen is locked.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope(session.shape),
  }),
  deskLock: call('deskLock', {
    summary: 'Lock the screen: nothing is told until an own password or code is shown.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: nothing,
    answer: done,
  }),
  deskUnlock: call('deskUnlock', {
    summary:
      'Show the password, a one-time code or a passkey: opens a locked screen, and the last two count as a recent factor.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'shared',
    idempotency: 'none',
    body: withOneOf(
      z.strictObject({ secret: password.optional(), passkey: passkeyShown.optional() }),
      'secret',
      'passkey',
    ),
    answer: envelope(session.shape),
  }),
  deskSignOut: call('deskSignOut', {
    summary: 'End this session.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: nothing,
    answer: done,
  }),
  deskAskOwnPasskey: call('deskAskOwnPasskey', {
    summary: 'What a passkey signs to open this session’s screen, once and within five minutes.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'none',
    body: nothing,
    answer: envelope(passkeyAsked),
    refusals: [409],
  }),
  deskPasskeys: call('deskPasskeys', {
    summary: 'The passkeys of whoever is signed in.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({ passkeys: z.array(passkey) }),
  }),
  deskAskNewPasskey: call('deskAskNewPasskey', {
    summary: 'What a device makes a new passkey of, once and within five minutes.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'none',
    body: nothing,
    answer: envelope({
      challenge: z.string(),
      rp: z.object({ id: z.string(), name: z.string() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
      timeout: z.number(),
      excludeCredentials: z.array(z.object({ type: z.literal('public-key'), id: z.string() })),
      authenticatorSelection: z.object({
        residentKey: z.literal('required'),
        requireResidentKey: z.literal(true),
        userVerification: z.literal('required'),
      }),
      attestation: z.literal('none'),
    }),
    refusals: [409],
  }),
  deskAddPasskey: call('deskAddPasskey', {
    summary:
      'Keep a new passkey under a name; mailed to whose it is. A repeat of the same is harmless.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({
      name: label(60),
      id: credentialId,
      clientDataJSON: bytes(4_096),
      attestationObject: bytes(16_384),
    }),
    answer: done,
    refusals: [409],
  }),
  deskRemovePasskey: call('deskRemovePasskey', {
    summary: 'Forget a passkey of one’s own; mailed to whose it was.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    body: nothing,
    answer: done,
  }),
  deskChangePassword: call('deskChangePassword', {
    summary:
      'Change one’s own password; every other session of one’s own ends. Mailed to whose it is.',
    section: 'ASVS 6.2 (ours)',
    shows: 'noPatient',
    limit: 'shared',
    idempotency: 'natural',
    body: z.strictObject({ currentPassword: password, newPassword: text(128) }),
    answer: done,
  }),
  deskChooseLanguage: call('deskChooseLanguage', {
    summary: 'Choose the language in which one reads the front desk.',
    section: 'S-18, R-99 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({ language: z.enum(languages.map(({ id }) => id)) }),
    answer: done,
  }),
  deskOwnSessions: call('deskOwnSessions', {
    summary: 'Where whoever asks is signed in, the newest first.',
    section: 'ASVS 7.5 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: openSessions,
  }),
  deskEndOwnSessions: call('deskEndOwnSessions', {
    summary: 'End one session of one’s own, or all but this one.',
    section: 'ASVS 7.5 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: whichSessions,
    answer: done,
  }),
  deskStaffSessions: call('deskStaffSessions', {
    summary: 'Where a colleague is signed in, the newest first.',
    section: 'ASVS 7.4 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    answer: openSessions,
  }),
  deskEndStaffSessions: call('deskEndStaffSessions', {
    summary: 'End one session of a colleague, or all.',
    section: 'ASVS 7.4 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    body: whichSessions,
    answer: done,
    refusals: [409],
  }),
  deskInvite: call('deskInvite', {
    summary:
      'Invite a colleague, who is mailed a link for 24 hours. That of a manager waits five minutes.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({
      email,
      name: personName(100),
      roles: z.array(z.enum(STAFF_ROLES)).min(1).max(4),
      providerId: id.nullish(),
    }),
    /** When the invitation is mailed, unless somebody stops it; null or absent where it is at once. */
    answer: z.object({
      success: z.literal(true),
      extras: z.object({ waitsUntil: epochSeconds.nullable() }).optional(),
    }),
    refusals: [409],
  }),
};
