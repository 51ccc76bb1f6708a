/**
 * Where the clinic's providers, schedules, bookings and charts live. Built in: PostgreSQL. An EMR
 * (OSCAR) can stand behind it: times are wall clock without a zone, ids are opaque, every write
 * carries an idempotency key, and a read that cannot be answered throws instead of being empty.
 * See docs/clinic-records.md.
 */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type ProviderId = Branded<'ProviderId'>;
export type ChartId = Branded<'ChartId'>;
export type RecordsBookingId = Branded<'RecordsBookingId'>;

/** Wall clock of the clinic; `date` 'YYYY-MM-DD', `start` and `end` 'HH:mm', end exclusive. */
export interface WallSpan {
  readonly date: string;
  readonly start: string;
  readonly end: string;
}

export interface RecordsProvider {
  readonly id: ProviderId;
  readonly firstName: string;
  readonly lastName: string;
  /** '1' is active. */
  readonly status: string;
}

/** `codes` has one character per 5-minute cell, 288 a day; `_` is not working. */
export interface ProviderDay {
  readonly providerId: ProviderId;
  readonly date: string;
  readonly codes: string;
}

export interface BusySpan extends WallSpan {
  readonly providerId: ProviderId;
}

export interface BookRequest extends WallSpan {
  /** Names this write for ever; repeating it answers what the first time answered. */
  readonly key: string;
  readonly providerId: ProviderId;
  readonly chartId: ChartId;
  readonly type: string;
  readonly reason: string;
}

export type BookAnswer =
  | { readonly kind: 'booked'; readonly id: RecordsBookingId }
  | { readonly kind: 'alreadyBooked'; readonly id: RecordsBookingId }
  | { readonly kind: 'taken' }
  | { readonly kind: 'notOffered' };

export type CancelAnswer = { readonly kind: 'cancelled' } | { readonly kind: 'notFound' };

export interface ChartQuery {
  readonly cardProvince: string;
  readonly cardNumber: string;
  /** 'YYYY-MM-DD', a plain date. */
  readonly birthDate: string;
}

export interface Chart {
  readonly id: ChartId;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string;
  /** The most responsible provider, a family-doctor id of the configuration, or none. */
  readonly providerId: string | null;
}

export type ChartSearch =
  | { readonly kind: 'one'; readonly chart: Chart }
  | { readonly kind: 'none' }
  | { readonly kind: 'many' };

/** A chart to open for a patient whom the records do not know. */
export interface NewChart extends ChartQuery {
  /** The number that the account has for it; it names this write too. */
  readonly id: ChartId;
  readonly firstName: string;
  readonly lastName: string;
  /** A family-doctor id of the configuration (§9). */
  readonly providerId: string;
}

export interface CreateChartAnswer {
  /** 'alreadyThere' leaves the chart as it was. */
  readonly kind: 'created' | 'alreadyThere';
  readonly chart: Chart;
}

/** Whether the chart's primary doctor practises here now. */
export interface MrpStatus {
  readonly providerId: string | null;
  readonly active: boolean;
}

export interface ClinicRecords {
  /**
   * True when our claims are the clinic's book: then a visit is booked by its claim alone, and
   * `book`, `move` and `cancel` are never asked.
   */
  readonly claimsAreTheBook: boolean;
  listProviders(): Promise<readonly RecordsProvider[]>;
  getProvider(id: ProviderId): Promise<RecordsProvider | null>;
  /** Template codes by provider and day, `from` and `to` inclusive clinic dates; all providers when `providers` is null. */
  schedule(
    providers: readonly ProviderId[] | null,
    from: string,
    to: string,
  ): Promise<readonly ProviderDay[]>;
  /** Bookings that the records know, ours included. */
  busy(
    providers: readonly ProviderId[] | null,
    from: string,
    to: string,
  ): Promise<readonly BusySpan[]>;
  book(request: BookRequest): Promise<BookAnswer>;
  /** Moves a booking in one step; any refusal leaves it as it was. */
  move(key: string, id: RecordsBookingId, to: BookRequest): Promise<BookAnswer>;
  cancel(key: string, id: RecordsBookingId): Promise<CancelAnswer>;
  /** What became of the write with this key; null when it never happened. */
  findByKey(key: string): Promise<BookAnswer | CancelAnswer | null>;
  getChart(id: ChartId): Promise<Chart | null>;
  findChart(query: ChartQuery): Promise<ChartSearch>;
  /** Opens a chart; repeating it is harmless, so a lost answer is asked for by repeating it. */
  createChart(chart: NewChart): Promise<CreateChartAnswer>;
  mrpStatus(id: ChartId): Promise<MrpStatus>;
  status(): Promise<'online' | 'offline'>;
  close(): Promise<void>;
}

/** Nothing was written, or the question was not answered. */
export class RecordsOffline extends Error {
  override readonly name = 'RecordsOffline';
}

/** A write may have happened: look its key up, never repeat it blindly. */
export class RecordsOutcomeUnknown extends Error {
  override readonly name = 'RecordsOutcomeUnknown';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super('The outcome of a write to the clinic records is unknown', options);
    this.key = key;
  }
}

/** Credentials or permissions: nobody but an operator can mend it. */
export class RecordsRefused extends Error {
  override readonly name = 'RecordsRefused';
}
