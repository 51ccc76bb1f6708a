import { deskCalls } from '@clinic/contract';
import { normaliseEmail } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import {
  PASSKEY_ALGORITHMS,
  type PasskeyAnswer,
  type PasskeyMade,
  type PasskeySite,
  answeredBy,
  challengeIn,
  madePasskey,
  passkeySite,
} from '../../security/passkeys.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { DONE, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { placeOf } from '../../server/known-browser.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { OUTBOX_KIND, ofStaff, whyNotChanged } from './members.ts';
import {
  type ChallengeUse,
  deletePasskey,
  endChallenges,
  insertPasskey,
  keepChallenge,
  passkeyOf,
  passkeysOf,
  takeChallenge,
  takePasskeyUse,
} from './passkeys.store.ts';
import { staffByEmail, staffById } from './store.ts';
import type { Factor } from './second-factor.ts';

/** In seconds: time enough to find one's phone. */
export const CHALLENGE_VALID_FOR = 5 * 60;
/** The most passkeys of one person. */
export const MOST_PASSKEYS = 10;

/** The use of a challenge to sign in with an email address, which need not have an account. */
export function toSignIn(
  keyring: Pick<Platform['keyring'], 'blindIndex' | 'blindIndexes'>,
  typed: string,
): ChallengeUse {
  const CONTEXT = 'staff.challenge';
  const email = normaliseEmail(typed);
  const kept = keyring.blindIndex(CONTEXT, email);
  return { purpose: 'sign-in', boundTo: [kept, ...keyring.blindIndexes(CONTEXT, email)] };
}

/** The use of a challenge in a session, to unlock its screen or to add a passkey. */
export const inSession = (
  purpose: 'unlock' | 'add',
  { tokenHash }: Pick<SignedInStaff, 'tokenHash'>,
): ChallengeUse => ({ purpose, boundTo: [tokenHash] });

const binary = (base64url: string) => Buffer.from(base64url, 'base64url');

/** Uses up the challenge that an answer names, even when the rest is wrong; null when it is not ours. */
async function usedUp(
  tx: Tx,
  answer: Pick<PasskeyAnswer, 'clientDataJSON'>,
  use: ChallengeUse,
  now: number,
): Promise<string | null> {
  const challenge = challengeIn(answer);
  return challenge !== null && (await takeChallenge(tx, challenge, use, now)) ? challenge : null;
}

interface Shown {
  readonly answer: PasskeyAnswer;
  readonly use: ChallengeUse;
  /** The member of staff who must own the passkey; null accepts no passkey. */
  readonly staffId: string | null;
  /** Called when the answer is about to be judged. */
  readonly begun?: () => void;
}

/** The passkey shown, when it is the person's own and signed this challenge; else null. */
export async function passkeyShown(
  platform: Pick<Platform, 'database' | 'config' | 'appendAudit'>,
  { answer, use, staffId, begun }: Shown,
  now: number,
): Promise<Factor | null> {
  const { database, config, appendAudit } = platform;
  const site = passkeySite(config.publicUrl);
  const challenge = await database.inTransaction((tx) => usedUp(tx, answer, use, now));
  if (site === null || challenge === null || staffId === null) return null;
  const passkey = await passkeyOf(database.db, staffId, binary(answer.id));
  if (passkey === null) return null;
  const { id, publicKey } = passkey;
  begun?.();
  // At the sign-in the password is checked, too; unlocking has the passkey alone, so it must verify the user.
  const mustVerifyUser = use.purpose !== 'sign-in';
  const signCount = await answeredBy(site, answer, { challenge, publicKey, mustVerifyUser });
  if (signCount === null) return null;
  if (passkey.signCount > 0 && signCount <= passkey.signCount) {
    const details = { passkey: id };
    await database.inTransaction((tx) =>
      appendAudit(tx, { ...ofStaff(staffId, 'copy of a passkey refused', now), details }),
    );
    return null;
  }
  return { by: 'passkey', take: (tx) => takePasskeyUse(tx, { id, signCount }, now) };
}

/** The options with which a browser asks for a passkey. */
const asked = (challenge: string, { id: rpId }: PasskeySite, { purpose }: ChallengeUse) =>
  success({
    challenge,
    rpId,
    timeout: CHALLENGE_VALID_FOR * 1000,
    userVerification: purpose === 'sign-in' ? ('preferred' as const) : ('required' as const),
  });

const full = () => refuse('passkeysFull', { values: { n: MOST_PASSKEYS } });

