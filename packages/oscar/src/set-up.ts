import { OscarFault, OscarOffline, OscarRefused } from './errors.ts';
import type { Link } from './link.ts';
import { fieldsOf, isTrue, numberOf, textOf } from './reading.ts';

/** What a role of OSCAR's may be given for, and this client writes to. */
export type SecurityObject = '_appointment' | '_demographic' | '_edoc' | '_tickler';

/** A programme to which patients are admitted. */
export interface Program {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
}

/** What is asked of OSCAR only to see whether it is set up as a program needs it. */
export const setUpCalls = ({ rest, soap }: Link) => ({
  /** SOAP: the minutes from UTC that the server believes its clock to be now. Null where it does not say. */
  async zoneOffset(): Promise<number | null> {
    const asked = { service: 'SystemInfoService', operation: 'getServerTimeGmtOffset' };
    const [offset] = await soap.call(asked).catch(unsaid([]));
    const milliseconds = numberOf(offset);
    return milliseconds === null ? null : milliseconds / 60_000;
  },

  /** REST: whether the provider of the token may write to this. Null where OSCAR does not say. */
  async mayWrite(object: SecurityObject): Promise<boolean | null> {
    const path = `/persona/hasRight?objectName=${object}&privilege=w`;
    const answer = await rest.call({ call: 'hasRight', path }).catch(unsaid(null));
    return answer === null ? null : isTrue(fieldsOf(answer).success);
  },

  /** SOAP: null where OSCAR does not list them. */
  async programs(): Promise<readonly Program[] | null> {
    const asked = { service: 'ProgramService', operation: 'getAllPrograms' };
    const all = await soap.call(asked).catch(unsaid(null));
    return (
      all?.map(fieldsOf).map(({ id, name, programStatus }) => ({
        id: Number(textOf(id)),
        name: textOf(name),
        active: textOf(programStatus) !== 'inactive',
      })) ?? null
    );
  },

  /** SOAP: the number of everybody whom OSCAR lists, people or not. */
  async providerNumbers(): Promise<readonly string[]> {
    const all = await soap.call({ service: 'ProviderService', operation: 'getProviders2' });
    return all.map((each) => textOf(fieldsOf(each).providerNo));
  },
});

/** Builds of OSCAR lack some services, or keep a token or everybody from them. */
const unsaid =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    const isLacking =
      error instanceof OscarFault ||
      (error instanceof OscarOffline && error.message.includes('404')) ||
      (error instanceof OscarRefused && /_(scope|endpoint)$/.test(error.word ?? ''));
    if (isLacking) return value;
    throw error;
  };
