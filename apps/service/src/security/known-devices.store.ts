import { createHash, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt, inArray, ne } from 'drizzle-orm';
import { type Db, type Tx, part } from '../database/db.ts';
import type { Ids } from '../server/ports.ts';
import type { Keyring } from './keyring.ts';
import { knownDevice } from './schema.ts';

/** For how long a browser that signed in is known, in seconds. */
export const DEVICE_KNOWN_FOR = 90 * 24 * 60 * 60;
const MOST_DEVICES = 5;
const CONTEXT = 'device';
const HALF = 16;

const macOf = (index: Uint8Array) => Buffer.from(index).subarray(0, HALF);

/**
 * What a browser keeps in its device cookie: 128 random bits and a MAC of them, so that a cookie of the
 * service is told from an invented one without asking the database.
 */
export function newDeviceToken(keyring: Pick<Keyring, 'blindIndex'>, ids: Pick<Ids, 'token'>) {
  const random = Buffer.from(ids.token(), 'base64url').subarray(0, HALF);
  const mac = macOf(keyring.blindIndex(CONTEXT, random.toString('hex')));
  return Buffer.concat([random, mac]).toString('base64url');
}

/** False also for the tokens that version 0.2.0 gave out: they are replaced at the next sign-in. */
export function isOurDeviceToken(keyring: Pick<Keyring, 'blindIndexes'>, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * HALF) return false;
  const [random, mac] = [bytes.subarray(0, HALF), bytes.subarray(HALF)];
  const indexes = keyring.blindIndexes(CONTEXT, random.toString('hex'));
  return indexes.some((index) => timingSafeEqual(macOf(index), mac));
}

/** The token for a browser to keep: its own where the service made that one, else a new one. */
export const deviceTokenFor = (
  keyring: Pick<Keyring, 'blindIndex' | 'blindIndexes'>,
  ids: Pick<Ids, 'token'>,
  own: string | null,
): string => (own !== null && isOurDeviceToken(keyring, own) ? own : newDeviceToken(keyring, ids));

/** The hash includes the person, so that the table does not show who shares a browser. */
const deviceHash = (personId: string, token: string): Uint8Array =>
  createHash('sha256').update(`${personId}:${token}`).digest();

/** Whether this patient, or member of staff, signed in from the browser with this token in the last 90 days. */
export async function isKnownDevice(db: Db, personId: string, token: string, now: number) {
  const isIt = and(
    eq(knownDevice.personId, personId),
    eq(knownDevice.tokenHash, deviceHash(personId, token)),
    gt(knownDevice.signedInAt, now - DEVICE_KNOWN_FOR),
  );
  return (await db.$count(knownDevice, isIt)) > 0;
}

/** Remembers a browser that signed in; beyond so many, the longest unused are forgotten. */
export async function keepDevice(
  tx: Tx,
  { personId, token }: { readonly personId: string; readonly token: string },
  now: number,
  most = MOST_DEVICES,
) {
  const { tokenHash, signedInAt } = knownDevice;
  const isTheirs = eq(knownDevice.personId, personId);
  await tx
    .insert(knownDevice)
    .values({ personId, tokenHash: deviceHash(personId, token), signedInAt: now })
    .onConflictDoUpdate({
      target: [knownDevice.personId, tokenHash],
      set: { signedInAt: now },
    });
  const tooMany = tx
    .select({ tokenHash })
    .from(knownDevice)
    .where(isTheirs)
    .orderBy(desc(signedInAt), desc(tokenHash))
    .offset(most);
  await tx.delete(knownDevice).where(and(isTheirs, inArray(tokenHash, tooMany)));
}

export const eraseDevices = (personId: string) =>
  part`delete from known_device where patient_id = ${personId}`;

/** Forgets every known browser of a person, except the one with the token `but`. */
export async function forgetDevices(
  tx: Tx,
  personId: string,
  but: string | null = null,
): Promise<void> {
  const isTheirs = eq(knownDevice.personId, personId);
  const isOther = but === null ? undefined : ne(knownDevice.tokenHash, deviceHash(personId, but));
  await tx.delete(knownDevice).where(and(isTheirs, isOther));
}

/** Deletes browsers that last signed in too long ago to be known. */
export const spentDevices = (now: number) =>
  part`delete from known_device where signed_in_at_s < ${now - DEVICE_KNOWN_FOR}`;
