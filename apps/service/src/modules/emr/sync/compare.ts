import { isHold, isReleased, isBooked } from '@clinic/domain';
import type { DateSpan, EpochSeconds } from '@clinic/domain';

import type { BusySpan, ComparedWithEmr } from '../../appointments/index.ts';
import type { EmrEntry, ProviderDay, ProviderId } from '../../records/emr.ts';
import {
  type StaffChange,
  appointmentNamedBy,
  aroundOurs,
  busySpanOf,
  changeIn,
  placeInEmr,
} from '../entry.ts';
import type { Gone } from './gone.store.ts';
import type { Turn } from './sync-turn.ts';

/** Days that are read from the EMR with one question. */
export interface DaysToRead {
  readonly dates: DateSpan;
  /** Null for all of them. */
  readonly providers: readonly ProviderId[] | null;
}

/** What a turn knows before it reads a day. */
export interface Memory {
  readonly last: Pick<Turn, 'cancelled' | 'kept' | 'lacking' | 'unread'>;
  /** When the EMR first answered: what was booked before never was in it. */
  readonly since: EpochSeconds;
  /** What the EMR was found to lack before, the longest first. */
  readonly missed: readonly Gone[];
  /** Whether the whole window is read. */
  readonly isWhole: boolean;
  readonly now: EpochSeconds;
}

/** One reading of some days. */
export interface Reading extends DaysToRead, Memory {
  readonly entries: readonly EmrEntry[];
  /** Our appointments on these days and those that the entries name, read after the entries. */
  readonly appointments: readonly ComparedWithEmr[];
}

/** The entry under the key of an appointment; 'unclear' where the EMR did not answer. */
export type ByKey = EmrEntry | 'cancelled' | 'unclear' | null;
/** By the id of the appointment. */
export type Answers = ReadonlyMap<string, ByKey>;

/** What the EMR answered of an appointment that it does not have on its day. */
export interface Look {
  /** 'unasked' where the turn had no calls left. */
  readonly byKey: ByKey | 'unasked';
  /** The entry at its place without a key; undefined where that was not asked. */
  readonly unkeyed?: EmrEntry | 'unclear' | null;
}

interface OnDay {
  readonly own: ComparedWithEmr;
  /** Read again by the next turn when the action fails. */
  readonly day: ProviderDay;
}

export type Action =
  /** What the next turn is to know. */
  | { readonly kind: 'note' | 'clear'; readonly as: NotedAs; readonly id: string }
  | { readonly kind: 'readAgain'; readonly day: ProviderDay }
  /** Does here what staff did there. */
  | (OnDay & { readonly kind: 'follow'; readonly change: StaffChange })
  /** Cancels it in the EMR. */
  | (OnDay & { readonly kind: 'cancel' })
  /** The EMR has it. */
  | (OnDay & { readonly kind: 'found' })
  /** It is not on its day: finds out by its key what became of it. */
  | (OnDay & { readonly kind: 'lookUp' })
  | (OnDay & { readonly kind: 'writeKey'; readonly entry: EmrEntry })
  | (OnDay & { readonly kind: 'miss' });
export type NotedAs = 'cancelled' | 'lacking' | 'kept' | 'unread';

/**
 * The appointments whose keys the EMR must be asked for. A copy that staff made of an appointment carries its
 * key too, so the EMR says which of the two has the key. And what has just ended here may have ended there
 * since it was read.
 */
export const questions = (reading: Reading): ReadonlySet<ComparedWithEmr> =>
  new Set(
    pairsOf(reading).flatMap(({ entry, own, change }) =>
      own && (change?.kind === 'moved' || (hasEnded(own) && entry.state === 'booked')) ? own : [],
    ),
  );

/**
 * The time that the EMR takes on these days. An appointment that ended here, or whose patient did not come,
 * takes its time as long as the EMR has it, which would book nothing over it.
 */
export const takenTime = (reading: Reading, answers: Answers): readonly BusySpan[] =>
  pairsOf(reading)
    .filter(({ entry, own, change }) => {
      if (!own) return true;
      const byKey = answers.get(own.id);
      if (hasEnded(own)) return entry.state !== 'booked' || !isGone(byKey);
      return change?.kind === 'noShow' || (change?.kind === 'moved' && isCopy(entry, byKey));
    })
    .flatMap(({ entry }) =>
      entry.state === 'unread' ? aroundOurs(entry, reading.appointments) : busySpanOf(entry),
    );

/** What follows from a reading, once the questions are answered. */
export function actions(reading: Reading, answers: Answers): readonly Action[] {
  const { last, missed, appointments, dates, providers, now } = reading;
  const before = last.unread.filter((day) => {
    const [provider, date = ''] = day.split(' ');
    const isOf = providers === null || providers.some((each) => each === provider);
    return isOf && date >= dates.from && date <= dates.to;
  });
  const pairs = pairsOf(reading);
  const found = new Set(pairs.flatMap(({ own }) => own ?? []));
  return [
    ...before.map((id) => ({ kind: 'clear', as: 'unread', id }) as const),
    ...pairs.flatMap((pair) => actionsOn(pair, reading, answers)),
    ...[...found]
      .filter(({ id }) => last.lacking.includes(id) || missed.some((each) => each.id === id))
      .map((own) => ({ kind: 'found', own, day: placeInEmr(own) }) as const),
    ...appointments
      .filter((own) => !found.has(own) && own.start > now)
      .flatMap((own) => actionsOnAbsent(own, reading)),
  ];
}

