/** Who works at the clinic and when, its codes and names, and how its OSCAR is set up. */
import { type ProviderNo, appointmentType, providerNo, templateCode } from './alphabets.ts';
import { OscarFault, OscarOffline, OscarRefused } from './errors.ts';
import type { Link } from './link.ts';
import { type Fields, fieldsOf, isTrue, numberOf, textOf } from './reading.ts';
import { clockOf, momentOf } from './wall-clock.ts';

/** Not people: the system, the demonstration doctor, and two by which BC clinics note who the doctor is. */
export const pseudoProviders: readonly string[] = ['-1', '999998', '1998', '1999'];

const KEPT_MS = 300_000;

export type Provider = ReturnType<typeof providerOf>;
const providerOf = (row: Fields) => ({
  no: providerNo(textOf(row.providerNo)),
  firstName: textOf(row.firstName).trim(),
  lastName: textOf(row.lastName).trim(),
  active: textOf(row.status) === '1',
  /** Such as doctor, nurse or receptionist; empty where the clinic left it so. */
  type: textOf(row.providerType).trim(),
});

/** A programme to which patients are admitted. */
export type Program = ReturnType<typeof programOf>;
const programOf = ({ id, name, programStatus }: Fields) => ({
  id: Number(textOf(id)),
  name: textOf(name),
  active: textOf(programStatus) !== 'inactive',
});

export type DayTemplate = ReturnType<typeof templateOf>;
function templateOf(provider: ProviderNo, date: string, answer: Fields) {
  const isHoliday = isTrue(answer.holiday);
  const stepMinutes = numberOf(answer.timeSlotDurationMin) ?? 0;
  // An empty list in XML is no element.
  const slots = Array.isArray(answer.timeSlots) ? answer.timeSlots.map(fieldsOf) : [];
  const steps = slots.flatMap((slot) => {
    const code = codeOf(slot.scheduleCode);
    return code === null ? [] : [{ start: clockOf(momentOf(slot.date).minute), code }];
  });
  if (steps.length > 0 && stepMinutes <= 0)
    throw new OscarFault('OSCAR answered with a template without the length of its steps');
  return {
    providerNo: provider,
    date,
    /** On a holiday of the clinic `steps` is empty, although OSCAR lists them. */
    isHoliday,
    stepMinutes,
    /** The working steps, by their start. */
    steps: isHoliday ? [] : steps,
  };
}

export type TemplateCodeInfo = ReturnType<typeof codesOf>[number];
function codesOf(row: Fields) {
  const code = codeOf(row.code);
  /** Null when the clinic left it empty: the length is then one step of the template. */
  const minutes = numberOf(row.duration);
  return code === null ? [] : [{ code, description: textOf(row.description), minutes }];
}

/** SOAP gives the character's number: 67 is C. Null for a blank and for the character that means no work. */
function codeOf(value: unknown) {
  const text = textOf(value);
  const character = (/^\d{2,}$/.test(text) ? String.fromCodePoint(Number(text)) : text).trim();
  return ['', '_'].includes(character) ? null : templateCode(character);
}

/** What a role of OSCAR's may be given for, and this client writes to. */
export type SecurityObject = '_appointment' | '_demographic' | '_edoc' | '_tickler';

export function clinicCalls({ rest, soap, transport, urgent }: Link, hidden: readonly string[]) {
  let kept: { readonly until: number; readonly value: Promise<readonly Provider[]> } | null = null;
  const everybody = () => soap.rows('ProviderService', 'getProviders2');
  const notPeople = ['', ...pseudoProviders, ...hidden];
  const people = async () =>
    (await everybody())
      .filter((row) => !notPeople.includes(textOf(row.providerNo)))
      .map(providerOf);

  return {
    /** SOAP: the people who work or worked here. Read once in five minutes, and anew for a caller who waits. */
    async providers(): Promise<readonly Provider[]> {
      if (urgent) return people();
      if (kept === null || kept.until <= transport.now())
        kept = { until: transport.now() + KEPT_MS, value: people() };
      try {
        return await kept.value;
      } catch (error) {
        kept = null;
        throw error;
      }
    },

    /** SOAP: the number of everybody whom OSCAR lists, people or not. */
    providerNumbers: async () => (await everybody()).map((row) => textOf(row.providerNo)),

    /** SOAP. One call a provider and day. Null when the provider has no schedule that day. */
    async dayTemplate(no: ProviderNo, date: string): Promise<DayTemplate | null> {
      const day = `${date}T00:00:00`;
      const [answer] = await soap.rows('ScheduleService', 'getDayWorkSchedule', no, day);
      return answer === undefined ? null : templateOf(no, date, answer);
    },

    /** SOAP. A code that the clinic has twice comes twice. */
    templateCodes: async () =>
      (await soap.rows('ScheduleService', 'getScheduleTemplateCodes')).flatMap(codesOf),

    /** SOAP. The names that an appointment may carry; they are no template codes. */
    appointmentTypes: async () =>
      (await soap.rows('ScheduleService', 'getAppointmentTypes')).map(({ name }) =>
        appointmentType(textOf(name)),
      ),

    /** SOAP: the minutes from UTC that the server believes its clock to be now. Null where it does not say. */
    async zoneOffset(): Promise<number | null> {
      const offset = soap.value('SystemInfoService', 'getServerTimeGmtOffset');
      const milliseconds = numberOf(await offset.catch(nullIfLacking));
      return milliseconds === null ? null : milliseconds / 60_000;
    },

    /** REST: whether the provider of the token may write to this. Null where OSCAR does not say. */
    async mayWrite(object: SecurityObject): Promise<boolean | null> {
      const answer = rest.call(`/persona/hasRight?objectName=${object}&privilege=w`);
      const found = await answer.catch(nullIfLacking);
      return found && isTrue(found.success);
    },

    /** SOAP: null where OSCAR does not list them. */
    async programs(): Promise<readonly Program[] | null> {
      const all = await soap.rows('ProgramService', 'getAllPrograms').catch(nullIfLacking);
      return all && all.map(programOf);
    },
  };
}

/** Builds of OSCAR lack some services, or keep a token or everybody from them. */
function nullIfLacking(error: unknown): null {
  const isLacking =
    error instanceof OscarFault ||
    (error instanceof OscarOffline && error.message.includes('404')) ||
    (error instanceof OscarRefused && error.isOfScope);
  if (isLacking) return null;
  throw error;
}
