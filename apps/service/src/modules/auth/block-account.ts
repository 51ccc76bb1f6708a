import { eq } from 'drizzle-orm';
import type { Platform } from '../../platform/platform.ts';
import { patient } from '../../platform/schema.ts';

export type BlockPorts = Pick<Platform, 'database' | 'sessions' | 'appendAudit'>;

/** The clinic blocks an account, with its reason; every session ends. */
export async function blockAccount(
  { database, sessions, appendAudit }: BlockPorts,
  email: string,
  reason: string,
  now: number,
): Promise<'blocked' | 'unknown'> {
  return database.inTransaction(async (tx) => {
    const [row] = await tx
      .update(patient)
      .set({ blocked: true, blockedReason: reason })
      .where(eq(patient.email, email))
      .returning({ id: patient.id });
    if (!row) return 'unknown';
    await sessions.endAll(tx, row.id, now);
    const subject = `patient:${row.id}`;
    await appendAudit(tx, { actor: 'system:clinic', action: 'account blocked', subject, at: now });
    return 'blocked';
  });
}

/** Opens it again; nobody is signed in by that. */
export async function unblockAccount(
  { database, appendAudit }: BlockPorts,
  email: string,
  now: number,
): Promise<'unblocked' | 'unknown'> {
  return database.inTransaction(async (tx) => {
    const [row] = await tx
      .update(patient)
      .set({ blocked: false, blockedReason: null })
      .where(eq(patient.email, email))
      .returning({ id: patient.id });
    if (!row) return 'unknown';
    const subject = `patient:${row.id}`;
    await appendAudit(tx, {
      actor: 'system:clinic',
      action: 'account unblocked',
      subject,
      at: now,
    });
    return 'unblocked';
  });
}
