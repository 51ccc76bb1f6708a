import type { Platform } from '../../platform/platform.ts';
import { findCode, takeCode } from '../one-time-codes/index.ts';
import { confirmAddress } from './registrations.store.ts';

export type ConfirmPorts = Pick<Platform, 'database' | 'keyring' | 'appendAudit'>;
export type Confirmed = 'confirmed' | 'linkUsed' | 'linkNotValid';

/** Follows the link of a confirmation mail: once, within 6 hours. */
export async function confirmEmail(
  ports: ConfirmPorts,
  token: string,
  now: number,
): Promise<Confirmed> {
  return ports.database.inTransaction(async (tx) => {
    const code = await findCode(tx, ports.keyring, 'confirm', token);
    if (code === null) return 'linkNotValid';
    if (!(await takeCode(tx, code.id, now)))
      return code.usedAt === null && now >= code.expiresAt ? 'linkNotValid' : 'linkUsed';
    await confirmAddress(tx, code.patientId);
    const subject = `patient:${code.patientId}`;
    await ports.appendAudit(tx, { actor: subject, action: 'e-mail confirmed', subject, at: now });
    return 'confirmed';
  });
}
