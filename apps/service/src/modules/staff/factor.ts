import type { Tx } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { typedCode } from '../../security/one-time-codes.store.ts';
import { TOTP_SECRET_BYTES, totpSecret, totpStep } from '../../security/totp.ts';
import type { Ids } from '../../server/ports.ts';
import { type StaffMember, takeRecoveryCode, takeTotpStep } from './store.ts';

/** What somebody has shown beside their password, or in its place. */
export interface Factor {
  readonly by: 'one-time code' | 'recovery code' | 'passkey';
  /** Uses it up, or this use of it; false where somebody else was faster, or it is none of theirs. */
  readonly take: (tx: Tx) => Promise<boolean>;
}

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 10;

/**
 * The key that an invitation brings, in base32: it follows from the invitation under the keyring, so
 * that it stands in no table before it is taken.
 */
export function secretOfInvitation(keyring: Pick<Keyring, 'mac'>, invitationId: string): string {
  return totpSecret(keyring.mac('staff.totp', invitationId).subarray(0, TOTP_SECRET_BYTES));
}

/** The context under which the key of somebody's codes is sealed. */
const contextOf = (staffId: string) => `staff.totp:${staffId}`;

export const sealSecret = (keyring: Pick<Keyring, 'seal'>, staffId: string, secret: string) =>
  keyring.seal(contextOf(staffId), secret);

/** The key of somebody's codes; null before they have one. */
const secretOf = (
  keyring: Pick<Keyring, 'open'>,
  { id, totpSealed }: Pick<StaffMember, 'id' | 'totpSealed'>,
): string | null => (totpSealed === null ? null : keyring.open(contextOf(id), totpSealed));

/** Ten codes for the day on which the phone is lost: 'ABCDE-FGHJK'. */
export function newRecoveryCodes(ids: Pick<Ids, 'token'>): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = typedCode(Buffer.from(ids.token(), 'base64url').subarray(0, RECOVERY_LENGTH));
    return `${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`;
  });
}

const INDEX = 'staff.recovery';
const indexed = (staffId: string, typed: string) =>
  `${staffId}:${typed.toUpperCase().replace(/[\s-]/g, '')}`;

export const recoveryHash = (keyring: Pick<Keyring, 'blindIndex'>, staffId: string, code: string) =>
  keyring.blindIndex(INDEX, indexed(staffId, code));

/** Under each key that a code may still be kept by. */
const recoveryHashes = (keyring: Pick<Keyring, 'blindIndexes'>, staffId: string, typed: string) =>
  keyring.blindIndexes(INDEX, indexed(staffId, typed));

/** A one-time code that is theirs and of this moment, or null. */
export function codeShown(
  keyring: Pick<Keyring, 'open'>,
  member: StaffMember,
  typed: string,
  now: number,
): Factor | null {
  const step = totpStep(secretOf(keyring, member) ?? '', typed, now);
  if (step === null) return null;
  return { by: 'one-time code', take: (tx) => takeTotpStep(tx, member, step) };
}

export function recoveryCodeShown(
  keyring: Pick<Keyring, 'blindIndexes'>,
  { id }: Pick<StaffMember, 'id'>,
  typed: string,
  now: number,
): Factor {
  const hashes = recoveryHashes(keyring, id, typed);
  return { by: 'recovery code', take: (tx) => takeRecoveryCode(tx, id, hashes, now) };
}
