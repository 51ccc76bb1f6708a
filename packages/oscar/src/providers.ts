import { type ProviderNo, providerNo } from './alphabets.ts';
import type { Link } from './link.ts';
import { fieldsOf, textOf } from './reading.ts';

export interface Provider {
  readonly no: ProviderNo;
  readonly firstName: string;
  readonly lastName: string;
  readonly active: boolean;
  /** Such as doctor, nurse or receptionist; empty where the clinic left it so. */
  readonly type: string;
}

/** Not people: the system, the demonstration doctor, and two by which BC clinics note who the doctor is. */
export const pseudoProviders: readonly string[] = ['-1', '999998', '1998', '1999'];

export const providerCalls = ({ soap, kept }: Link, hidden: readonly string[]) => ({
  /** SOAP: the people who work or worked here. */
  providers: kept(300, async (): Promise<readonly Provider[]> => {
    const all = await soap.call({ service: 'ProviderService', operation: 'getProviders2' });
    return all.map(fieldsOf).flatMap((each): Provider[] => {
      const no = textOf(each.providerNo);
      if (no === '' || pseudoProviders.includes(no) || hidden.includes(no)) return [];
      return [
        {
          no: providerNo(no),
          firstName: textOf(each.firstName).trim(),
          lastName: textOf(each.lastName).trim(),
          active: textOf(each.status) === '1',
          type: textOf(each.providerType).trim(),
        },
      ];
    });
  }),
});
