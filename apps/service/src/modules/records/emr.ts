/**
 * The EMR (such as OSCAR) that a clinic may have. Times are wall clock without a zone, ids are
 * opaque, every write carries an idempotency key, and a read that cannot be answered throws instead
 * of being empty. See docs/emr.md.
 */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type ProviderId = Branded<'ProviderId'>;
export type RecordId = Branded<'RecordId'>;
export type EmrAppointmentId = Branded<'EmrAppointmentId'>;

/** Wall clock of the clinic; `date` 'YYYY-MM-DD', `start` and `end` 'HH:mm', end exclusive, up to 24:00. */
export interface WallSpan {
  readonly date: string;
  readonly start: string;
  readonly end: string;
}

export interface BookRequest extends WallSpan {
  /** Identifies this write for ever; repeating it gives the first answer again. */
  readonly key: string;
  readonly providerId: ProviderId;
  readonly recordId: RecordId;
  readonly type: string;
  readonly reason: string;
}

export type BookAnswer =
  | { readonly kind: 'booked'; readonly id: EmrAppointmentId }
  | { readonly kind: 'alreadyBooked'; readonly id: EmrAppointmentId }
  | { readonly kind: 'taken' }
  | { readonly kind: 'notOffered' };

/** 'changed': staff changed the entry first, and it stands as they left it. */
export type CancelAnswer = { readonly kind: 'cancelled' | 'notFound' | 'changed' };

export interface CardOfPatient {
  readonly cardProvince: string;
  readonly cardNumber: string;
  /** 'YYYY-MM-DD', a plain date. */
  readonly birthDate: string;
}

/** Finds a record by the number that an account has for it, or by card and birth date. */
export type RecordQuery = { readonly id: RecordId } | CardOfPatient;

export interface PatientRecord {
  readonly id: RecordId;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
}

export type RecordSearch =
  | { readonly kind: 'one'; readonly record: PatientRecord }
  | { readonly kind: 'none' }
  | { readonly kind: 'many' };

/** A record to open for a patient whom the records do not know. */
export interface NewPatientRecord extends CardOfPatient {
  /** The number that the account has for the record; it is also the key of this write. */
  readonly id: RecordId;
  readonly firstName: string;
  readonly lastName: string;
  /** A family-doctor id of the configuration. */
  readonly providerId: string;
}

export interface EmrProvider {
  readonly id: ProviderId;
  readonly firstName: string;
  readonly lastName: string;
  /** '1' is active. */
  readonly status: string;
}

/** A character of the templates. The clinic, not the EMR, decides which types it serves. */
export interface EmrSlotCode {
  readonly code: string;
  readonly description: string;
  /** How long an appointment on it lasts; null leaves that to the type. */
  readonly minutes: number | null;
}

/** A day of one provider; `date` 'YYYY-MM-DD'. */
export interface ProviderDay {
  readonly providerId: ProviderId;
  readonly date: string;
}

/** `codes` has one character per 5-minute step, 288 a day; `_` is not working. */
export interface EmrDay extends ProviderDay {
  readonly codes: string;
}

/** A provider's day up to `through` that is not in `days` is a day without work. */
export interface EmrDays {
  readonly days: readonly EmrDay[];
  /** The last date that the EMR has answered; the day before the first asked date when it gave none. */
  readonly through: string;
}

/** An entry on a provider's time, whoever put it there; cancelled entries are not listed. */
export interface EmrEntry extends WallSpan {
  readonly id: EmrAppointmentId;
  readonly providerId: ProviderId;
  /** The key of an entry that we wrote, else null. */
  readonly key: string | null;
  readonly state: 'booked' | 'arrived' | 'noShow';
}

/** A note to a provider about a patient, which the EMR shows from a date on. */
export interface Tickler {
  readonly providerId: ProviderId;
  readonly recordId: RecordId;
  readonly text: string;
  readonly date: string;
}

/** A file for a patient's record, under a name that no other file has. */
export interface EmrDocument {
  readonly recordId: RecordId;
  readonly name: string;
  readonly mediaType: string;
  /** What it is, as staff read it. */
  readonly description: string;
  readonly bytes: Uint8Array;
}

/** 'noRecord': the EMR has no record of this patient yet, and nothing was written. */
export type AddAnswer = 'added' | 'noRecord';

export interface EmrChanges {
  readonly cursor: string;
  /** The days on which anything changed. */
  readonly days: readonly ProviderDay[];
  /** Entries that stand or stood on these days; they may have come from a day that is not listed. */
  readonly entries: readonly EmrAppointmentId[];
  /** The keys of the changed entries that we wrote: staff may have moved them to other days. */
  readonly keys: readonly string[];
}

/** Clinic dates, both included. */
export interface EmrDates {
  readonly from: string;
  readonly to: string;
}