function actionsOn(
  { entry, own, change }: Pair,
  { last, now }: Memory,
  answers: Answers,
): readonly Action[] {
  if (entry.state === 'unread')
    return [{ kind: 'note', as: 'unread', id: `${entry.providerId} ${entry.date}` }];
  if (!own) return [];
  if (isHold(own)) return [{ kind: 'readAgain', day: entry }];
  const byKey = answers.get(own.id);
  if (hasEnded(own)) {
    const keep = { kind: 'note', as: 'kept', id: own.id } as const;
    if (entry.state !== 'booked' || isGone(byKey)) return [];
    // What the trail names stays named; the whole window asks again.
    if (byKey === 'unclear') return last.kept.includes(own.id) ? [keep] : [];
    // Nobody was ever told that it is booked, and the EMR has not ended it yet: it was written after it was
    // given up. Any other was put back or copied by staff: it stays theirs, and the clinic is told.
    if (isReleased(own) && !own.endedInEmr) return [{ kind: 'cancel', own, day: entry }];
    return own.isLeaving || own.start <= now ? [] : [keep];
  }
  if (change === null) return [];
  if (change.kind === 'moved') {
    if (byKey === 'unclear') return [{ kind: 'readAgain', day: entry }];
    if (isCopy(entry, byKey)) return [];
  }
  return [{ kind: 'follow', own, change, day: entry }];
}

function actionsOnAbsent(own: ComparedWithEmr, memory: Memory): readonly Action[] {
  const day = placeInEmr(own);
  // Nobody has been told yet that it is booked: the next turn looks at it again.
  if (isHold(own)) return [{ kind: 'readAgain', day }];
  // What was missed before has a look of its own; what never was in the EMR is looked up with the window.
  const { last, isWhole, missed } = memory;
  const before = missed.find(({ id }) => id === own.id);
  const isLeft = before
    ? before.keptAt === null || !isWhole
    : !isWhole && isOlder(own, memory) && !last.cancelled.includes(own.id);
  return isLeft ? [] : [{ kind: 'lookUp', own, day }];
}

/** Whether staff may have deleted an appointment of which the EMR has no entry. */
export const mayBeGone = (own: ComparedWithEmr, memory: Memory): boolean =>
  isBooked(own) && !own.isLeaving && !isOlder(own, memory);

/**
 * What follows from a look. What the EMR has as cancelled is cancelled once two turns have seen it: when its
 * patient cancels, the EMR has that a moment before we do.
 */
export function actionsOnLook(
  own: ComparedWithEmr,
  { byKey, unkeyed }: Look,
  memory: Memory,
): readonly Action[] {
  const { id } = own;
  const { last, missed } = memory;
  const day = placeInEmr(own);
  const wasMissed = missed.some((each) => each.id === id);
  if (byKey === 'unasked') return mayBeGone(own, memory) ? [{ kind: 'miss', own, day }] : [];
  // What was missed is looked up by the next turn in any case.
  const again = wasMissed ? [] : [{ kind: 'readAgain', day } as const];
  if (byKey === 'unclear') return again;
  if (byKey === null) {
    const lacks = { kind: 'note', as: 'lacking', id } as const;
    if (unkeyed === undefined) return [lacks];
    if (unkeyed === 'unclear') return [lacks, ...again];
    if (unkeyed === null) return [lacks, { kind: 'miss', own, day }];
    return [lacks, { kind: 'writeKey', own, entry: unkeyed, day }];
  }
  const has = { kind: 'clear', as: 'lacking', id } as const;
  if (byKey === 'cancelled')
    return last.cancelled.includes(id)
      ? [has, { kind: 'follow', own, change: { kind: 'cancelled' }, day }]
      : [has, { kind: 'note', as: 'cancelled', id }, { kind: 'readAgain', day }];
  // Staff copied it and then cancelled the first: the copy's day had been read before.
  const change = changeIn(own, byKey);
  return [
    wasMissed ? { kind: 'found', own, day } : has,
    ...(change === null ? [] : [{ kind: 'follow', own, change, day } as const]),
  ];
}

interface Pair {
  readonly entry: EmrEntry;
  /** The appointment that the entry's key names. */
  readonly own: ComparedWithEmr | undefined;
  readonly change: StaffChange | null;
}

function pairsOf({ entries, appointments }: Reading): readonly Pair[] {
  const byId = new Map(appointments.map((each) => [each.id, each]));
  return entries.map((entry) => {
    const own = byId.get(appointmentNamedBy(entry.key) ?? '');
    return { entry, own, change: own ? changeIn(own, entry) : null };
  });
}

const hasEnded = (own: ComparedWithEmr) => !isHold(own) && !isBooked(own);

/** Whether it was booked before the clinic had this EMR. */
const isOlder = ({ createdAt }: ComparedWithEmr, { since }: Memory) => createdAt < since;

const isGone = (byKey: ByKey | undefined) => byKey === null || byKey === 'cancelled';

/** Whether an entry is not the one that has the key. */
const isCopy = (entry: EmrEntry, byKey: ByKey | undefined) =>
  typeof byKey === 'object' && byKey !== null && byKey.id !== entry.id;
