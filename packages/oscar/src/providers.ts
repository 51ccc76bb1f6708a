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

const KEPT_MS = 300_000;

export function providerCalls({ soap, transport, urgent }: Link, hidden: readonly string[]) {
  let kept: { readonly until: number; readonly value: Promise<readonly Provider[]> } | null = null;

  async function read(): Promise<readonly Provider[]> {
    const all = await soap.call({ service: 'ProviderService', operation: 'getProviders2' });
    return all
      .map(fieldsOf)
      .filter(({ providerNo: no }) => !['', ...pseudoProviders, ...hidden].includes(textOf(no)))
      .map((each) => ({
        no: providerNo(textOf(each.providerNo)),
        firstName: textOf(each.firstName).trim(),
        lastName: textOf(each.lastName).trim(),
        active: textOf(each.status) === '1',
        type: textOf(each.providerType).trim(),
      }));
  }

  return {
    /** SOAP: the people who work or worked here. Read once in five minutes, and anew for whoever waits. */
    async providers(): Promise<readonly Provider[]> {
      if (urgent) return read();
      if (kept === null || kept.until <= transport.now())
        kept = { until: transport.now() + KEPT_MS, value: read() };
      try {
        return await kept.value;
      } catch (error) {
        kept = null;
        throw error;
      }
    },
  };
}
