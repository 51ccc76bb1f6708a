import { randomUUID } from 'node:crypto';

import {
  type Calls,
  type Connecting,
  type DayTemplate,
  type Oscar,
  OscarFault,
  OscarOffline,
  OscarRefused,
  type Program,
  type Provider,
  type SecurityObject,
  type TemplateCodeInfo,
  appointmentType,
  demographicNo,
  isLive,
  keysIn,
  pseudoProviders,
} from '@clinic/oscar';
import { addDays, daysBetween, offsetAt, toClinic } from '@clinic/domain';

import { rowsAround, seesPatients, sitesIn } from './schedule.ts';
import { CONNECT_AGAIN, SECONDS_APART, type Wrong, whyNotSigned } from './signature.ts';

export interface Finding {
  readonly what: string;
  readonly state: 'right' | 'look' | 'wrong';
  readonly says: string;
  /** What to do about it, in one sentence without its full stop; whatever is wrong has one. */
  readonly cure?: string;
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
  /** Everybody whom we have as a provider. */
  readonly providers: readonly {
    readonly id: string;
    readonly lastName: string;
    readonly status: string;
  }[];
  /** Numbers by which a new chart says that the patient's doctor is elsewhere, or that there is none. */
  readonly familyDoctorIds: { readonly yes: string; readonly no: string };
  /** The provider of OSCAR who gets all ticklers; null where each doctor gets their own. */
  readonly ticklersTo: string | null;
  readonly now: number;
  /** A test patient of the clinic, for whom an appointment is written, cancelled and deleted. */
  readonly testPatient: string | null;
}

/** The clinic's access, as far as it is looked at. */
export type Access = Connecting & { readonly programId: number };

const DAYS = 7;

/** What the clinic has said of a doctor. */
const policyOf = ({ doctors }: Known, no: string) =>
  doctors.find(({ providerId }) => providerId === no) ?? { hidden: false, location: null };

/**
 * What `emr check` finds. A question that fails becomes a finding, and the others are still asked, but where OSCAR
 * cannot be reached at all: that is said once. Nothing is written but for the test patient.
 */
