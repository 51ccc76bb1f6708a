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
  /** Names this write for ever; repeating it answers what the first time answered. */
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

/** 'changed': staff were first, and it stands as they have it. */
export type CancelAnswer = { readonly kind: 'cancelled' | 'notFound' | 'changed' };

export interface CardOfPatient {
  readonly cardProvince: string;
  readonly cardNumber: string;
  /** 'YYYY-MM-DD', a plain date. */
  readonly birthDate: string;
}

/** By the number that an account has for it, or by card and birth date. */
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
  /** The number that the account has for it; it names this write too. */
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

/** A character of the templates. Which types it serves is the clinic's to say, not the EMR's. */
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

/** A provider's day up to `through` that is not among them is one without work. */
export interface EmrDays {
  readonly days: readonly EmrDay[];
  /** The last date that it has said; one before the first where it said none. */
  readonly through: string;
}

/** What stands on a provider's time, whoever put it there; what was cancelled does not stand. */
export interface EmrEntry extends WallSpan {
  readonly id: EmrAppointmentId;
  readonly providerId: ProviderId;
  /** Of one that we wrote, else null. */
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

/** 'noRecord': the EMR has none of this patient yet, and nothing was written. */
export type AddAnswer = 'added' | 'noRecord';

export interface EmrChanges {
  readonly cursor: string;
  /** On which anything changed. */
  readonly days: readonly ProviderDay[];
  /** What stands or stood there, which may have come from another day that is not among these. */
  readonly entries: readonly EmrAppointmentId[];
  /** The keys of those that we wrote: they may stand where no list of ours has them. */
  readonly keys: readonly string[];
}

/** Clinic dates, both included. */
export interface EmrDates {
  readonly from: string;
  readonly to: string;
}

/** What this process has asked of the EMR since it began. */
export interface EmrUsage {
  /** Requests, by what they asked for; not calls of the port, of which one may take several. */
  requests(): ReadonlyMap<string, number>;
  /** How many requests a minute are as many as reads are sent for, and how many are left of them. */
  budget(): { readonly perMinute: number; readonly left: number } | null;
  /** Bookings, by what it answered: 'taken' where staff were first. */
  bookings(): ReadonlyMap<BookAnswer['kind'], number>;
}

/** Of an EMR that nobody counts the requests to. */
export const notCounted: EmrUsage = {
  requests: () => new Map(),
  budget: () => null,
  bookings: () => new Map(),
};

/** What the service needs of an EMR. It is null where none is connected: our tables are the book. */
export interface Emr {
  findPatient(by: RecordQuery): Promise<RecordSearch>;
  /**
   * Opens a record; repeating it is harmless, so a lost answer is asked for by repeating it. One
   * that is there stays as it was. 'unclear': it has somebody who may be the same person, and only
   * the clinic's staff can tell.
   */
  createPatient(record: NewPatientRecord): Promise<'created' | 'alreadyThere' | 'unclear'>;
  /** The most responsible provider, a family-doctor id of the configuration, or none. */
  responsibleProvider(id: RecordId): Promise<string | null>;
  providers(): Promise<readonly EmrProvider[]>;
  slotCodes(): Promise<readonly EmrSlotCode[]>;
  /**
   * As many of these dates as it can say at once, from the first one on. Null where the EMR keeps no
   * schedule: then our templates are the schedule.
   */
  dayTemplates(dates: EmrDates): Promise<EmrDays | null>;
  /** Of these providers, or of all. */
  entries(dates: EmrDates, providers?: readonly ProviderId[]): Promise<readonly EmrEntry[]>;
  /** What changed; nothing without a cursor. It may miss what was deleted. */
  changedSince(cursor: string | null): Promise<EmrChanges>;
  book(request: BookRequest): Promise<BookAnswer>;
  /**
   * Cancels what was read. It is read again first: what stands elsewhere by now, and whom staff have
   * seen, noted as missed or billed, is 'changed' and stays.
   */
  cancel(key: string, entry: EmrEntry): Promise<CancelAnswer>;
  /**
   * What stands under the key of a booking, as it stands now; 'cancelled' when it was booked and
   * nothing stands any more, whoever cancelled it; null when it was never booked.
   */
  findByKey(key: string): Promise<EmrEntry | 'cancelled' | null>;
  /**
   * The same of a booking whose outcome was unknown, which nobody was told of yet: where somebody
   * else stands on its time it is taken back first.
   */
  settle(key: string): Promise<EmrEntry | 'cancelled' | null>;
  /** Nothing finds it again: one whose outcome is unknown is never repeated. */
  addTickler(key: string, tickler: Tickler): Promise<AddAnswer>;
  /** The same of a file. It is in nobody's inbox: who accepted it has seen it. */
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

/** So long it is waited for the EMR. */
export const PATIENCE_MS = 8_000;

/** What was asked of the EMR, for as long as anybody waits for it. */
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

/** For a process beside the service, such as a command's: what needs the EMR waits for the service. */
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