/** Challenges for passkeys, and adding and removing one's own passkeys. */
export function registerPasskeys(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, config, ids } = platform;
  const site = passkeySite(config.publicUrl);

  async function newChallenge(use: ChallengeUse, now: number): Promise<string> {
    const challenge = ids.token();
    await database.inTransaction(async (tx) => {
      if (use.purpose !== 'sign-in') await endChallenges(tx, use);
      await keepChallenge(tx, challenge, use, now + CHALLENGE_VALID_FOR);
    });
    return challenge;
  }

  route(app, deskCalls.deskAskPasskey, async ({ body, now, ...asking }) => {
    if (site === null) return refuse('passkeysNotOffered');
    const personId = (await staffByEmail(database.db, body.email))?.id ?? null;
    const place = await placeOf(platform, { ...asking, personId, now });
    const counted = await asking.countUses([[config.rates.passkeysPerAddress, place]]);
    if (counted instanceof Refusal) return counted;
    const use = toSignIn(keyring, body.email);
    return asked(await newChallenge(use, now), site, use);
  });

  route(app, deskCalls.deskAskOwnPasskey, async ({ staff, now }) => {
    if (site === null) return refuse('passkeysNotOffered');
    const use = inSession('unlock', staff);
    return asked(await newChallenge(use, now), site, use);
  });

  route(app, deskCalls.deskPasskeys, async ({ staff }) =>
    success({ passkeys: await passkeysOf(database.db, staff.id) }),
  );

  route(app, deskCalls.deskAskNewPasskey, async ({ staff, now }) => {
    if (site === null) return refuse('passkeysNotOffered');
    const member = await staffById(database.db, staff.id);
    if (member === null) return refuse('deskSignedOut');
    const own = await passkeysOf(database.db, staff.id);
    // Refused before a device makes a passkey that could not be stored.
    if (own.length >= MOST_PASSKEYS) return full();
    const type = 'public-key' as const;
    const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
    return success({
      challenge: await newChallenge(inSession('add', staff), now),
      rp: { id: site.id, name: config.clinic.name },
      // The id never changes, so a device replaces its older passkey of the same person.
      user: {
        id: base64url(Buffer.from(staff.id)),
        name: member.email,
        displayName: member.name,
      },
      pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type, alg })),
      timeout: CHALLENGE_VALID_FOR * 1000,
      excludeCredentials: own.map(({ credentialId }) => ({ type, id: base64url(credentialId) })),
      // The browser finds such a passkey without its id, and it unlocks a screen without a password.
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true as const,
        userVerification: 'required' as const,
      },
      attestation: 'none' as const,
    });
  });

  route(app, deskCalls.deskAddPasskey, async ({ body: { name, ...made }, staff, now }) => {
    const refused = await addPasskey(platform, made, { name, staff, now });
    return refused ?? DONE;
  });

  route(app, deskCalls.deskRemovePasskey, async ({ params: { id }, staff, now }) => {
    await database.inTransaction(async (tx) => {
      if (await deletePasskey(tx, staff.id, id))
        await tellOf(platform, tx, 'removed', { id, staff, now });
    });
    return DONE;
  });
}

interface Added {
  readonly name: string;
  readonly staff: SignedInStaff;
  readonly now: number;
}

/** Null when the passkey is stored, also by an earlier request of which this is a repeat. */
async function addPasskey(
  platform: Platform,
  made: PasskeyMade,
  { name, staff, now }: Added,
): Promise<Refusal | null> {
  const { database, config, ids } = platform;
  const site = passkeySite(config.publicUrl);
  if (site === null) return refuse('passkeysNotOffered');
  return database.inTransaction(async (tx) => {
    // A repeat waits here for the first, which has used up the challenge.
    const challenge = await usedUp(tx, made, inSession('add', staff), now);
    if (challenge === null) {
      const kept = await passkeyOf(tx, staff.id, binary(made.id));
      return kept?.name === name ? null : refuse('passkeyNotAdded');
    }
    const passkey = await madePasskey(site, challenge, made);
    if (passkey === null) return refuse('passkeyNotAdded');
    // An account that was reset or closed a moment ago gets no new passkey.
    const why = await whyNotChanged(tx, staff.id, staff.id);
    if (why !== null) return refuse(why);
    if ((await passkeysOf(tx, staff.id)).length >= MOST_PASSKEYS) return full();
    const id = ids.uuid();
    const row = { id, staffId: staff.id, name, credentialId: binary(made.id), ...passkey };
    if (!(await insertPasskey(tx, { ...row, createdAt: now }))) return refuse('passkeyKnown');
    await tellOf(platform, tx, 'added', { id, staff, now });
    return null;
  });
}

/** Notes a passkey that was added or removed, and mails its owner. */
async function tellOf(
  { appendAudit, outbox }: Platform,
  tx: Tx,
  is: 'added' | 'removed',
  { id, staff, now }: Omit<Added, 'name'> & { readonly id: string },
): Promise<void> {
  const entry = ofStaff(staff.id, `passkey ${is}`, now);
  await appendAudit(tx, { ...entry, details: { passkey: id } });
  const email = is === 'added' ? 'passkeyAdded' : 'passkeyRemoved';
  await outbox.enqueue(tx, OUTBOX_KIND, { email, staffId: staff.id, at: now }, now);
}
