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
import { clinicNow } from '../../../api/clock.ts';
import { DAY_FRESH_MS, loadDays, type BookingData } from '../booking-data.ts';
import type { ReadySearch } from '../journey.ts';
import { isOpen, slotColumns, type Grid, type GridFacts } from './slot-columns.ts';

export interface SearchRequest {
  readonly view: GridView;
  readonly bounds: DateBounds;
  /** Off on the way back: the patient asked for that day, free or not. */
  readonly automatic: boolean;
  /** The days of `shown`; those of `span` are fetched along with them where a call is needed. */
  readonly load: (shown: DateSpan, span: DateSpan) => Promise<ApiScheduleDay[]>;
  /** How many free times a view of the days has for this patient. */
  readonly countFree: (days: readonly ApiScheduleDay[], view: GridView) => number;
  /** Told of each view before it is asked for. */
  readonly onTry?: (view: GridView) => void;
}

export interface SearchResult {
  readonly view: GridView;
  readonly days: readonly ApiScheduleDay[];
  /** 'exhausted': the automatic search found nothing either, and the modal asks. */
  readonly outcome: 'found' | 'empty' | 'exhausted';
  /** Where a further search goes on. */
  readonly lastTried: GridView;
}

/** The asked view, else the first of the automatic search that has a free time. */
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

/** Which view the patient asked for, and whether an empty one is searched on from. */
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
      /** Names this search among the others: when it was over. */
      readonly searchedAt: number;
      /** Over when the times are there; it never fails. */
      readonly again: () => Promise<unknown>;
    };

/** The view that starts on a day, or on the window's last one when that day is past it. */
export function viewOn(day: string, search: ReadySearch, bounds: DateBounds): GridView {
  const kind = search.doctor === 'earliest' ? 'day' : 'days';
  const from = day < bounds.today ? bounds.today : day;
  return viewFrom(kind, from, bounds) ?? { kind, from: bounds.max, to: bounds.max };
}

/**
 * Which days have a time for the patient, as far as it is known. The days are kept: those that step
 * 2 shows first need no call of their own there.
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
    // A mark beside the day: without an answer there is none.
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

/** Runs the slot search for a view, and groups what it found. */
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
  const found = useQuery({
    queryKey: ['slot-search', type.code, doctorId, view.from, view.to, automatic, patient],
    queryFn: ({ signal }) =>
      searchSlots({
        view,
        bounds: dateBounds(clinicNow()),
        // Where times are hidden because a check failed, no other day is searched for them.
        automatic: automatic && !slotColumns([], view, facts, clinicNow()).primaryDoctorUnknown,
        load: (shown, span) =>
          loadDays(queryClient, { doctorId, type: type.code }, shown, span, signal),
        countFree: (days, tried) => slotColumns(days, tried, facts, clinicNow()).count,
      }),
    // The days are kept by themselves; a search that is over is not.
    staleTime: Infinity,
    gcTime: 0,
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
