import type { DateSpan, PatientQuery } from '@clinic/domain';
import { EmrOffline } from '../../server/emr-errors.ts';

export {
  EmrBusy,
  EmrOffline,
  EmrOutcomeUnknown,
  EmrRefused,
  isOfEmr,
} from '../../server/emr-errors.ts';

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

/** One of our bookings, as it stands here. */
export interface BookingPlace extends WallSpan {
  readonly key: string;
  readonly providerId: ProviderId;
}

export interface BookRequest extends BookingPlace {
  /** Identifies this write for ever; repeating it gives the first answer again. */
  readonly key: string;
  readonly recordId: RecordId;
  readonly type: string;
  readonly reason: string;
}

export type BookAnswer =
  | { readonly kind: 'booked'; readonly id: EmrAppointmentId }
  | { readonly kind: 'alreadyBooked'; readonly id: EmrAppointmentId }
  | { readonly kind: 'taken' }
  | { readonly kind: 'notOffered' }
  /** The EMR has no record of this patient, and nothing was written. */
  | { readonly kind: 'noRecord' };

/**
 * How far a booking is. 'queued': behind other bookings from here; 'asking': its turn has come, and nothing is written
 * yet; 'writing': it is written at this moment, or has been.
 */
export type BookingStage = 'queued' | 'asking' | 'writing';
/** Fails once nobody waits for the booking any more. */
export type BookingReached = (stage: BookingStage) => Promise<void>;

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

/** A chart: a record as the EMR has it, under its own number. */
export interface Chart extends PatientRecord {
  /** Its number, and those of the charts that were merged into it, as far as the EMR was asked for them. */
  readonly numbers: readonly string[];
  /** The province is as the EMR has it; 'Other' for a card from outside Canada, '' where none is given. */
  readonly card: { readonly province: string; readonly number: string } | null;
  readonly sex: string;
  readonly phones: readonly string[];
  readonly email: string;
  readonly address: string;
  readonly state: 'active' | 'inactive' | 'deceased';
}

/** A chart that may be of somebody who signed up. */
export interface LikelyChart extends Chart {
  /** It has the number of their card. */
  readonly hasCard: boolean;
}

