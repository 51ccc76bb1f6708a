import type { Client } from 'pg';

import {
  type AppointmentRow,
  type FakeOptions,
  type Fault,
  type FakeOscar,
  type Incoming,
  dateAfter,
  startFakeOscar,
} from '@clinic/oscar/fake';

import type { Chance } from '../chance.ts';

/** The doctors of the clinic's OSCAR, who work from eight to ten, and the site of each. */
const SITES: Readonly<Record<string, string>> = { 301: 'Main', 302: 'North', 303: 'Main' };
const DOCTORS = Object.keys(SITES);
export const siteOf = (providerNo: string): string => SITES[providerNo] ?? '';
/** What patients of one kind pay for it. */
export const PAID_TYPE = 'T10';
export const FEE = 75;
const TYPES = ['O', PAID_TYPE, 'T15'];
/** The number in OSCAR of the record of 'record-1' is one more. */
const RECORDS_FROM = 9_000;
const DAYS = 120;
const TEMPLATE = '_'.repeat(96) + 'C'.repeat(24).padEnd(192, '_');

/** A fake OSCAR with doctors, hours and the records of so many patients. */
export async function openBook(
  patients: number,
  options: Pick<FakeOptions, 'now' | 'lateMs'>,
): Promise<FakeOscar> {
  const fake = await startFakeOscar({ profile: 'classic', ...options });
  const { memory, today } = fake;
  for (const rows of [memory.providers, memory.demographics, memory.codes]) rows.length = 0;
  memory.templates.clear();
  memory.sites.push(...new Set(Object.values(SITES)));
  memory.codes.push({
    id: 1,
    code: 'C',
    description: 'Clinic',
    duration: '',
    confirm: 'N',
    bookinglimit: 1,
  });
  for (const providerNo of DOCTORS) {
    memory.providers.push({ providerNo, firstName: 'A', lastName: providerNo, status: '1' });
    for (let day = -1; day < DAYS; day += 1)
      memory.templates.set(`${providerNo} ${dateAfter(today, day)}`, TEMPLATE);
  }
  for (let number = 1; number <= patients; number += 1)
    memory.demographics.push({
      demographicNo: RECORDS_FROM + number,
      firstName: 'Pat',
      lastName: `Number ${number}`,
      sex: 'F',
      dobYear: '1980',
      dobMonth: '02',
      dobDay: '03',
      hin: '',
      hcType: 'BC',
      providerNo: '',
      patientStatus: 'AC',
      email: '',
      phone: '',
    });
  return fake;
}

/** Makes a prepared clinic one whose records and schedule are in that OSCAR. */
export async function keepInOscar(database: Client): Promise<void> {
  await database.query(`update provider set status = '0'`);
  await database.query(`delete from schedule_day`);
  // Whoever is new in OSCAR is hidden until the clinic shows them.
  await database.query(
    `insert into provider_policy (provider_id, location) select * from unnest($1::text[], $2::text[])`,
    [DOCTORS, DOCTORS.map(siteOf)],
  );
  await database.query(
    `update patient set record_id = ($1 + replace(record_id, 'record-', '')::int)::text`,
    [RECORDS_FROM],
  );
  await database.query(
    `insert into slot_code (code, description, types, bound) values ('C', 'Clinic', $1, true)
         on conflict (code) do update set types = excluded.types, bound = true, minutes = null, release = 'always'`,
    [TYPES],
  );
  await database.query(
    `update fee_policy set charge_cents = $1 where type = $2 and eligibility = 'R'`,
    [FEE * 100, PAID_TYPE],
  );
}

/** A key of ours, which names an appointment. */
export const appointmentIn = ({ notes }: AppointmentRow): string | null => claimIn(notes);
const claimIn = (text: string) => /\[claim:([0-9a-f-]{36})\]/.exec(text)?.[1] ?? null;
export const overlap = (one: AppointmentRow, other: AppointmentRow): boolean =>
  one.providerNo === other.providerNo &&
  one.date === other.date &&
  one.start <= other.end &&
  other.start <= one.end;

/** Whom staff have received nobody looks for. */
export const isExpected = ({ status }: AppointmentRow): boolean => status === 't';

export const isLive = ({ status }: AppointmentRow): boolean => !/^[CD]/.test(status);

/** Of rows with one key the oldest that stands is the appointment; the others are copies by staff. */
export function standingBy(book: FakeOscar): ReadonlyMap<string, AppointmentRow> {
  const found = new Map<string, AppointmentRow>();
  for (const row of book.memory.appointments) {
    const id = appointmentIn(row);
    if (id === null || !isLive(row)) continue;
    const known = found.get(id);
    if (known === undefined || row.id < known.id) found.set(id, row);
  }
  return found;
}

const READ_FAULTS = ['silent', 'answeredLate', 'refused500', 'answeredTwice'] as const;
const WRITE_FAULTS = [
  'silent',
  'answeredLate',
  'answeredTwice',
  'doneBut500',
  'cutAfter',
  'cutThenLate',
  'refused500',
] as const satisfies readonly Fault[];

export interface Troubles {
  /** How often a request meets a fault. */
  readonly shares: { reads: number; writes: number };
  /** Appointments of ours whose write was sent. */
  readonly sent: Set<string>;
  /** How many did, by fault. */
  readonly met: Map<Fault, number>;
}

/** Requests meet a fault now and then, and a receptionist is faster than a write of ours. */
export function trouble(
  book: FakeOscar,
  chance: Chance,
  beforeWrite: (request: Incoming) => void,
): Troubles {
  const troubles: Troubles = { shares: { reads: 0, writes: 0 }, sent: new Set(), met: new Map() };
  book.switches.meets = (request) => {
    if (request.writes) beforeWrite(request);
    if (request.name === 'addAppointment') troubles.sent.add(claimIn(request.body) ?? '');
    const { reads, writes } = troubles.shares;
    if (!chance.happens(request.writes ? writes : reads)) return 'none';
    const fault = chance.pick<Fault>(request.writes ? WRITE_FAULTS : READ_FAULTS);
    troubles.met.set(fault, (troubles.met.get(fault) ?? 0) + 1);
    return fault;
  };
  return troubles;
}

/** An OSCAR that is away for so many seconds. */
export interface Outage {
  readonly name: string;
  readonly seconds: number;
  readonly begin: (book: FakeOscar) => void;
  readonly end: (book: FakeOscar) => void;
}

export const OUTAGES: readonly Outage[] = [
  {
    name: 'starts again and answers nobody for a minute',
    seconds: 60,
    begin: (book) => {
      book.restart();
      book.hang('tomcat');
    },
    end: (book) => book.resume(),
  },
  {
    name: 'has no database',
    seconds: 30,
    begin: ({ switches }) => Object.assign(switches, { database: 'down' }),
    end: ({ switches }) => Object.assign(switches, { database: 'up' }),
  },
  {
    name: 'limits requests',
    seconds: 30,
    begin: ({ switches }) => Object.assign(switches, { tooMany: true }),
    end: ({ switches }) => Object.assign(switches, { tooMany: false }),
  },
  {
    name: 'has a database that hangs',
    seconds: 30,
    begin: (book) => book.hang('database'),
    end: (book) => book.resume(),
  },
  {
    name: 'is down, and has new tokens after',
    seconds: 30,
    begin: ({ switches }) => Object.assign(switches, { isDown: true }),
    end: (book) => {
      book.restart();
      book.switches.isDown = false;
    },
  },
];