export async function examineOscar(
  oscar: Oscar,
  access: Access,
  known: Known,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  let isSilent = false;
  const look = async (what: string, ask: () => Promise<Found | readonly Found[]>) => {
    try {
      found.push(...[await ask()].flat().map((each) => ({ what, ...each })));
    } catch (error) {
      const why = failed(error);
      // Silence is said once, whatever was asked.
      isSilent ||= error instanceof OscarOffline;
      if (found.some(({ cure }) => cure === why.cure && isSilent)) return;
      found.push({ what, state: 'wrong', ...why });
    }
  };
  const { urgent } = oscar;
  let apart = 0;
  let isLoginTaken = false;
  await look('login', async () => {
    apart = Math.round(Math.abs((await urgent.checkLogin()) / 1000 - known.now));
    isLoginTaken = true;
    return right('SOAP answers, and takes it');
  });
  if (isSilent) return found;
  let isTokenTaken = false;
  await look('token', async () => {
    try {
      const isWhole = await urgent.checkToken();
      isTokenTaken = true;
      if (isWhole) return right('REST answers, and takes it');
      return lookAt(
        'REST takes it, and holds it to less than is asked: no tickler is written',
        `${CONNECT_AGAIN}, and approve all`,
      );
    } catch (error) {
      if (error instanceof OscarOffline) throw error;
      const why = await whyRefused(error, access, apart);
      return wrong(why.says, why.cure);
    }
  });
  // All else is asked by SOAP.
  if (!isLoginTaken) return found;
  await look('clock', async () => [
    clockApart(apart),
    ...zone(await urgent.zoneOffset(), known.now),
  ]);
  await look('rights', async () => [
    await mayRead(urgent),
    ...(isTokenTaken ? await Promise.all(objects.map((each) => mayWrite(urgent, each))) : []),
  ]);
  await look('programme', async () => programme(await urgent.programs(), access.programId));
  let people: readonly Provider[] = [];
  let all: readonly Provider[] = [];
  await look('providers', async () => {
    all = (await urgent.providers()).filter(({ active }) => active);
    people = all.filter(seesPatients);
    return providers(all, await urgent.providerNumbers(), known);
  });
  await look('ticklers', async () => ticklers(all, known.ticklersTo));
  await look('sites', () => sites(urgent, people, known));
  let days: readonly DayTemplate[] = [];
  await look('templates', async () => {
    days = await week(urgent, people, toClinic(known.now).date);
    return templates(days, people, known);
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
      testAppointment(oscar, people, names[0] ?? '', { ...known, testPatient }),
    );
  return found;
}

const right = (says: string): Found => ({ state: 'right', says });
const lookAt = (says: string, cure?: string): Found => ({
  state: 'look',
  says,
  ...(cure !== undefined && { cure }),
});
const wrong = (says: string, cure: string): Found => ({ state: 'wrong', says, cure });

/** What a question that failed says, and what to do. */
function failed(error: unknown): Wrong {
  const says = error instanceof Error ? error.message : 'it failed';
  if (error instanceof OscarOffline) return { says, cure: cureOfSilence(says) };
  if (!(error instanceof OscarRefused))
    return { says, cure: 'Look into the log of OSCAR at this minute: it failed over the question' };
  if (error.word === 'No service was found')
    return { says, cure: 'Put REST into ModuleNames of oscar.properties, and restart OSCAR' };
  return { says, cure: curesOfRefusal[error.by] };
}

const curesOfRefusal = {
  firewall: 'Let the firewall pass the address of this machine, to /ws and below',
  soap: 'In OSCAR, Administration, Security: set the password and a date of expiry that is ahead, which counts even where it is not ticked, and no PIN, and connect again: npm run clinic -- emr connect',
  oauth: CONNECT_AGAIN,
} as const;

/** By the word of the network, of TLS or of HTTP that the message ends with. */
export function cureOfSilence(says: string): string {
  if (/CERT_HAS_EXPIRED/.test(says)) return 'Let whoever runs OSCAR renew its certificate';
  if (/ALTNAME/.test(says)) return 'Set EMR_URL to the host name that the certificate is made for';
  if (/SELF_SIGNED|UNABLE_TO_/.test(says))
    return 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that made OSCAR’s, for the service and the commands';
  if (/404/.test(says))
    return 'Set EMR_URL with the path that OSCAR is installed at, such as /oscar';
  if (/database/.test(says)) return 'Let whoever runs OSCAR look at its database';
  if (/429/.test(says)) return 'Let the proxy before OSCAR take more requests of this machine';
  return 'See that OSCAR runs, that EMR_URL is its address, and that a firewall lets this machine through';
}

/** REST looks at the signature before it looks at the token, and has one word for both. */
async function whyRefused(error: unknown, access: Access, apart: number): Promise<Wrong> {
  const isSaid = error instanceof OscarRefused && error.by === 'oauth';
  if (!isSaid || ![undefined, 'invalid_signature', 'invalid_consumer'].includes(error.word))
    return failed(error);
  const why = await whyNotSigned(access, apart);
  return why ?? { says: 'REST does not take it: it ended, or was taken back', cure: CONNECT_AGAIN };
}

function clockApart(seconds: number): Found {
  const says = `OSCAR’s is ${seconds} s from ours`;
  if (seconds <= 120) return right(says);
  const cure = 'Let both machines follow a time server: timedatectl set-ntp true';
  return seconds <= SECONDS_APART ? lookAt(says, cure) : wrong(says, cure);
}

const inHours = (minutes: number) => {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (part: number) => String(part).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(hours)}:${two(rest)}`;
};

/** OSCAR's digits count, whatever zone it believes in; where that has other clock changes, two days are an hour off. */
function zone(offset: number | null, now: number): readonly Found[] {
  const ours = offsetAt(now);
  if (offset === null) return [];
  if (offset === ours) return [right(`its zone is the clinic’s, ${inHours(ours)}`)];
  return [
    lookAt(
      `its Java believes in ${inHours(offset)}, and the clinic has ${inHours(ours)}: its times are taken by their digits, and are an hour off on the days on which it changes its clocks`,
      'Give OSCAR’s Java zone data of 2026 or later, and the zone of the clinic',
    ),
  ];
}

/** What is not done where the token's provider may not write to it. */
const LACKING_RIGHT = {
  _appointment: 'changes of a status go by SOAP, which writes the whole row',
  _demographic: 'no chart is opened for a new patient',
  _tickler: 'no tickler is written',
  _edoc: 'no document is filed',
} as const satisfies Record<SecurityObject, string>;
const objects = Object.keys(LACKING_RIGHT) as SecurityObject[];

/** By SOAP the schedule asks for no right, and patients for this one. */
async function mayRead(oscar: Calls): Promise<Found> {
  try {
    await oscar.findByNumber('0000000000');
    return right('the login may look for patients');
  } catch (error) {
    if (!(error instanceof OscarFault)) throw error;
    return wrong(
      'the login may not look for patients',
      'Give the provider of the login a role with _demographic to read and to write',
    );
  }
}

async function mayWrite(oscar: Calls, object: SecurityObject): Promise<Found> {
  const may = await oscar.mayWrite(object);
  if (may === true) return right(`the token may write to ${object}`);
  if (may === null) return lookAt(`OSCAR does not say whether the token may write to ${object}`);
  const says = `the token may not write to ${object}: ${LACKING_RIGHT[object]}`;
  const cure = `Give the provider who gave consent a role with ${object} to read and to write`;
  return object === '_appointment' ? lookAt(says, cure) : wrong(says, cure);
}

/** OSCAR takes any number, and then nobody sees the chart in the programme that was meant. */
function programme(all: readonly Program[] | null, id: number): Found {
  if (all === null) return lookAt(`OSCAR does not list its programmes, so nobody knows of ${id}`);
  const own = all.find((each) => each.id === id);
  const others = all.filter(({ active }) => active).map((each) => `${each.id} ${each.name}`);
  if (own?.active === true) return right(`${id} ${own.name}`);
  return wrong(
    own === undefined ? `OSCAR has no programme ${id}` : `${id} ${own.name} is not active`,
    `Put one of these into programId of the file, and connect again: ${others.join(', ') || 'it has none'}`,
  );
}

/** Who is a doctor there, who stands here alone, and the two by whom a new chart says that there is no doctor. */
function providers(
  all: readonly Provider[],
  numbers: readonly string[],
  known: Known,
): readonly Found[] {
  const people = all.filter(seesPatients);
  const others = all.filter((each) => !people.includes(each));
  const never = [
    ...others.map(({ no, type }) => `${no} (${type || 'no type'})`),
    ...pseudoProviders,
  ];
  const hidden = `never shown: ${never.join(', ')}`;
  const alone = known.providers.filter(
    ({ id, status }) => status === '1' && !policyOf(known, id).hidden && !numbers.includes(id),
  );
  const lacking = Object.values(known.familyDoctorIds).filter((id) => !numbers.includes(id));
  return [
    people.length === 0
      ? wrong(
          `nobody is a doctor; ${hidden}`,
          'In OSCAR, Administration, Edit provider: set the type of each doctor to doctor',
        )
      : right(
          `doctors: ${people.map(({ no, lastName }) => `${no} ${lastName}`).join(', ')}; ${hidden}`,
        ),
    ...alone.map(({ id, lastName }) =>
      wrong(
        `${id} ${lastName} is shown here, and OSCAR has no such provider`,
        "Hide them: Set-up, Tables, 'Show a doctor to patients'",
      ),
    ),
    ...lacking.map((id) =>
      wrong(
        `OSCAR has no provider ${id}, which a new chart names where the patient’s doctor is elsewhere, or there is none`,
        `Add a provider with the number ${id} there, or set FAMILY_DOCTOR_ID_YES and FAMILY_DOCTOR_ID_NO to those that it has`,
      ),
    ),
  ];
}

/** OSCAR takes a tickler to anybody, also to whom it lacks, and nobody sees it. */
function ticklers(all: readonly Provider[], to: string | null) {
  if (to === null) return right('they go to the doctor of each appointment');
  const found = all.find(({ no }) => (no as string) === to);
  return found
    ? right(`they go to ${to} ${found.lastName}`)
    : wrong(
        `they go to ${to}, whom OSCAR lacks or calls inactive`,
        'Set EMR_TICKLERS_TO to the number of somebody who is active there',
      );
}

/** Of OSCAR's sites, and of each doctor who is shown: what is of no site stands on no day sheet there. */
async function sites(oscar: Calls, people: readonly Provider[], known: Known) {
  const rows = await rowsAround(oscar, people, known.now);
  const found = sitesIn(rows);
  if (found === null) return [right('no row of staff tells of any')];
  if (found.length === 0) return [right('OSCAR has none')];
  const names = [...new Set(found.map(({ name }) => name))];
  const ofDoctors = people.flatMap(({ no, lastName }) => {
    const { hidden, location } = policyOf(known, no);
    if (hidden) return [];
    const who = `${no} ${lastName}`;
    const own = found.find(({ providerId }) => providerId === String(no));
    if (location === null)
      return wrong(
        `${who} has none here and is offered to nobody${own ? ` (most of their rows are of ${own.name})` : ''}`,
        "Say it: Set-up, Tables, 'Where a doctor works'",
      );
    return names.includes(location)
      ? right(`${who}: ${location}`)
      : lookAt(`${who}: ${location}, which no row of staff is of`);
  });
  const { date: today } = toClinic(known.now);
  const lost = rows
    .filter((each) => keysIn(each).length > 0 && each.location === '' && each.span.date >= today)
    .map(({ span, providerNo: no }) =>
      wrong(
        `what was booked online for ${span.date} ${span.start} with ${no} is of no site`,
        'Move it here, and move it back',
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
  return codes(days, await urgent.templateCodes(), known).map(({ says, cure }) =>
    cure === undefined ? says : `${says}. ${cure}.`,
  );
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
      return wrong(
        `${says} OSCAR has no such code`,
        'Name it there: Administration, Template Code Setting',
      );
    if (bound) return right(`${says} ${types.join(' ') || 'none'}`);
    return lookAt(
      `${says} offered to nobody`,
      "Say what it serves: Set-up, Tables, 'What a slot code serves'",
    );
  });
}

/** What our appointments are called in OSCAR: the next save of its edit page empties a name that it lacks. */
const types = (names: readonly string[], known: Known['types']) => [
  right(`OSCAR has ${names.join(', ') || 'none'}`),
  ...known.map(({ code, name }) =>
    names.includes(name)
      ? right(`${code} is ${name}`)
      : wrong(
          `${code} is ${name}, which OSCAR lacks, and staff's next save empties`,
          "Choose one: Set-up, Tables, 'What a type is called in the EMR'",
        ),
  ),
];