export interface FoundCharts {
  readonly charts: readonly Chart[];
  /** There are more, or may be. */
  readonly hasMore: boolean;
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

/** As the patient gave it, and '' where they gave nothing; phones as people write them. */
export interface Contact {
  /** Of the account's genders, or what an import brought. */
  readonly sex: string;
  readonly phone: string;
  readonly mobilePhone: string;
  readonly internationalPhone: string;
  readonly email: string;
  readonly address: string;
  readonly city: string;
  /** A code such as BC, or 'Other'. */
  readonly province: string;
  readonly postal: string;
}

/** A record for an EMR to open, with how to reach the patient. */
export interface NewChart extends NewPatientRecord {
  readonly contact: Contact;
}

export interface EmrProvider {
  readonly id: ProviderId;
  readonly firstName: string;
  readonly lastName: string;
  /** '1' is active. */
  readonly status: string;
}

/** Names that the EMR has, for the clinic to choose from. */
export interface EmrNames {
  /** What appointments of its own may be called. Any other name it may empty. */
  readonly types: readonly string[];
  /**
   * Its sites, with how many entries each provider has there: the EMR's day sheets leave out what is of no site.
   * None where it has no sites; null where that cannot be told.
   */
  readonly locations: readonly EmrLocation[] | null;
}

export interface EmrLocation {
  readonly providerId: ProviderId;
  readonly name: string;
  readonly entries: number;
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

/** An entry on a provider's time, from here or from staff; cancelled entries are not listed. */
export interface EmrEntry extends WallSpan {
  readonly id: EmrAppointmentId;
  readonly providerId: ProviderId;
  /** Of an entry that we wrote, the key of our appointment (`emrKey`), else null. */
  readonly key: string | null;
  /** 'unread': no entry, but a whole day of which the EMR can tell nothing. */
  readonly state: 'booked' | 'arrived' | 'noShow' | 'unread';
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

/** What lets us in. An EMR may refuse one and take the other. */
export type EmrKey = 'login' | 'token';

/** How the EMR takes a key. */
export interface KeyStanding {
  readonly key: EmrKey;
  /** 'silent': it did not answer, which says nothing of the key. */
  readonly state: 'taken' | 'refused' | 'silent';
  /** What it said in refusing; nothing secret. */
  readonly why: string | null;
  /** When the key ends by itself, where the EMR says so, and how long such a key lives. */
  readonly endsAt: number | null;
  readonly livesSeconds: number | null;
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
   * and only the clinic's staff can tell; those of `apartFrom` they say to be of somebody else. Of the contact
   * nothing is made up or cut: what the EMR has no room for is left out.
   */
  createPatient(
    record: NewChart,
    apartFrom?: readonly string[],
  ): Promise<'created' | 'alreadyThere' | 'unclear'>;
  /** The charts that may be of this person. */
  likelyCharts(record: NewPatientRecord): Promise<readonly LikelyChart[]>;
  /** The chart of a number of the EMR's, or the one into which it was merged; null when it has none. */
  chart(number: string): Promise<Chart | null>;
  /**
   * Has the entry of a key stand under the chart that the record of its patient has now, and changes nothing
   * else of it; harmless to repeat. 'absent': nothing stands under the key. 'changed': staff changed it at the
   * same moment.
   */
  followChart(key: string): Promise<'followed' | 'absent' | 'changed'>;
  /**
   * Who fits all of what staff typed, at most `most`, each once and whatever their state. A merged chart that
   * fits is the one that stands. Null where it is too little for the EMR to be asked.
   */
  searchCharts(query: PatientQuery, most: number): Promise<FoundCharts | null>;
  /** The most responsible provider, a family-doctor id of the configuration, or none. */
  responsibleProvider(id: RecordId): Promise<string | null>;
  providers(): Promise<readonly EmrProvider[]>;
  slotCodes(): Promise<readonly EmrSlotCode[]>;
  /** Null for an EMR that takes any name. */
  names(): Promise<EmrNames | null>;
  /**
   * The days of as many of these dates as the EMR gives at once, from the first date on. Null when the
   * EMR keeps no schedule: then our templates are the schedule.
   */
  dayTemplates(dates: DateSpan): Promise<EmrDays | null>;
  /**
   * The days of these providers on one date, as they are at this moment; days without work are left out.
   * Null as above.
   */
  dayNow(date: string, providers: readonly ProviderId[]): Promise<readonly EmrDay[] | null>;
  /** The entries of these providers, or of all. */
  entries(dates: DateSpan, providers?: readonly ProviderId[]): Promise<readonly EmrEntry[]>;
  /** What changed since the cursor was given; nothing without a cursor. Deletions may be missed. */
  changedSince(cursor: string | null): Promise<EmrChanges>;
  /**
   * Says by `reached` how far it is, and awaits it before it goes on; where that fails, it ends, and nothing
   * is written later either.
   */
  book(request: BookRequest, reached?: BookingReached): Promise<BookAnswer>;
  /**
   * Cancels an entry, after reading it again: if it stands elsewhere by now, or staff have seen the
   * patient, noted them as a no-show or billed them, it is 'changed' and stays.
   */
  cancel(key: string, entry: EmrEntry): Promise<CancelAnswer>;
  /**
   * The entry under the key of a booking, as it stands now; 'cancelled' when it was booked and no longer
   * stands, whoever cancelled it; null when no entry has the key: it was never booked, or staff deleted it
   * or took the key out.
   */
  findByKey(key: string): Promise<EmrEntry | 'cancelled' | null>;
  /**
   * The entry that stands at the provider and start of one of our bookings for the patient of that booking,
   * and has none of our keys: staff took the key out. Null where there is none.
   */
  findWithoutKey(booking: BookingPlace): Promise<EmrEntry | null>;
  /** Writes the key of a booking into such an entry; false where that cannot be, or staff changed it since. */
  writeKey(key: string, entry: EmrEntry): Promise<boolean>;
  /**
   * As `findByKey`, for a booking whose outcome is unknown and that was reported to nobody yet: if another
   * entry is on its time, the booking is cancelled first.
   */
  resolve(key: string): Promise<EmrEntry | 'cancelled' | null>;
  /** A tickler cannot be found again: if its outcome is unknown, it is never repeated. */
  addTickler(key: string, tickler: Tickler): Promise<AddAnswer>;
  /** As `addTickler`, for a file. It goes into nobody's inbox: the person who accepted it has seen it. */
  storeDocument(key: string, document: EmrDocument): Promise<AddAnswer>;
  /** Takes up what the clinic has connected it with since; true where that is something new. */
  takeUp(): Promise<boolean>;
  /** Tries each of these keys by one read that needs it, unless it was taken within so many seconds. */
  tryKeys(keys: readonly EmrKey[], withinSeconds: number): Promise<readonly KeyStanding[]>;
  readonly usage: EmrUsage;
}

/** After this long without an answer, a call of the EMR has failed. */
export const EMR_TIMEOUT_MS = 8_000;

const unanswered = () => Promise.reject(new EmrOffline('Only the service speaks to the EMR'));

/** For a process beside the service, such as a command: every call fails as offline, to await the service. */
export const emrOfService: Emr = {
  findPatient: unanswered,
  createPatient: unanswered,
  likelyCharts: unanswered,
  chart: unanswered,
  followChart: unanswered,
  searchCharts: unanswered,
  responsibleProvider: unanswered,
  providers: unanswered,
  slotCodes: unanswered,
  names: unanswered,
  dayTemplates: unanswered,
  dayNow: unanswered,
  entries: unanswered,
  changedSince: unanswered,
  book: unanswered,
  cancel: unanswered,
  findByKey: unanswered,
  findWithoutKey: unanswered,
  writeKey: unanswered,
  resolve: unanswered,
  addTickler: unanswered,
  storeDocument: unanswered,
  takeUp: async () => false,
  tryKeys: unanswered,
  usage: notCounted,
};
