import { type ProviderNo, providerNo } from './alphabets.ts';
import type { Link } from './link.ts';
import { fieldsOf, manyOf, textOf } from './reading.ts';

export interface Provider {
  readonly no: ProviderNo;
  readonly firstName: string;
  readonly lastName: string;
  readonly active: boolean;
}

/** Rows that are no people: the system, the demonstration doctor, and the two that BC clinics use to say who a patient's doctor is. */
export const pseudoProviders: readonly string[] = ['-1', '999998', '1998', '1999'];

export function providerCalls({ rest, cached }: Link, hidden: readonly string[]) {
  const isPerson = ({ providerNo: no }: { readonly providerNo?: unknown }) =>
    textOf(no) !== '' && !pseudoProviders.includes(textOf(no)) && !hidden.includes(textOf(no));

  const peopleIn = (answer: unknown): Provider[] =>
    manyOf(fieldsOf(answer).content)
      .filter(isPerson)
      .map((each) => ({
        no: providerNo(textOf(each.providerNo)),
        firstName: textOf(each.firstName).trim(),
        lastName: textOf(each.lastName).trim(),
        active: textOf(each.enabled) !== 'false',
      }));

  return {
    /** REST: SOAP has the same list, but a clinic behind a firewall has REST alone. Active people only. */
    async providers(): Promise<readonly Provider[]> {
      return cached('providers', 300, async () => {
        const answer = await rest.call({
          call: 'providers_json',
          path: '/providerService/providers_json',
        });
        return peopleIn(answer);
      });
    },

    /** REST: people who work here no more. */
    async formerProviders(): Promise<readonly Provider[]> {
      return cached('former providers', 300, async () => {
        const answer = await rest.call({
          call: 'providers/search',
          path: '/providerService/providers/search',
          query: { startIndex: '0', itemsToReturn: '500' },
          body: { searchTerm: '', active: false },
        });
        return peopleIn(answer).filter(({ active }) => !active);
      });
    },

    /** REST: the only one that has the raw status, '1' for active. Null for a number nobody has. */
    async provider(no: ProviderNo): Promise<Provider | null> {
      const answer = await rest.call({
        call: 'provider',
        path: `/providerService/provider/${encodeURIComponent(no)}`,
        absent: 404,
      });
      if (answer === null) return null;
      const found = fieldsOf(answer);
      return {
        no,
        firstName: textOf(found.firstName).trim(),
        lastName: textOf(found.lastName).trim(),
        active: textOf(found.status) === '1',
      };
    },
  };
}