/** What this process has asked of the EMR since it began. */
export interface EmrUsage {
  /** The number of requests by purpose; one call of the port may take several requests. */
  requests(): ReadonlyMap<string, number>;
  /** How many requests are sent in a minute before reads are refused, and how many are left. */
  budget(): { readonly perMinute: number; readonly left: number } | null;
  /** The number of bookings by the EMR's answer: 'taken' when staff were first. */
  bookings(): ReadonlyMap<BookAnswer['kind'], number>;
}

/** The usage of an EMR whose requests nobody counts. */
export const notCounted: EmrUsage = {
  requests: () => new Map(),
  budget: () => null,
  bookings: () => new Map(),
};

/** What the service needs of an EMR. Null stands for no EMR: then our tables are the book. */
export interface Emr {
  findPatient(by: RecordQuery): Promise<RecordSearch>;
  /**
   * Opens a record. Repeating the call is harmless, so that a lost answer is found out by repeating it.
   * An existing record stays as it was. 'unclear': the EMR has a record that may be of the same person,
   * and only the clinic's staff can tell.
   */
  createPatient(record: NewPatientRecord): Promise<'created' | 'alreadyThere' | 'unclear'>;
  /** The most responsible provider, a family-doctor id of the configuration, or none. */
  responsibleProvider(id: RecordId): Promise<string | null>;
  providers(): Promise<readonly EmrProvider[]>;
  slotCodes(): Promise<readonly EmrSlotCode[]>;
  /**
   * The days of as many of these dates as the EMR gives at once, from the first date on. Null when the
   * EMR keeps no schedule: then our templates are the schedule.
   */
  dayTemplates(dates: EmrDates): Promise<EmrDays | null>;
  /** The entries of these providers, or of all. */
  entries(dates: EmrDates, providers?: readonly ProviderId[]): Promise<readonly EmrEntry[]>;
  /** What changed since the cursor was given; nothing without a cursor. Deletions may be missed. */
  changedSince(cursor: string | null): Promise<EmrChanges>;
  book(request: BookRequest): Promise<BookAnswer>;
  /**
   * Cancels an entry, after reading it again: if it stands elsewhere by now, or staff have seen the
   * patient, noted them as missed or billed them, it is 'changed' and stays.
   */
  cancel(key: string, entry: EmrEntry): Promise<CancelAnswer>;
  /**
   * The entry under the key of a booking, as it stands now; 'cancelled' when it was booked and no longer
   * stands, whoever cancelled it; null when it was never booked.
   */
  findByKey(key: string): Promise<EmrEntry | 'cancelled' | null>;
  /**
   * As `findByKey`, for a booking whose outcome was unknown and that nobody was told of yet: if another
   * entry is on its time, the booking is cancelled first.
   */
  settle(key: string): Promise<EmrEntry | 'cancelled' | null>;
  /** A tickler cannot be found again: if its outcome is unknown, it is never repeated. */
  addTickler(key: string, tickler: Tickler): Promise<AddAnswer>;
  /** As `addTickler`, for a file. It goes into nobody's inbox: the person who accepted it has seen it. */
  storeDocument(key: string, document: EmrDocument): Promise<AddAnswer>;
  readonly usage: EmrUsage;
}

/** Nothing was written, or the question was not answered. */
export class EmrOffline extends Error {
  override readonly name = 'EmrOffline';
}

/** A write may have happened: look its key up, never repeat it blindly. */
export class EmrOutcomeUnknown extends Error {
  override readonly name = 'EmrOutcomeUnknown';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super('The outcome of a write to the clinic records is unknown', options);
    this.key = key;
  }
}

/** Credentials or permissions: nobody but an operator can mend it. */
export class EmrRefused extends Error {
  override readonly name = 'EmrRefused';
}

/** Whether the EMR did not answer, or not as it should: a failure of the EMR and not of ours. */
export const isOfEmr = (error: unknown): boolean =>
  error instanceof EmrOffline || error instanceof EmrOutcomeUnknown || error instanceof EmrRefused;

/** How long an answer of the EMR is waited for. */
export const PATIENCE_MS = 8_000;

/** The answer of the EMR; throws `late()` when it takes longer than `patienceMs`. */
export async function inTime<Answer>(
  asked: Promise<Answer>,
  late: () => Error,
  patienceMs = PATIENCE_MS,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(late()), patienceMs);
  });
  return Promise.race([asked, tooLong]).finally(() => clearTimeout(timer));
}

const unanswered = () => Promise.reject(new EmrOffline('Only the service speaks to the EMR'));

/** For a process beside the service, such as a command: every call fails as offline, to await the service. */
export const emrOfService: Emr = {
  findPatient: unanswered,
  createPatient: unanswered,
  responsibleProvider: unanswered,
  providers: unanswered,
  slotCodes: unanswered,
  dayTemplates: unanswered,
  entries: unanswered,
  changedSince: unanswered,
  book: unanswered,
  cancel: unanswered,
  findByKey: unanswered,
  settle: unanswered,
  addTickler: unanswered,
  storeDocument: unanswered,
  usage: notCounted,
};
