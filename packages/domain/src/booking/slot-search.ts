import { addDays, datesOf, daysBetween } from '../clinic-time.ts';
import type { ClinicDate, DateSpan } from '../clinic-time.ts';
import type { DateBounds } from './booking-window.ts';

/** How many days the first fetch covers. */
const INITIAL_FETCH_DAYS = 6;
/** How many days 'Next 5 Days' moves on for one doctor. */
const NEXT_DAYS = 5;
/** How many single days the automatic search tries when no doctor is chosen. */
const AUTOMATIC_DAYS = 7;
/** How many windows of six days the automatic search tries for one doctor. */
const AUTOMATIC_WINDOWS = 5;
/** The most days that one schedule call may ask for. */
export const MOST_DAYS_PER_CALL = 6;

/** What the grid shows: one day of all providers, or several days of one doctor. */
export interface GridView extends DateSpan {
  readonly kind: 'day' | 'days';
}

const earlier = (a: ClinicDate, b: ClinicDate) => (a < b ? a : b);
const later = (a: ClinicDate, b: ClinicDate) => (a > b ? a : b);

/**
 * The view that starts on a date: one day without a doctor, six days for one doctor, cut off at the window's
 * end. Null when the date is past the window.
 */
export function viewFrom(
  kind: GridView['kind'],
  from: ClinicDate,
  bounds: DateBounds,
): GridView | null {
  if (from > bounds.max) return null;
  const length = kind === 'day' ? 1 : INITIAL_FETCH_DAYS;
  return { kind, from, to: earlier(addDays(from, length - 1), bounds.max) };
}

/** The days to fetch for the first view: six, even when only one of them is shown.. */
export function firstFetch(chosen: ClinicDate, bounds: DateBounds): DateSpan | null {
  const view = viewFrom('days', chosen, bounds);
  return view && { from: view.from, to: view.to };
}

/** The view after 'Next Day' or 'Next 5 Days', or null at the window's end.. */
export function nextView(view: GridView, bounds: DateBounds): GridView | null {
  if (view.to >= bounds.max) return null;
  return viewFrom(view.kind, addDays(view.from, view.kind === 'day' ? 1 : NEXT_DAYS), bounds);
}

/** The view before, by one day or five, never before today; null when already at today.. */
export function previousView(view: GridView, bounds: DateBounds): GridView | null {
  if (view.from <= bounds.today) return null;
  const from = addDays(view.from, view.kind === 'day' ? -1 : -NEXT_DAYS);
  return viewFrom(view.kind, later(from, bounds.today), bounds);
}

/**
 * The views that the automatic search tries after an empty one, in order: the next 7 single days, or the next
 * 5 windows of six days, cut off at the window's end. When called with the last of them it goes on from
 * there, as Yes in the modal does. Empty when nothing is left..
 */
export function automaticViews(after: GridView, bounds: DateBounds): GridView[] {
  const views: GridView[] = [];
  const most = after.kind === 'day' ? AUTOMATIC_DAYS : AUTOMATIC_WINDOWS;
  let last: GridView = after;
  while (views.length < most) {
    const next = viewFrom(after.kind, addDays(last.to, 1), bounds);
    if (!next) break;
    views.push((last = next));
  }
  return views;
}

/** Splits the days of a span that are not fetched yet into calls.. */
export function daysToFetch(span: DateSpan, fetched: ReadonlySet<ClinicDate>): DateSpan[] {
  const spans: DateSpan[] = [];
  for (const date of datesOf(span)) {
    if (fetched.has(date)) continue;
    const open = spans.at(-1);
    const joins =
      open && addDays(open.to, 1) === date && daysBetween(open.from, date) < MOST_DAYS_PER_CALL;
    if (joins) spans[spans.length - 1] = { from: open.from, to: date };
    else spans.push({ from: date, to: date });
  }
  return spans;
}
