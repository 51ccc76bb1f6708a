import { passwordText } from '@clinic/contract/identity-texts';
import { isOwnNameOrEmail, whyPasswordRefused } from '@clinic/domain';
import { isCommonPassword } from '../../security/passwords.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import type { Account } from './store.ts';

/** The refusal of a new password that nobody may choose, or not this owner; null when it may be. */
export function refusedPassword(
  field: string,
  password: string,
  owner: Pick<Account, 'firstName' | 'lastName' | 'email'> | null,
): Refusal | null {
  const isCommon = isCommonPassword(password) || (owner && isOwnNameOrEmail(password, owner));
  const why = whyPasswordRefused(password) ?? (isCommon ? 'tooCommon' : null);
  return why && refuse('invalidInput', { errors: [{ field, message: passwordText(why) }] });
}
