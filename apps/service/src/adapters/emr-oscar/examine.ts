import {
  type Calls,
  type DayTemplate,
  type Oscar,
  type Provider,
  type TemplateCodeInfo,
  appointmentType,
  demographicNo,
  keysIn,
  pseudoProviders,
  statuses,
} from '@clinic/oscar';
import { rowsAround, seesPatients, sitesIn } from './schedule.ts';
import { addDays, daysBetween, toClinic } from '@clinic/domain';

export interface Finding {
  readonly what: string;
  readonly state: 'right' | 'look' | 'wrong';
  readonly says: string;
}

type Found = Omit<Finding, 'what'>;

/** What the clinic has said here. */
export interface Known {
  readonly codes: readonly {
    readonly code: string;
    readonly types: readonly string[];
    /** Whether a person has said which types it serves. */
    readonly bound: boolean;
  }[];
  readonly types: readonly {
    readonly code: string;
    /** What our appointments of the type are called in OSCAR. */
    readonly name: string;
  }[];
  readonly doctors: readonly {
    readonly providerId: string;
    readonly hidden: boolean;
    readonly location: string | null;
  }[];
  readonly now: number;
  /** A test patient of the clinic, for whom an appointment is written and cancelled. */
  readonly testPatient: string | null;
}

const DAYS = 7;

/** What `emr check` finds. A question that fails becomes a finding, and the others are still asked. */
export async function examineOscar(oscar: Oscar, known: Known): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const look = async (what: string, ask: () => Promise<Found | readonly Found[]>) => {
    try {
      found.push(...[await ask()].flat().map((each) => ({ what, ...each })));
    } catch (error) {
      const says = error instanceof Error ? `${error.name}: ${error.message}` : 'it failed';
      found.push({ what, state: 'wrong', says });
    }
  };
  const { urgent } = oscar;
  await look('login', async () => {
    const there = (await urgent.checkLogin()) / 1000;
    const seconds = Math.round(Math.abs(there - known.now));
    const says = `SOAP answers, and takes it; its clock is ${seconds} s from ours`;
    return seconds <= 120 ? right(says) : lookAt(says);
  });
  await look('token', async () => {
    if (await urgent.checkToken()) return right('REST answers, and takes it');
    return lookAt(
      'REST takes it, and holds it to less than is asked: connect again (emr connect), and approve all, or no tickler is written',
    );
  });
  await look('patients', async () => {
    const found = await urgent.findByNumber('0000000000');
    return found.length === 0
      ? right('the login may look for them')
      : lookAt(`${found.length} have the card 0000000000`);
  });
  let people: readonly Provider[] = [];
  await look('providers', async () => {
    const all = (await urgent.providers()).filter(({ active }) => active);
    people = all.filter(seesPatients);
    const names = people.map(({ no, lastName }) => `${no} ${lastName}`).join(', ');
    const others = all
      .filter((each) => !seesPatients(each))
      .map(({ no, type }) => `${no} (${type || 'no type'})`);
    const never = [...others, ...pseudoProviders].join(', ');
    return right(`doctors: ${names}; never shown: ${never}`);
  });
  await look('sites', () => sites(urgent, people, known));
  let days: readonly DayTemplate[] = [];
  await look('templates', async () => {
    days = await week(urgent, people, toClinic(known.now).date);
    return templates(days);
  });
  await look('codes', async () => codes(days, await urgent.templateCodes(), known.codes));
  let names: readonly string[] = [];
  await look('types', async () => {
    names = await urgent.appointmentTypes();
    return types(names, known.types);
  });
  const { testPatient } = known;
  if (testPatient !== null)
    await look('appointment', () =>
      testAppointment(oscar, testPatient, { people, known, type: names[0] }),
    );
  return found;
}

const right = (says: string): Found => ({ state: 'right', says });
const lookAt = (says: string): Found => ({ state: 'look', says });
const wrong = (says: string): Found => ({ state: 'wrong', says });

