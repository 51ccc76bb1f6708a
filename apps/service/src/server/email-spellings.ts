import { domainToUnicode } from 'node:url';
import { normaliseEmail, whyEmailRefused } from '@clinic/domain';

/**
 * How the address of an account may be stored: as it is today or, from before domains were kept in ASCII, with
 * its domain in Unicode or as it was typed. What was typed comes first.
 */
export function spellingsOf(typed: string): readonly string[] {
  const email = normaliseEmail(typed);
  const at = email.lastIndexOf('@') + 1;
  const inUnicode = email.slice(0, at) + domainToUnicode(email.slice(at));
  return [...new Set([typed.trim().toLowerCase(), email, inUnicode])];
}

interface Addressed {
  readonly id: string;
  readonly email: string;
}

/**
 * The open accounts whose address, from before today's rules, a person must look at: no email can be sent to it,
 * or `others` have the same one, spelled in another way. Of patients or of staff.
 */
export function unclearAddresses<Account extends Addressed>(accounts: readonly Account[]) {
  const groups = Map.groupBy(accounts, ({ email }) => normaliseEmail(email));
  return Array.from(groups.values()).flatMap((group) =>
    group
      .map((account) => ({ account, others: group.filter((each) => each !== account) }))
      .filter(
        ({ account, others }) => others.length > 0 || whyEmailRefused(account.email) !== null,
      ),
  );
}
