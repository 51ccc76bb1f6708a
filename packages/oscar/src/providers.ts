import { type ProviderNo, providerNo } from './alphabets.ts';
import type { Link } from './link.ts';
import { fieldsOf, manyOf, textOf } from './reading.ts';

export interface Provider {
  readonly no: ProviderNo;
  readonly firstName: string;
  readonly lastName: string;
  readonly active: boolean;
}

/** Not people: the system, the demonstration doctor, and two by which BC clinics note who the doctor is. */
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
    /** By REST, as a clinic behind a firewall has no SOAP; both have the same list. Only active people. */
    async providers(): Promise<readonly Provider[]> {
      return cached('providers', 300, async () => {
        const answer = await rest.call({
          call: 'providers_json',
          path: '/providerService/providers_json',
        });
        return peopleIn(answer);
      });
    },

    /** REST: people who no longer work here. */
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

    /** By REST, which alone has the raw status, '1' for active. Null when no provider has the number. */
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
