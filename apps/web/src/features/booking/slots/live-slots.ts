import { toClinic } from '@clinic/domain';
import type { SlotChange } from '@clinic/contract';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { listenLive } from '../../../api/live.ts';
import { chipKey, isSpecifiedLength, type Grid } from './slot-columns.ts';
import { forgetDay, forgetDays, holdQuery } from '../booking-data.ts';

/** State of a chip that somebody else took: first struck through, after a moment an empty place. */
type TakenState = 'struck' | 'gone';
export type TakenChips = ReadonlyMap<string, TakenState>;

type TimeOf = Pick<SlotChange, 'doctor' | 'start' | 'end'>;

interface Taken extends TimeOf {
  readonly state: TakenState;
  /** When the page heard of it, in milliseconds. */
  readonly at: number;
}

const NONE: ReadonlyMap<string, Taken> = new Map();
const NO_CHIPS: TakenChips = new Map();
/** How long a chip that was just taken stays struck through. */
const STRUCK_MS = 2_000;
/** A search answer may be older than news that arrived up to this long before it. */
const ON_ITS_WAY_MS = 3_000;

/**
 * Which chips of the open grid were taken since the search, in whole or in part. Their places stay,
 * so that nothing moves under the finger; the next search closes the gaps. A time that is freed
 * again reappears in its place. The patient's own hold, from another tab, does not count.
 */
export function useTakenChips(grid: Grid | null, searchedAt: number): TakenChips {
  const queryClient = useQueryClient();
  const [heard, setHeard] = useState(NONE);
  const { data: own = null } = useQuery(holdQuery);

  const onFreed = useEffectEvent((change: SlotChange) => {
    if (grid !== null && opensMore(grid, change) && !isPointedAt()) void searchAnew(queryClient);
  });

  // Listens to the live connection while the grid is shown.
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const goLater = (change: SlotChange) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        // A chip that has the keyboard focus stays, so that the focus is not lost.
        if (isFocused(change)) goLater(change);
        else setHeard((before) => withGone(before, chipKey(change)));
      }, STRUCK_MS);
      timers.add(timer);
    };
    const searchAll = () => void forgetDays(queryClient).then(() => searchAnew(queryClient));
    const stop = listenLive({
      onSlots(changes) {
        for (const { start } of changes) void forgetDay(queryClient, toClinic(start).date);
        setHeard((before) => withChanges(before, changes, Date.now()));
        for (const each of changes)
          if (each.state === 'taken') goLater(each);
          else onFreed(each);
      },
      onUnheard: searchAll,
      onReturn: searchAll,
    });
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [queryClient]);

  return useMemo(() => {
    if (grid === null || heard.size === 0) return NO_CHIPS;
    const since = [...heard.values()].filter(
      (each) => each.at >= searchedAt - ON_ITS_WAY_MS && !(own && overlap(own, each)),
    );
    return new Map(
      chipsOf(grid).flatMap((chip): [string, TakenState][] => {
        const states = since.flatMap((each) => (overlap(chip, each) ? [each.state] : []));
        if (states.length === 0) return [];
        return [[chip.key, states.includes('gone') ? 'gone' : 'struck']];
      }),
    );
  }, [heard, grid, searchedAt, own]);
}

/** How many free times are left in the grid. */
export function countLeft({ count }: Grid, taken: TakenChips): number {
  return count - [...taken.values()].filter((state) => state === 'gone').length;
}

const chipsOf = ({ columns }: Grid) =>
  columns.flatMap(({ parts }) => parts.flatMap((part) => part.chips));

const overlap = (one: TimeOf, other: TimeOf) =>
  one.doctor === other.doctor && one.start < other.end && other.start < one.end;

const searchAnew = (queryClient: QueryClient) =>
  queryClient.refetchQueries({ queryKey: ['slot-search'], type: 'active' });

/**
 * True when a freed time may allow starts that the grid does not show, because it was taken before
 * the search. Where all times last 5 minutes, such starts wait for the next search.
 */
function opensMore(grid: Grid, change: TimeOf): boolean {
  if (grid.columns.every(isSpecifiedLength)) return false;
  return !chipsOf(grid).some((chip) => overlap(chip, change));
}

/** True while the pointer or focus is on a chip: then none may move. */
const isPointedAt = () => document.querySelector('[data-slot]:is(:hover, :focus)') !== null;

function withChanges(
  before: ReadonlyMap<string, Taken>,
  changes: readonly SlotChange[],
  at: number,
): ReadonlyMap<string, Taken> {
  const after = new Map(before);
  for (const each of changes) {
    const key = chipKey(each);
    if (each.state === 'freed') after.delete(key);
    else after.set(key, { ...each, state: after.get(key)?.state ?? 'struck', at });
  }
  return after;
}

function withGone(before: ReadonlyMap<string, Taken>, key: string): ReadonlyMap<string, Taken> {
  const known = before.get(key);
  return known ? new Map(before).set(key, { ...known, state: 'gone' }) : before;
}

/** True when the focus is on a chip that overlaps the change. */
function isFocused(change: SlotChange): boolean {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement)) return false;
  const { slot = '', end } = activeElement.dataset;
  const [doctor = '', start] = slot.split('@');
  return overlap({ doctor, start: Number(start), end: Number(end) }, change);
}
