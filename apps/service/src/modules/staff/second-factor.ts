import type { Tx } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { typedCode } from '../../security/one-time-codes.store.ts';
import { TOTP_SECRET_BYTES, totpSecret, totpStep } from '../../security/totp.ts';
import type { Ids } from '../../server/ports.ts';
import { type StaffMember, takeRecoveryCode, takeTotpStep } from './store.ts';

/** A second factor that somebody has shown, beside their password or in its place. */
export interface Factor {
  readonly by: 'one-time code' | 'recovery code' | 'passkey';
  /** Uses up the code, or counts the passkey's use; false when it is not theirs or was used meanwhile. */
  readonly take: (tx: Tx) => Promise<boolean>;
}

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 10;

/**
 * The key of the one-time codes that an invitation sets up, in base32. It is derived from the
 * invitation's id with the keyring, so that no table stores it before the invitation is accepted.
 */
export const secretOfInvitation = (keyring: Pick<Keyring, 'mac'>, invitationId: string): string =>
  secretFrom(keyring.mac(SECRET, invitationId));

/** The keys that the invitation may have shown: other ones by each key of the keyring. */
export const secretsOfInvitation = (keyring: Pick<Keyring, 'macs'>, invitationId: string) =>
  keyring.macs(SECRET, invitationId).map(secretFrom);

const SECRET = 'staff.totp';
const secretFrom = (mac: Uint8Array) => totpSecret(mac.subarray(0, TOTP_SECRET_BYTES));

/** The context with which a person's key of one-time codes is sealed. */
const contextOf = (staffId: string) => `staff.totp:${staffId}`;

export const sealSecret = (keyring: Pick<Keyring, 'seal'>, staffId: string, secret: string) =>
  keyring.seal(contextOf(staffId), secret);

/** A person's key of one-time codes; null before they have one. */
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

/** The code's hashes under every key that it may still be stored with. */
const recoveryHashes = (keyring: Pick<Keyring, 'blindIndexes'>, staffId: string, typed: string) =>
  keyring.blindIndexes(INDEX, indexed(staffId, typed));

/** The factor of a one-time code; null when the code is not the person's, or not of this moment. */
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
