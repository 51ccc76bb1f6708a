import { automaticViews, dateBounds, firstFetch, viewFrom } from '@clinic/domain';
import type {
  AppointmentType,
  Choice,
  ClinicDate,
  DateBounds,
  DateSpan,
  GridView,
} from '@clinic/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiScheduleDay } from '@clinic/contract';
import { useMemo } from 'react';
import { clinicNow } from '@clinic/app/clock';
import { DAY_FRESH_MS, loadDays, type BookingData } from '../booking-data.ts';
import type { ReadySearch } from '../journey.ts';
import { isOpen, slotColumns, type Grid, type GridFacts } from './slot-columns.ts';

export interface SearchRequest {
  readonly view: GridView;
  readonly bounds: DateBounds;
  /** False on the way back: the patient asked for that day, free or not. */
  readonly automatic: boolean;
  /** Loads the days of `shown`, fetching those of `span` with them if a call is needed. */
  readonly load: (shown: DateSpan, span: DateSpan) => Promise<ApiScheduleDay[]>;
  /** Counts the free times that a view of the days has for this patient. */
  readonly countFree: (days: readonly ApiScheduleDay[], view: GridView) => number;
  /** Called with each view before it is loaded. */
  readonly onTry?: (view: GridView) => void;
}

export interface SearchResult {
  readonly view: GridView;
  readonly days: readonly ApiScheduleDay[];
  /** 'exhausted': the automatic search found nothing either, and a dialog asks how to go on. */
  readonly outcome: 'found' | 'empty' | 'exhausted';
  /** The last view tried, from which a further search goes on. */
  readonly lastTried: GridView;
}

/** Returns the requested view, or else the first view of the automatic search with a free time. */
export async function searchSlots(search: SearchRequest): Promise<SearchResult> {
  const { view, bounds, automatic, load, countFree, onTry } = search;
  const days = await load(view, firstFetch(view.from, bounds) ?? view);
  if (countFree(days, view) > 0) return { view, days, outcome: 'found', lastTried: view };
  if (!automatic) return { view, days, outcome: 'empty', lastTried: view };
  let lastTried = view;
  for (const next of automaticViews(view, bounds)) {
    onTry?.(next);
    const more = await load(next, next);
    if (countFree(more, next) > 0)
      return { view: next, days: more, outcome: 'found', lastTried: next };
    lastTried = next;
  }
  return { view, days, outcome: 'exhausted', lastTried };
}

/** The view that the patient asked for, and whether an empty one starts the automatic search. */
export interface AskedView {
  readonly view: GridView;
  readonly automatic: boolean;
}

type SlotSearch =
  | { readonly state: 'searching' }
  | { readonly state: 'failed'; readonly error: Error; readonly retry: () => void }
  | {
      readonly state: 'done';
      readonly result: SearchResult;
      readonly grid: Grid;
      /** When the search ended, in milliseconds; identifies this search. */
      readonly searchedAt: number;
      /** Repeats the search; resolves when it ends and never rejects. */
      readonly again: () => Promise<unknown>;
    };

/** The view that starts on a day, or on the last day of the window if that day is past it. */
export function viewOn(day: string, search: ReadySearch, bounds: DateBounds): GridView {
  const kind = search.doctor === 'earliest' ? 'day' : 'days';
  const from = day < bounds.today ? bounds.today : day;
  return viewFrom(kind, from, bounds) ?? { kind, from: bounds.max, to: bounds.max };
}

/**
 * Which days have a time for the patient, as far as known. Fetched days are cached, so that step 2
 * needs no call of its own for the ones it shows first.
 */
export function useOpenDays(
  data: BookingData,
  { type, doctor }: Choice,
  span: DateSpan,
): ReadonlyMap<ClinicDate, boolean | undefined> {
  const queryClient = useQueryClient();
  const { doctors, statuses, patient } = data;
  const isOne = doctor !== null && doctor !== 'earliest';
  const doctorId = isOne ? doctor.id : '-1';
  const code = type?.code ?? '';
  const { data: days } = useQuery({
    queryKey: ['schedule', 'open-days', code, doctorId, span.from, span.to],
    queryFn: ({ signal }) => loadDays(queryClient, { doctorId, type: code }, span, span, signal),
    enabled: type !== null && type.form !== 'refill',
    staleTime: DAY_FRESH_MS,
    // The marks are an extra: without an answer there are none.
    retry: false,
  });
  return useMemo(() => {
    if (type === null || days === undefined) return new Map();
    const facts = {
      type,
      doctor: isOne ? doctor : 'earliest',
      doctors,
      statuses,
      patient,
    } as const;
    const now = clinicNow();
    return new Map(days.map((day) => [day.date, isOpen(day, facts, now)]));
  }, [days, type, doctor, isOne, doctors, statuses, patient]);
}

/** Runs the slot search for a view and groups the times found. */
export function useSlotSearch(
  data: BookingData,
  type: AppointmentType,
  search: ReadySearch,
  { view, automatic }: AskedView,
): SlotSearch {
  const queryClient = useQueryClient();
  const { doctors, statuses, patient } = data;
  const facts = useMemo<GridFacts>(
    () => ({ type, doctor: search.doctor, doctors, statuses, patient }),
    [type, search.doctor, doctors, statuses, patient],
  );
  const doctorId = search.doctor === 'earliest' ? '-1' : search.doctor.id;
  const asked = ['slot-search', type.code, doctorId, view.from, view.to, automatic];
  const found = useQuery({
    queryKey: [...asked, patient],
    queryFn: ({ signal }) =>
      searchSlots({
        view,
        bounds: dateBounds(clinicNow()),
        // Where a failed check hides times, no other day is searched for them.
        automatic: automatic && !slotColumns([], view, facts, clinicNow()).primaryDoctorUnknown,
        load: (shown, span) =>
          loadDays(queryClient, { doctorId, type: type.code }, shown, span, signal),
        countFree: (days, tried) => slotColumns(days, tried, facts, clinicNow()).count,
      }),
    // The days have a cache of their own; a finished search is not kept.
    staleTime: Infinity,
    gcTime: 0,
    // While the same days are searched anew for changed facts, their times stay under the finger.
    placeholderData: (before, query) =>
      asked.every((part, at) => part === query?.queryKey[at]) ? before : undefined,
  });
  const grid = useMemo(
    () => (found.data ? slotColumns(found.data.days, found.data.view, facts, clinicNow()) : null),
    [found.data, facts],
  );
  const again = () => found.refetch();
  if (found.data && grid)
    return { state: 'done', result: found.data, grid, again, searchedAt: found.dataUpdatedAt };
  if (found.error) return { state: 'failed', error: found.error, retry: () => void again() };
  return { state: 'searching' };
}