function templates(
  days: readonly DayTemplate[],
  people: readonly Provider[],
  known: Known,
): readonly Found[] {
  const lengths = new Set(days.flatMap((day) => (day.steps.length > 0 ? day.stepMinutes : [])));
  const odd = [...lengths].filter((minutes) => minutes % 5 !== 0);
  const ofSteps =
    lengths.size === 0
      ? lookAt(`nobody works in the next ${DAYS} days`)
      : odd.length === 0
        ? right(`steps of ${[...lengths].join(' and ')} minutes`)
        : wrong(
            `steps of ${odd.join(' and ')} minutes: such a day is shown without work`,
            'Make the template of steps of 5, 10, 15 or more minutes',
          );
  const idle = people.flatMap(({ no, lastName }) => {
    const own = days.filter((day) => day.providerNo === no && !day.isHoliday);
    if (policyOf(known, no).hidden || own.some((day) => day.steps.length > 0)) return [];
    const who = `${no} ${lastName}`;
    return own.length === 0
      ? lookAt(`${who} has no schedule in the next ${DAYS} days`)
      : wrong(
          `${who} has a schedule in the next ${DAYS} days, and a template without any time`,
          'In OSCAR, Administration, Schedule: give the template its codes and save it, then apply it again',
        );
  });
  return [ofSteps, ...idle];
}

