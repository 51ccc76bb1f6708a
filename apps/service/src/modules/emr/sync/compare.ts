import { isHold, isReleased, isBooked } from '@clinic/domain';
import type { DateSpan, EpochSeconds } from '@clinic/domain';

import type { BusySpan, ComparedWithEmr } from '../../appointments/index.ts';
import type { EmrEntry, ProviderDay, ProviderId } from '../../records/emr.ts';
import {
  type StaffChange,
  appointmentIdOf,
  busyExceptOurs,
  busySpansOf,
  placeInEmr,
  staffChangeOf,
} from '../entry.ts';
import type { MissingAppointment } from './missing.store.ts';
import { type SyncState, dayName, namedDay } from './sync-state.ts';

/** Days that are read from the EMR with one call. */
export interface DaysToRead {
  readonly dates: DateSpan;
  /** Null for all of them. */
  readonly providers: readonly ProviderId[] | null;
}

/** What a sync knows before it reads a day. */
export interface SyncFacts {
  readonly last: Pick<SyncState, StateList>;
  /** When the EMR was connected: what was booked before never was in it. */
  readonly connectedAt: EpochSeconds;
  /** Appointments that the EMR was found to lack before, the longest first. */
  readonly missing: readonly MissingAppointment[];
  /** Whether this sync reads the whole window. */
  readonly isFullSync: boolean;
  readonly now: EpochSeconds;
}

/** What the EMR and we have on some days at one moment. */
export interface Snapshot extends DaysToRead, SyncFacts {
  readonly entries: readonly EmrEntry[];
  /** Our appointments on these days and those that the entries name, read after the entries. */
  readonly appointments: readonly ComparedWithEmr[];
}

/**
 * The EMR's entry under the key of an appointment, null where no entry has the key; 'unclear' where the EMR did
 * not answer.
 */
export type EntryByKey = EmrEntry | 'cancelled' | 'unclear' | null;
/** By the id of the appointment. */
export type EntriesByKey = ReadonlyMap<string, EntryByKey>;

/** What the EMR answered about an appointment of which it has no entry on its day. */
export interface Lookup {
  /** 'unasked' where the sync had no calls left. */
  readonly byKey: EntryByKey | 'unasked';
  /** The entry at its place without a key; undefined where that was not asked. */
  readonly withoutKey?: EmrEntry | 'unclear' | null;
}

interface OnAppointment {
  readonly own: ComparedWithEmr;
  /** Read again by the next sync when the action fails. */
  readonly day: ProviderDay;
}

/** What is to be done with one of our appointments; the only actions that may fail. */
export type AppointmentAction =
  /** Does here what staff did in the EMR. */
  | (OnAppointment & { readonly kind: 'applyStaffChange'; readonly change: StaffChange })
  /** Has the EMR cancel it. */
  | (OnAppointment & { readonly kind: 'cancelInEmr' })
  /** Asks the EMR by its key for an appointment without an entry on its day. */
  | (OnAppointment & { readonly kind: 'lookUp' })
  /** Notes that the EMR has it again. */
  | (OnAppointment & { readonly kind: 'clearMissing' })
  /** Notes that the EMR has no entry of it. */
  | (OnAppointment & { readonly kind: 'noteMissing' })
  /** Gives the entry of it that lost its key the key back. */
  | (OnAppointment & { readonly kind: 'writeKey'; readonly entry: EmrEntry });

export type Action =
  | AppointmentAction
  /** Changes a list of the state that the next sync finds. */
  | { readonly kind: 'addTo'; readonly list: StateList; readonly id: string }
  | { readonly kind: 'removeFrom'; readonly list: StateList; readonly id: string }
  | { readonly kind: 'rereadDay'; readonly day: ProviderDay };
export type StateList = 'cancelled' | 'lacking' | 'kept' | 'unread';

/**
 * The appointments whose keys the EMR must be asked for. When staff copy an appointment, the copy shows its key
 * too, and only the EMR can say which of the two entries has it. And what ended here a moment ago may have ended
 * there since the day was read.
 */
