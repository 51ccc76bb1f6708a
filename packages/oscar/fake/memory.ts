/**
 * The database behind the fake: MariaDB without strict mode and without constraints. A text that is
 * longer than its column is cut, two appointments may have the same time, and a card may be on file
 * twice.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** What a row is where its writer says nothing: SOAP leaves NULL in the last six, which OSCAR's pages fill. */
const unsaid = {
  id: 0,
  providerNo: '',
  date: '',
  /** Seconds of the day; the end is the last second, or the last minute, that belongs to it. */
  start: 0,
  end: 0,
  name: '',
  /** 0 for what takes the time for no patient. Old imports have NULL, and nobody can read their day. */
  demographicNo: 0,
  reason: '',
  notes: '',
  location: '',
  type: '',
  status: 't',
  creator: null as string | null,
  createdAt: 0,
  updatedAt: 0,
  resources: null as string | null,
  remarks: null as string | null,
  urgency: null as string | null,
  reasonCode: null as number | null,
  lastUpdateUser: null as string | null,
  creatorSecurityId: null as number | null,
};
export type AppointmentRow = typeof unsaid;
type NewRow = Pick<AppointmentRow, 'providerNo' | 'date' | 'start' | 'end'> &
  Partial<AppointmentRow>;

export interface DemographicRow {
  demographicNo: number;
  firstName: string;
  lastName: string;
  sex: string;
  dobYear: string;
  dobMonth: string;
  dobDay: string;
  hin: string;
  hcType: string | null;
  providerNo: string;
  patientStatus: string | null;
  /** The chart that staff merged this one into. */
  headRecord?: number;
  email: string | null;
  phone: string;
  phone2?: string;
  /** NULL in what REST created without one. */
  address?: { address: string; city: string; postal: string; province: string } | null;
  /** The day of registration; NULL in what REST created. */
  joined?: string | null;
  lastUpdateUser?: string | null;
}

export interface ProviderRow {
  providerNo: string;
  firstName: string;
  lastName: string;
  status: string;
  /** Such as receptionist or system; a doctor where it is not said. */
  providerType?: string;
}

export interface TicklerRow {
  demographicNo: number;
  message: string;
  taskAssignedTo: string;
  serviceDate: number;
}

export interface CodeRow {
  id: number;
  code: string;
  description: string;
  duration: string;
  confirm: string;
  bookinglimit: number;
}

export interface DocumentRow {
  documentNo: number;
  demographicNo: number;
  fileName: string;
  providerNo: string;
  contents: string;
}

const widths: Readonly<Record<string, number>> = {
  reason: 80,
  notes: 255,
  location: 30,
  type: 50,
  name: 50,
  status: 2,
  firstName: 30,
  lastName: 30,
  hin: 20,
  email: 100,
  phone: 20,
  address: 60,
  city: 50,
  province: 20,
  postal: 9,
};

/** As the column keeps it: a question mark for each character of four bytes, and not more than it is wide. */
export function cut(column: string, text: string): string {
  return text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?').slice(0, widths[column] ?? 255);
}

export const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The texts of these columns, as each keeps its own. */
export const textsIn = <Column extends string>(given: Fields, ...columns: readonly Column[]) =>
  Object.fromEntries(columns.map((each) => [each, cut(each, text(given[each]))])) as Record<
    Column,
    string
  >;

export class Memory {
  readonly providers: ProviderRow[] = [];
  readonly demographics: DemographicRow[] = [];
  readonly appointments: AppointmentRow[] = [];
  /** What each change of an appointment replaced. */
  readonly archives: AppointmentRow[] = [];
  readonly ticklers: TicklerRow[] = [];
  readonly documents: DocumentRow[] = [];
  readonly codes: CodeRow[] = [];
  readonly programs: { id: number; name: string; programStatus: string }[] = [];
  readonly types: { id: number; name: string; duration: number }[] = [];
  /** What staff cut or copied last. */
  clipboard: AppointmentRow | null = null;
  /** Names of the sites where multisites are on; none where they are off. */
  readonly sites: string[] = [];
  /** By '<providerNo> <date>': one character a step, from midnight to midnight. */
  readonly templates = new Map<string, string>();
  readonly holidays = new Set<string>();
  readonly now: () => number;
  #last = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  nextId(): number {
    this.#last += 1;
    return this.#last;
  }

  addAppointment(row: NewRow): AppointmentRow {
    const now = this.now();
    const added = { ...unsaid, ...row, id: this.nextId(), createdAt: now, updatedAt: now };
    this.appointments.push(added);
    return this.#kept(added);
  }

  change(row: AppointmentRow, to: Partial<AppointmentRow>): void {
    this.archives.push({ ...row });
    Object.assign(row, to, { updatedAt: this.now() });
    this.#kept(row);
  }

  #kept(row: AppointmentRow): AppointmentRow {
    for (const column of ['reason', 'notes', 'location', 'type', 'name', 'status'] as const)
      row[column] = cut(column, row[column]);
    return row;
  }

  appointment(id: unknown): AppointmentRow {
    const found = this.appointments.find((row) => row.id === Number(id));
    if (found === undefined) throw new Error('java.lang.NullPointerException: Appointment');
    return found;
  }

  provider(no: string): ProviderRow | undefined {
    return this.providers.find((row) => row.providerNo === no);
  }

  demographic(no: unknown): DemographicRow | undefined {
    return this.demographics.find((row) => row.demographicNo === Number(no));
  }
}

export const isCancelled = ({ status }: AppointmentRow) => status.startsWith('C');

const two = (number: number) => String(number).padStart(2, '0');
export const clock = (seconds: number) =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
export const secondsOf = (text: string) => {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
};