/** Of OSCAR's sites, and of each doctor who is shown: what is of no site stands on no day sheet there. */
async function sites(oscar: Calls, people: readonly Provider[], { doctors, now }: Known) {
  const rows = await rowsAround(oscar, people, now);
  const found = sitesIn(rows);
  if (found === null) return [right('no row of staff tells of any')];
  if (found.length === 0) return [right('OSCAR has none')];
  const names = [...new Set(found.map(({ name }) => name))];
  const ofDoctors = people.flatMap(({ no: ofOscar, lastName }) => {
    const no: string = ofOscar;
    const { hidden = false, location = null } =
      doctors.find(({ providerId }) => providerId === no) ?? {};
    if (hidden) return [];
    const own = found.find(({ providerId }) => providerId === no)?.name;
    const who = `${no} ${lastName}`;
    if (location === null)
      return wrong(
        `${who} has none here and is offered to nobody: Set-up, Tables, 'Where a doctor works'${own === undefined ? '' : ` (most of their rows are of ${own})`}`,
      );
    return names.includes(location)
      ? right(`${who}: ${location}`)
      : lookAt(`${who}: ${location}, which no row of staff is of`);
  });
  const { date: today } = toClinic(now);
  const lost = rows
    .filter((each) => keysIn(each).length > 0 && each.location === '' && each.span.date >= today)
    .map(({ span, providerNo: no }) =>
      wrong(
        `what was booked online for ${span.date} ${span.start} with ${no} is of no site: move it here, and move it back`,
      ),
    );
  return [right(`OSCAR has ${names.join(', ')}`), ...ofDoctors, ...lost];
}

/** Each code in use, for whoever has just connected OSCAR. */
export async function codesInUse(
  { urgent }: Oscar,
  known: Known['codes'],
  now: number,
): Promise<readonly string[]> {
  const people = (await urgent.providers()).filter(seesPatients);
  const days = await week(urgent, people, toClinic(now).date);
  return codes(days, await urgent.templateCodes(), known).map(({ says }) => says);
}

async function week(oscar: Calls, people: readonly Provider[], from: string) {
  const dates = Array.from({ length: DAYS }, (_, day) => addDays(from, day));
  const days = await Promise.all(
    people.flatMap(({ no }) => dates.map((date) => oscar.dayTemplate(no, date))),
  );
  return days.filter((day) => day !== null);
}

/** Each code in use with OSCAR's name for it, its times in a week, and what it serves here. */
function codes(
  days: readonly DayTemplate[],
  named: readonly TemplateCodeInfo[],
  known: Known['codes'],
) {
  const used = Map.groupBy(
    days.flatMap(({ steps }) => steps),
    ({ code }) => code,
  );
  return [...used].map(([code, { length }]) => {
    const { types = [], bound = false } = known.find((each) => each.code === code) ?? {};
    const name = named.find((each) => each.code === code)?.description;
    const says = `${code} ${name ?? 'without a name'}, ${length} a week:`;
    if (name === undefined)
      return wrong(`${says} OSCAR has no such code: Administration, Template Code Setting`);
    if (bound) return right(`${says} ${types.join(' ') || 'none'}`);
    return lookAt(`${says} offered to nobody until you say what it serves: ${SAY_CODES}`);
  });
}

const SAY_CODES = "Set-up, Tables, 'What a slot code serves'";

/** What our appointments are called in OSCAR: the next save of its edit page empties a name that it lacks. */
const types = (names: readonly string[], known: Known['types']) => [
  right(`OSCAR has ${names.join(', ') || 'none'}`),
  ...known.map(({ code, name }) =>
    names.includes(name)
      ? right(`${code} is ${name}`)
      : wrong(
          `${code} is ${name}, which OSCAR lacks, and staff's next save empties: Set-up, Tables, 'What a type is called in the EMR'`,
        ),
  ),
];

function templates(days: readonly DayTemplate[]) {
  const steps = new Set(days.flatMap((day) => (day.steps.length > 0 ? day.stepMinutes : [])));
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
  {
    people: [provider],
    known: { doctors, now },
    type = '',
  }: {
    readonly people: readonly Provider[];
    readonly known: Known;
    readonly type: string | undefined;
  },
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
    type: appointmentType(type),
    reason: 'Test of the connection',
    location: doctors.find(({ providerId }) => providerId === provider.no)?.location ?? '',
  });
  if (answer.kind !== 'booked') return wrong(`${date} 00:05 with ${provider.no}: ${answer.kind}`);
  const isCancelled = await oscar.urgent.setStatus(answer.no, statuses.cancelled);
  return isCancelled
    ? right(`written for ${date} 00:05 with ${provider.no}, found alone, and cancelled`)
    : wrong(`number ${answer.no} was written, and staff have changed it: cancel it there`);
}