export const appointmentsToAskFor = (snapshot: Snapshot): ReadonlySet<ComparedWithEmr> =>
  new Set(
    pairsOf(snapshot).flatMap(({ entry, own, change }) =>
      own && (change?.kind === 'moved' || (hasEnded(own) && entry.state === 'booked')) ? own : [],
    ),
  );

/**
 * The time that others take in the EMR on these days. An appointment that ended here, or whose patient did not
 * come, counts as long as the EMR has it: the EMR would refuse a booking over it.
 */
export const busyTime = (snapshot: Snapshot, byKeys: EntriesByKey): readonly BusySpan[] =>
  pairsOf(snapshot)
    .filter(({ entry, own, change }) => {
      if (!own) return true;
      const byKey = byKeys.get(own.id);
      if (hasEnded(own)) return entry.state !== 'booked' || !hasNoEntry(byKey);
      return change?.kind === 'noShow' || (change?.kind === 'moved' && isCopy(entry, byKey));
    })
    .flatMap(({ entry }) =>
      entry.state === 'unread' ? busyExceptOurs(entry, snapshot.appointments) : busySpansOf(entry),
    );

/** What follows from a snapshot, once the EMR was asked for `appointmentsToAskFor`. */
export function actions(snapshot: Snapshot, byKeys: EntriesByKey): readonly Action[] {
  const { last, missing, appointments, dates, providers, now } = snapshot;
  const unreadBefore = last.unread.filter((name) => {
    const { providerId, date } = namedDay(name);
    const isOfProviders = providers === null || providers.includes(providerId);
    return isOfProviders && date >= dates.from && date <= dates.to;
  });
  const pairs = pairsOf(snapshot);
  const found = new Set(pairs.flatMap(({ own }) => own ?? []));
  return [
    ...unreadBefore.map((id) => ({ kind: 'removeFrom', list: 'unread', id }) as const),
    ...pairs.flatMap((pair) => actionsOnEntry(pair, snapshot, byKeys)),
    ...[...found]
      .filter(({ id }) => last.lacking.includes(id) || missing.some((each) => each.id === id))
      .map((own) => ({ kind: 'clearMissing', own, day: dayOf(own) }) as const),
    ...appointments
      .filter((own) => !found.has(own) && own.start > now)
      .flatMap((own) => actionsWithoutEntry(own, snapshot)),
  ];
}

function actionsOnEntry(
  { entry, own, change }: Pair,
  { last, now }: SyncFacts,
  byKeys: EntriesByKey,
): readonly Action[] {
  if (entry.state === 'unread') return [{ kind: 'addTo', list: 'unread', id: dayName(entry) }];
  if (!own) return [];
  if (isHold(own)) return [{ kind: 'rereadDay', day: entry }];
  const byKey = byKeys.get(own.id);
  if (hasEnded(own)) {
    const addToKept = { kind: 'addTo', list: 'kept', id: own.id } as const;
    if (entry.state !== 'booked' || hasNoEntry(byKey)) return [];
    // A sync of the whole window begins with an empty list: what was on it stays while the EMR does not answer.
    if (byKey === 'unclear') return last.kept.includes(own.id) ? [addToKept] : [];
    // The entry was written after its patient had given the hold up, so nobody was told that it is booked, and the
    // EMR has never cancelled it. Any other entry was put back or copied by staff: it stays, and the clinic is told.
    if (isReleased(own) && !own.endedInEmr) return [{ kind: 'cancelInEmr', own, day: entry }];
    return own.awaitsCancelInEmr || own.start <= now ? [] : [addToKept];
  }
  if (change === null) return [];
  if (change.kind === 'moved') {
    if (byKey === 'unclear') return [{ kind: 'rereadDay', day: entry }];
    if (isCopy(entry, byKey)) return [];
  }
  return [{ kind: 'applyStaffChange', own, change, day: entry }];
}

