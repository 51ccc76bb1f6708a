import {
  MOST_DAYS_PER_CALL,
  STEP_SECONDS,
  dateBounds,
  datesOf,
  daysBetween,
  instantsOf,
  isClinicDate,
  scheduledSlots,
  servedMinutes,
  slotCodeName,
  starts,
  stepAt,
  stepStart,
  stretchesOf,
  toClinic,
} from '@clinic/domain';
import type { ClinicDate, DateSpan, DayRuler, EpochSeconds, Stretch } from '@clinic/domain';

import { type GzipPart, gzipPart, joinedGzip } from '../../server/gzip-parts.ts';
import { bookedOn, covers, keptBy, ownHold, takenOn } from './days.ts';
import type { DayFacts, OwnHold, ScheduleDays } from './days.ts';
import type { LengthFacts, ProviderDayRow } from './store.ts';

type RangeRefusal = {
  readonly field: 'from' | 'to';
  readonly code: 'dateNotValid' | 'rangeReversed' | 'rangeTooLong';
};

const INSTANT = /^\d{1,12}$/;
/** The last second of the year 9999: later instants have no four-digit year. */
const LAST_INSTANT = 253_402_300_799;

function dateOf(bound: string): ClinicDate | null {
  if (!INSTANT.test(bound)) return isClinicDate(bound) ? bound : null;
  const at: EpochSeconds = Number(bound);
  return at <= LAST_INSTANT - 86_400 ? toClinic(at).date : null;
}

/**
 * The days that a schedule call means: `from` and `to` are clinic dates or epoch seconds, `to`
 * inclusive, six days at most. A range wholly before today or after the booking window is refused as
 * 'dateNotValid'; of a range that overlaps the window, the overlap is returned.
 */
export function scheduleRange(
  from: string,
  to: string,
  now: EpochSeconds,
): DateSpan | RangeRefusal {
  const first = dateOf(from);
  if (first === null) return { field: 'from', code: 'dateNotValid' };
  const last = dateOf(to);
  if (last === null) return { field: 'to', code: 'dateNotValid' };
  if (first > last) return { field: 'from', code: 'rangeReversed' };
  if (daysBetween(first, last) >= MOST_DAYS_PER_CALL) return { field: 'to', code: 'rangeTooLong' };
  const { today, max } = dateBounds(now);
  if (last < today) return { field: 'to', code: 'dateNotValid' };
  if (first > max) return { field: 'from', code: 'dateNotValid' };
  return { from: first < today ? today : first, to: last > max ? max : last };
}

const MOST_TEXTS = 2048;
const slotTexts = new Map<string, string>();
const keptStretches = new Map<string, Stretch[]>();

/** Returns the value kept under a key, made if there is none; a map that is full is cleared first. */
function keptAt<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  let value = kept.get(key);
  if (value === undefined) {
    value = make();
    if (kept.size >= MOST_TEXTS) kept.clear();
    kept.set(key, value);
  }
  return value;
}

/** `name` is JSON already. */
const slotText = (name: string, start: EpochSeconds, end: EpochSeconds) =>
  `{"code":${name},"start":${start},"end":${end}}`;

/** The steps of a day as JSON; they depend on template, date and codes alone, so they are kept. */
function stepsText(row: ProviderDayRow, names: ReadonlyMap<string, string>): string {
  return keptAt(slotTexts, `${row.date}${row.codes}${[...names].join()}`, () =>
    scheduledSlots({ date: row.date, template: row.codes }, names)
      .map(({ code, start, end }) => slotText(code, start, end))
      .join(','),
  );
}

/** How long a provider's appointments of a type last, by slot code; null where the clinic has no such type. */
export function lengthsOf({ types, codes, paces }: LengthFacts, providerId: string, code: string) {
  const type = types.find((each) => each.code === code);
  const pace = paces.find((each) => each.providerId === providerId && each.type === code) ?? null;
  return type === undefined ? null : { type, pace, served: servedMinutes({ type, codes, pace }) };
}

/** The stretches of a provider's day in which a type's appointments may lie. */
export function stretchesOn(
  row: ProviderDayRow,
  ruler: DayRuler,
  lengths: LengthFacts,
  code: string,
): Stretch[] {
  const known = lengthsOf(lengths, row.providerId, code);
  if (known === null) return [];
  const { served } = known;
  const { startEvery } = known.type;
  const change = `${ruler.gapFrom} ${ruler.shiftedFrom}`;
  const key = `${change} ${startEvery} ${[...served].join(' ')} ${row.codes}`;
  return keptAt(keptStretches, key, () => stretchesOf(row.codes, served, startEvery, ruler));
}

/** What the schedule is asked for, besides days. */
interface Asked {
  /** Null for all providers. */
  readonly providerId: string | null;
  /** Null for 5-minute steps, as the specification lists them. */
  readonly type: string | null;
  readonly own: OwnHold;
}

