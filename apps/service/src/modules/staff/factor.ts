import type { Keyring } from '../../security/keyring.ts';
import { typedCode } from '../../security/one-time-codes.store.ts';
import { TOTP_SECRET_BYTES, totpSecret } from '../../security/totp.ts';
import type { Ids } from '../../server/ports.ts';
import type { StaffMember } from './store.ts';

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
export const secretOf = (
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
export const recoveryHashes = (
  keyring: Pick<Keyring, 'blindIndexes'>,
  staffId: string,
  typed: string,
) => keyring.blindIndexes(INDEX, indexed(staffId, typed));