function actionsWithoutEntry(own: ComparedWithEmr, facts: SyncFacts): readonly Action[] {
  const day = dayOf(own);
  // Nobody has been told yet that it is booked: the next sync sees what became of it.
  if (isHold(own)) return [{ kind: 'rereadDay', day }];
  const { last, isFullSync, missing } = facts;
  const known = missing.find(({ id }) => id === own.id);
  // `lookUpMissing` looks up what waits for a decision; what staff decided to keep is left to the whole window,
  // as is what was booked before the EMR was connected.
  const isUndecided = known?.decidedAt === null;
  const isOfWholeWindow =
    known !== undefined || (isBookedBeforeEmr(own, facts) && !last.cancelled.includes(own.id));
  return isUndecided || (isOfWholeWindow && !isFullSync) ? [] : [{ kind: 'lookUp', own, day }];
}

/** Whether an appointment without an entry may be one whose entry staff deleted. */
export const mayBeDeleted = (own: ComparedWithEmr, facts: SyncFacts): boolean =>
  isBooked(own) && !own.awaitsCancelInEmr && !isBookedBeforeEmr(own, facts);

/**
 * What follows from a lookup. What the EMR has as cancelled is cancelled here at the second sync that sees it:
 * when its patient cancels, the EMR has that a moment before we do.
 */
export function actionsAfterLookup(
  own: ComparedWithEmr,
  { byKey, withoutKey }: Lookup,
  facts: SyncFacts,
): readonly Action[] {
  const { id } = own;
  const { last, missing } = facts;
  const day = dayOf(own);
  const wasMissing = missing.some((each) => each.id === id);
  if (byKey === 'unasked')
    return mayBeDeleted(own, facts) ? [{ kind: 'noteMissing', own, day }] : [];
  // The next sync looks up in any case what was missing before.
  const tryAgain = wasMissing ? [] : [{ kind: 'rereadDay', day } as const];
  if (byKey === 'unclear') return tryAgain;
  if (byKey === null) {
    const addToLacking = { kind: 'addTo', list: 'lacking', id } as const;
    if (withoutKey === undefined) return [addToLacking];
    if (withoutKey === 'unclear') return [addToLacking, ...tryAgain];
    if (withoutKey === null) return [addToLacking, { kind: 'noteMissing', own, day }];
    return [addToLacking, { kind: 'writeKey', own, entry: withoutKey, day }];
  }
  const notLacking = { kind: 'removeFrom', list: 'lacking', id } as const;
  if (byKey === 'cancelled')
    return last.cancelled.includes(id)
      ? [notLacking, { kind: 'applyStaffChange', own, change: { kind: 'cancelled' }, day }]
      : [notLacking, { kind: 'addTo', list: 'cancelled', id }, { kind: 'rereadDay', day }];
  // It stands on a day that this sync read before staff put it there.
  const change = staffChangeOf(own, byKey);
  return [
    wasMissing ? { kind: 'clearMissing', own, day } : notLacking,
    ...(change === null ? [] : [{ kind: 'applyStaffChange', own, change, day } as const]),
  ];
}

interface Pair {
  readonly entry: EmrEntry;
  /** The appointment that the entry's key names. */
  readonly own: ComparedWithEmr | undefined;
  readonly change: StaffChange | null;
}

function pairsOf({ entries, appointments }: Snapshot): readonly Pair[] {
  const byId = new Map(appointments.map((each) => [each.id, each]));
  return entries.map((entry) => {
    const own = byId.get(appointmentIdOf(entry.key) ?? '');
    return { entry, own, change: own ? staffChangeOf(own, entry) : null };
  });
}

const dayOf = (own: ComparedWithEmr): ProviderDay => placeInEmr(own);

/** Whether it is no longer booked here, nor about to be. */
const hasEnded = (own: ComparedWithEmr) => !isHold(own) && !isBooked(own);

const isBookedBeforeEmr = ({ createdAt }: ComparedWithEmr, { connectedAt }: SyncFacts) =>
  createdAt < connectedAt;

/** Whether the EMR has said that no standing entry has the key. */
const hasNoEntry = (byKey: EntryByKey | undefined) => byKey === null || byKey === 'cancelled';

/** Whether another entry is the one that has the key. */
const isCopy = (entry: EmrEntry, byKey: EntryByKey | undefined) =>
  typeof byKey === 'object' && byKey !== null && byKey.id !== entry.id;