/**
 * A day of the body of `GET /doctors/schedule`. Written as text, as nobody needs its thousands of slots
 * as objects, and joined once, as a text that grows piece by piece is copied when it is read. The
 * contract test reads it.
 */
export function dayText(day: DayFacts, { providerId, type, own }: Asked): string {
  const names = new Map(
    day.lengths.codes.map((code) => [code.code, JSON.stringify(slotCodeName(code))]),
  );
  const parts = [`{"date":"${day.date}","providers":[`];
  for (const row of day.rows) {
    if (providerId !== null && row.providerId !== providerId) continue;
    const doctor = JSON.stringify(row.providerId);
    parts.push(`${parts.length === 1 ? '' : ','}{"doctor":${doctor},"schedule":[`);
    if (type !== null) {
      parts.push(startsText(day, row, { type, own, names }), '],"booked":[]}');
      continue;
    }
    const opening = `{"doctor":${doctor},"start":`;
    const busy = day.hasUnreleased
      ? instantsOf(day.ruler, takenOn(day, row, own)).filter(
          (at) => !covers(own, row.providerId, at),
        )
      : bookedOn(day, row.providerId, own);
    parts.push(stepsText(row, names), '],"booked":[');
    if (busy.length > 0) parts.push(opening, busy.join(`},${opening}`), '}');
    parts.push(']}');
  }
  parts.push(']}');
  return parts.join('');
}

interface AskedOfType extends Pick<Asked, 'own'> {
  readonly type: string;
  readonly names: ReadonlyMap<string, string>;
}

/** The starts of a type for the caller as JSON, each with its end; their own hold is always included. */
function startsText(day: DayFacts, row: ProviderDayRow, { type, own, names }: AskedOfType): string {
  const { ruler, lengths } = day;
  const free = starts(stretchesOn(row, ruler, lengths, type), takenOn(day, row, own));
  const hold = own?.providerId === row.providerId && own.type === type ? own : null;
  const held = hold && stepAt(ruler, hold.start);
  const found =
    hold === null || held === null
      ? free
      : [
          ...free.filter(({ step }) => step !== held),
          { step: held, steps: (hold.end - hold.start) / STEP_SECONDS },
        ].sort((one, other) => one.step - other.step);
  const texts: string[] = [];
  for (const { step, steps } of found) {
    const start = stepStart(ruler, step);
    const name = names.get(row.codes[step] ?? '') ?? JSON.stringify(type);
    if (start !== null) texts.push(slotText(name, start, start + steps * STEP_SECONDS));
  }
  return texts.join(',');
}

const MOST_ANSWERS = 200;

/** A call of the schedule. */
export interface ScheduleCall extends Omit<Asked, 'own'> {
  readonly range: DateSpan;
}

/** An answer to send, whole or compressed. */
interface Ready {
  readonly json: () => Buffer;
  readonly gzipped: () => Promise<Buffer>;
}

/**
 * Caches answers by call. An answer is reused while the facts of its days are those that it was made
 * of; when some days have changed, the texts and compressed bytes of the other days are reused.
 */
export function scheduleCache() {
  const texts = keptBy<DayFacts, GzipPart>(MOST_ANSWERS * MOST_DAYS_PER_CALL);
  const answers = keptBy<readonly DayFacts[], Ready>(MOST_ANSWERS, (made, found) =>
    made.every((day, at) => day === found[at]),
  );

  function textOf(day: DayFacts, asked: Asked): GzipPart {
    if (asked.own !== null && day.holds.includes(asked.own)) return gzipPart(dayText(day, asked));
    const key = `${day.date}/${asked.type ?? ''}/${asked.providerId ?? ''}`;
    const make = () => gzipPart(dayText(day, { ...asked, own: null }));
    return texts.get(key, day) ?? texts.set(key, day, make());
  }

  return async (
    days: ScheduleDays,
    { range, ...asked }: ScheduleCall,
    viewer: string,
  ): Promise<Ready> => {
    const found = await days.on(datesOf(range));
    const own = ownHold(found, viewer);
    const make = () => ready(found.map((day) => textOf(day, { ...asked, own })));
    if (own !== null) return make();
    const key = `${range.from}/${range.to}/${asked.type ?? ''}/${asked.providerId ?? ''}`;
    return answers.get(key, found) ?? answers.set(key, found, make());
  };
}

function ready(days: readonly GzipPart[]): Ready {
  const listed = days.flatMap((day, at) => (at === 0 ? day : [',', day]));
  const parts = ['{"success":true,"extras":[', ...listed, ']}'];
  let gzipped: Promise<Buffer> | undefined;
  return {
    json: () =>
      Buffer.concat(
        parts.map((each) => (typeof each === 'string' ? Buffer.from(each) : each.bytes)),
      ),
    gzipped: () => (gzipped ??= joinedGzip(parts)),
  };
}
