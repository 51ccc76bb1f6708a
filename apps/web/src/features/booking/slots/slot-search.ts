import { automaticViews, firstFetch } from '@clinic/domain';
import type { DateBounds, DateSpan, GridView } from '@clinic/domain';
import type { ApiScheduleDay } from '@clinic/contract';

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
