import { toClinic } from '@clinic/domain';
import type { SlotChange } from '@clinic/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { listenLive } from '../../../api/live.ts';
import { chipKey, type Grid } from './slot-columns.ts';
import { forgetDay, forgetDays, holdQuery } from './slot-queries.ts';

/**
 * What became of a chip that somebody else took: struck through for a moment, then an empty place.
 */
type TakenState = 'struck' | 'gone';
export type TakenChips = ReadonlyMap<string, TakenState>;

interface Taken {
  readonly state: TakenState;
  /** When it was heard, in milliseconds. */
  readonly at: number;
}

const NONE: ReadonlyMap<string, Taken> = new Map();
/** How long a time that was just taken stands struck through. */
const STRUCK_MS = 2_000;
/** An answer that was on its way may be older than what was heard meanwhile. */
const ON_ITS_WAY_MS = 3_000;

/**
 * Which times of the open grid were taken since its search. Their places stay: nothing moves under
 * the finger, and the next search closes the gaps. A time that is freed again stands where it
 * stood, and one that the patient holds in another tab is not taken by somebody else.
 */
export function useTakenChips(searchedAt: number): TakenChips {
  const queryClient = useQueryClient();
  const [heard, setHeard] = useState(NONE);
  const { data: own = null } = useQuery(holdQuery);

  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const goLater = (key: string) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        // Who stands on it with the keyboard is not thrown off.
        if (isFocused(key)) goLater(key);
        else setHeard((before) => withGone(before, key));
      }, STRUCK_MS);
      timers.add(timer);
    };
    const stop = listenLive({
      onSlots(changes) {
        for (const { start } of changes) void forgetDay(queryClient, toClinic(start).date);
        setHeard((before) => withChanges(before, changes, Date.now()));
        for (const each of changes) if (each.state === 'taken') goLater(chipKey(each));
      },
      onReturn: () =>
        void forgetDays(queryClient).then(() =>
          queryClient.refetchQueries({ queryKey: ['slot-search'], type: 'active' }),
        ),
    });
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [queryClient]);

  return useMemo(() => {
    const ownKey = own && chipKey(own);
    return new Map(
      [...heard].flatMap(([key, { state, at }]): [string, TakenState][] =>
        key !== ownKey && at >= searchedAt - ON_ITS_WAY_MS ? [[key, state]] : [],
      ),
    );
  }, [heard, searchedAt, own]);
}

/** How many free times still stand in the grid. */
export function countLeft({ count, columns }: Grid, taken: TakenChips): number {
  if (taken.size === 0) return count;
  const chips = columns.flatMap(({ parts }) => parts.flatMap((part) => part.chips));
  return count - chips.filter(({ key }) => taken.get(key) === 'gone').length;
}

function withChanges(
  before: ReadonlyMap<string, Taken>,
  changes: readonly SlotChange[],
  at: number,
): ReadonlyMap<string, Taken> {
  const after = new Map(before);
  for (const each of changes) {
    const key = chipKey(each);
    if (each.state === 'freed') after.delete(key);
    else after.set(key, { state: after.get(key)?.state ?? 'struck', at });
  }
  return after;
}

function withGone(before: ReadonlyMap<string, Taken>, key: string): ReadonlyMap<string, Taken> {
  const known = before.get(key);
  return known ? new Map(before).set(key, { ...known, state: 'gone' }) : before;
}

function isFocused(key: string): boolean {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement.dataset.slot === key;
}
