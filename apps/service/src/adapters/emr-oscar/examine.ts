import {
  type Oscar,
  type Provider,
  appointmentType,
  demographicNo,
  pseudoProviders,
} from '@clinic/oscar';
import { addDays, daysBetween, toClinic } from '@clinic/domain';

export interface Finding {
  readonly what: string;
  readonly state: 'right' | 'look' | 'wrong';
  readonly says: string;
}

interface Known {
  /** Slot codes that serve a type here. */
  readonly codes: readonly string[];
  readonly now: number;
  /** A test patient of the clinic, for whom an appointment is written and cancelled. */
  readonly testPatient: string | null;
}

const DAYS = 7;

/** What `emr check` finds. A question that fails becomes a finding, and the others are still asked. */
export async function examineOscar(oscar: Oscar, known: Known): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const look = async (what: string, ask: () => Promise<Omit<Finding, 'what'>>) => {
    try {
      found.push({ what, ...(await ask()) });
    } catch (error) {
      const says = error instanceof Error ? `${error.name}: ${error.message}` : 'it failed';
      found.push({ what, state: 'wrong', says });
    }
  };
  const { urgent } = oscar;
  await look('reachable', async () =>
    (await urgent.isAlive()) ? right('it answers') : wrong('it does not answer'),
  );
  await look('credentials', async () =>
    (await urgent.isAuthorised()) ? right('it takes them') : wrong('it does not take them'),
  );
  await look('clock', async () => {
    const changes = await urgent.changedSince(null);
    if (changes === null) return lookAt('without SOAP it cannot be asked');
    const { date, time } = toClinic(known.now);
    const there = changes.cursor.replace('T', ' ').slice(0, 16);
    const minutes = (Date.parse(`${there}Z`) - Date.parse(`${date} ${time}Z`)) / 60_000;
    const says = `it says ${there}, the clinic has ${date} ${time}`;
    return Math.abs(minutes) <= 2 ? right(says) : lookAt(`${says}: only its digits are used`);
  });
  let people: readonly Provider[] = [];
  await look('providers', async () => {
    people = await urgent.providers();
    const names = people.map(({ no, lastName }) => `${no} ${lastName}`).join(', ');
    return right(`shown: ${names}; never shown: ${pseudoProviders.join(', ')}`);
  });
  await look('templates', () => templates(oscar, people, toClinic(known.now).date));
  await look('codes', async () => {
    const codes = [...new Set((await urgent.templateCodes()).map(({ code }) => code))];
    const unknown = codes.filter((code) => !known.codes.includes(code));
    if (unknown.length === 0) return right('each serves a type here');
    return lookAt(`${unknown.join(' ')} serve no type here (import codes)`);
  });
  await look('types', async () => {
    const types = await urgent.appointmentTypes();
    return right(`OSCAR has ${types.map(({ type }) => type).join(', ') || 'none'}`);
  });
  const { testPatient } = known;
  if (testPatient !== null)
    await look('appointment', () => testAppointment(oscar, testPatient, people, known.now));
  return found;
}

const right = (says: string) => ({ state: 'right' as const, says });
const lookAt = (says: string) => ({ state: 'look' as const, says });
const wrong = (says: string) => ({ state: 'wrong' as const, says });

async function templates(
  { urgent, capabilities }: Oscar,
  people: readonly Provider[],
  from: string,
) {
  if (capabilities.templates === 'ours') return lookAt('without SOAP ours are the schedule');
  const dates = Array.from({ length: DAYS }, (_, day) => addDays(from, day));
  const days = await Promise.all(
    people.flatMap(({ no }) => dates.map((date) => urgent.dayTemplate(no, date))),
  );
  const steps = new Set(
    days.flatMap((day) => (day && day.steps.length > 0 ? day.stepMinutes : [])),
  );
  if (steps.size === 0) return lookAt(`nobody works in the next ${DAYS} days`);
  const odd = [...steps].filter((minutes) => minutes % 5 !== 0);
  if (odd.length > 0)
    return wrong(`steps of ${odd.join(' and ')} minutes: such a day is shown without work`);
  return right(`steps of ${[...steps].join(' and ')} minutes`);
}

/** Books far enough ahead that nobody is in the way, and cancels at once. */
async function testAppointment(
  oscar: Oscar,
  patient: string,
  [provider]: readonly Provider[],
  now: number,
) {
  const record = await oscar.urgent.patient(demographicNo(patient));
  if (record === null || provider === undefined) return wrong('there is no such patient');
  const date = addDays(
    toClinic(now).date,
    90 + (daysBetween('2023-01-01', toClinic(now).date) % 7),
  );
  const answer = await oscar.book({
    key: `check-${now}`,
    providerNo: provider.no,
    demographicNo: record.no,
    patient: { firstName: 'Test', lastName: 'Test' },
    span: { date, start: '00:05', end: '00:10' },
    type: appointmentType('Test'),
    reason: 'Test of the connection',
  });
  if (answer.kind !== 'booked') return wrong(`${date} 00:05 with ${provider.no}: ${answer.kind}`);
  const { kind } = await oscar.cancel(answer.no);
  return kind === 'cancelled'
    ? right(`written for ${date} 00:05 with ${provider.no}, found alone, and cancelled`)
    : wrong(`number ${answer.no} was written, and not cancelled: ${kind}`);
}
