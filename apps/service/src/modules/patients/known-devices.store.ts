import { createHash } from 'node:crypto';
import { and, desc, eq, gt, inArray } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { knownDevice } from './schema.ts';

/** For how long a browser that signed in is known, in seconds. */
export const DEVICE_KNOWN_FOR = 90 * 24 * 60 * 60;
const MOST_DEVICES = 5;

/** With the account in it: a browser that two accounts share does not show that they do. */
const hashOf = (patientId: string, token: string): Uint8Array =>
  createHash('sha256').update(`${patientId}:${token}`).digest();

/** Whether the browser with this token signed in to the account in the last 90 days. */
export async function isKnownDevice(
  db: Db,
  patientId: string,
  token: string,
  now: number,
): Promise<boolean> {
  const [row] = await db
    .select({ at: knownDevice.signedInAt })
    .from(knownDevice)
    .where(
      and(
        eq(knownDevice.patientId, patientId),
        eq(knownDevice.tokenHash, hashOf(patientId, token)),
        gt(knownDevice.signedInAt, now - DEVICE_KNOWN_FOR),
      ),
    );
  return row !== undefined;
}

/** Knows a browser from now on; of more than five the ones longest unused are dropped. */
export async function keepDevice(
  tx: Tx,
  patientId: string,
  token: string,
  now: number,
): Promise<void> {
  const tokenHash = hashOf(patientId, token);
  await tx
    .insert(knownDevice)
    .values({ patientId, tokenHash, signedInAt: now })
    .onConflictDoUpdate({
      target: [knownDevice.patientId, knownDevice.tokenHash],
      set: { signedInAt: now },
    });
  const tooMany = tx
    .select({ tokenHash: knownDevice.tokenHash })
    .from(knownDevice)
    .where(eq(knownDevice.patientId, patientId))
    .orderBy(desc(knownDevice.signedInAt), desc(knownDevice.tokenHash))
    .offset(MOST_DEVICES);
  await tx
    .delete(knownDevice)
    .where(and(eq(knownDevice.patientId, patientId), inArray(knownDevice.tokenHash, tooMany)));
}

/** Every browser of an account is a stranger's again. */
export async function forgetDevices(tx: Tx, patientId: string): Promise<void> {
  await tx.delete(knownDevice).where(eq(knownDevice.patientId, patientId));
}