/**
 * Books far enough ahead that nobody is in the way, cancels, and reads both back. The row is deleted, where OSCAR
 * lets the token do that.
 */
async function testAppointment(
  oscar: Oscar,
  people: readonly Provider[],
  type: string,
  known: Known & { readonly testPatient: string },
): Promise<Found> {
  const { urgent } = oscar;
  const provider = people.find(({ no }) => !policyOf(known, no).hidden) ?? people[0];
  const patient = known.testPatient;
  const record = await urgent.patient(demographicNo(patient));
  if (record === null || provider === undefined)
    return wrong(
      record === null ? `OSCAR has no patient ${patient}` : 'there is no doctor to book with',
      'Give the demographic number of a test patient, and see that OSCAR has a doctor',
    );
  const today = toClinic(known.now).date;
  const date = addDays(today, 90 + (daysBetween('2023-01-01', today) % 7));
  const span = { date, start: '00:05', end: '00:10' };
  const where = `${date} ${span.start} with ${provider.no}`;
  const key = `check-${randomUUID()}`;
  const answer = await oscar.book({
    key,
    providerNo: provider.no,
    demographicNo: record.no,
    patient: { firstName: 'Test', lastName: 'Test' },
    span,
    type: appointmentType(type),
    reason: 'Test of the connection',
    location: policyOf(known, provider.no).location ?? '',
  });
  if (answer.kind !== 'booked')
    return wrong(`${where}: ${answer.kind}`, 'Look at that day in OSCAR, and check again');
  const row = `Cancel number ${answer.no} of ${where} in OSCAR by hand`;
  const booked = await urgent.appointment(answer.no);
  const isThere =
    booked !== null &&
    isLive(booked.status) &&
    booked.demographicNo === record.no &&
    keysIn(booked).includes(key) &&
    [booked.span.date, booked.span.start, booked.span.end].join() === Object.values(span).join();
  await urgent.cancelAppointment(answer.no);
  const cancelled = await urgent.appointment(answer.no);
  if (!isThere)
    return wrong(
      `${where} was written, and is not read as it was written`,
      `${row}, and report it`,
    );
  if (cancelled !== null && isLive(cancelled.status))
    return wrong(`${where} was written, and cannot be cancelled`, row);
  const isGone = await urgent.deleteAppointment(answer.no).then(
    async () => (await urgent.appointment(answer.no)) === null,
    () => false,
  );
  const done = `${where} was written and read, cancelled and read`;
  return isGone
    ? right(`${done}, and is gone`)
    : lookAt(`${done}; its cancelled row stays`, `Delete number ${answer.no} in OSCAR by hand`);
}
