import { toClinic } from '@clinic/domain';
import type { SlotChange } from '@clinic/contract';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { listenLive } from '../../../api/live.ts';
import { chipKey, isSpecifiedLength, type Grid } from './slot-columns.ts';
import { forgetDay, forgetDays, holdQuery } from '../booking-data.ts';

/**
 * What became of a chip that somebody else took: struck through for a moment, then an empty place.
 */
type TakenState = 'struck' | 'gone';
export type TakenChips = ReadonlyMap<string, TakenState>;

type TimeOf = Pick<SlotChange, 'doctor' | 'start' | 'end'>;

interface Taken extends TimeOf {
  readonly state: TakenState;
  /** When it was heard, in milliseconds. */
  readonly at: number;
}

const NONE: ReadonlyMap<string, Taken> = new Map();
const NO_CHIPS: TakenChips = new Map();
/** How long a time that was just taken stands struck through. */
const STRUCK_MS = 2_000;
/** An answer that was on its way may be older than what was heard meanwhile. */
const ON_ITS_WAY_MS = 3_000;

/**
 * Which times of the open grid were taken since its search, in whole or in part. Their places stay:
 * nothing moves under the finger, and the next search closes the gaps. A time that is freed again
 * stands where it stood, and what the patient holds in another tab is not taken by somebody else.
 */
export function useTakenChips(grid: Grid | null, searchedAt: number): TakenChips {
  const queryClient = useQueryClient();
  const [heard, setHeard] = useState(NONE);
  const { data: own = null } = useQuery(holdQuery);

  const onFreed = useEffectEvent((change: SlotChange) => {
    if (grid !== null && opensMore(grid, change) && !isPointedAt()) void searchAnew(queryClient);
  });

  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const goLater = (change: SlotChange) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        // Who stands on it with the keyboard is not thrown off.
        if (isFocused(change)) goLater(change);
        else setHeard((before) => withGone(before, chipKey(change)));
      }, STRUCK_MS);
      timers.add(timer);
    };
    const stop = listenLive({
      onSlots(changes) {
        for (const { start } of changes) void forgetDay(queryClient, toClinic(start).date);
        setHeard((before) => withChanges(before, changes, Date.now()));
        for (const each of changes)
          if (each.state === 'taken') goLater(each);
          else onFreed(each);
      },
      onReturn: () => void forgetDays(queryClient).then(() => searchAnew(queryClient)),
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

/** How many free times still stand in the grid. */
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
 * Whether a time that was freed may let starts begin that stand nowhere in the grid: it was taken
 * before the search. Where all last 5 minutes they wait for the next one.
 */
function opensMore(grid: Grid, change: TimeOf): boolean {
  if (grid.columns.every(isSpecifiedLength)) return false;
  return !chipsOf(grid).some((chip) => overlap(chip, change));
}

/** Whether somebody is about to press a time: then none may move. */
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

/** Whether the focus is on a time that the change takes. */
function isFocused(change: SlotChange): boolean {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement)) return false;
  const { slot = '', end } = activeElement.dataset;
  const [doctor = '', start] = slot.split('@');
  return overlap({ doctor, start: Number(start), end: Number(end) }, change);
}
