import { useQuery, useQueryClient } from '@tanstack/react-query';
import { dateBounds, viewFrom } from '@clinic/domain';
import type { AppointmentType, DateBounds, GridView } from '@clinic/domain';
import { useMemo } from 'react';
import { clinicNow } from '../../../api/clock.ts';
import type { BookingData } from '../choose/booking-data.ts';
import type { ReadySearch } from '../journey.ts';
import { slotColumns, type Grid, type GridFacts } from './slot-columns.ts';
import { loadDays } from './slot-queries.ts';
import { searchSlots, type SearchResult } from './slot-search.ts';

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
      readonly again: () => void;
    };

/** The view that starts on a day, or on the window's last one when that day is past it. */
export function viewOn(day: string, search: ReadySearch, bounds: DateBounds): GridView {
  const kind = search.doctor === 'earliest' ? 'day' : 'days';
  const from = day < bounds.today ? bounds.today : day;
  return viewFrom(kind, from, bounds) ?? { kind, from: bounds.max, to: bounds.max };
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
        automatic,
        load: (shown, span) => loadDays(queryClient, doctorId, shown, span, signal),
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
  const again = () => void found.refetch();
  if (found.data && grid)
    return { state: 'done', result: found.data, grid, again, searchedAt: found.dataUpdatedAt };
  if (found.error) return { state: 'failed', error: found.error, retry: again };
  return { state: 'searching' };
}
