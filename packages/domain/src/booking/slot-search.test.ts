import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, datesOf, daysBetween, toInstant } from '../clinic-time.ts';
import { dateBounds } from './booking-window.ts';
import {
  automaticViews,
  daysToFetch,
  firstFetch,
  viewFrom,
  nextView,
  previousView,
} from './slot-search.ts';
import type { GridView } from './slot-search.ts';

const bounds = dateBounds(toInstant('2026-11-21', '09:00'));
const day = (date: string): GridView => ({ kind: 'day', from: date, to: date });
const days = (from: string, to: string): GridView => ({ kind: 'days', from, to });

describe('without a doctor chosen (R-14)', () => {
  // Shows: 4.slot-search.1, 9.window.2, R-14
  test('the chosen day is shown and six days are fetched', () => {
    expect(viewFrom('day', '2026-11-24', bounds)).toEqual(day('2026-11-24'));
    expect(firstFetch('2026-11-24', bounds)).toEqual({ from: '2026-11-24', to: '2026-11-29' });
  });

  // Shows: R-14
  test('Next Day moves on by one day and there is a way back to the day before', () => {
    expect(nextView(day('2026-11-24'), bounds)).toEqual(day('2026-11-25'));
    expect(previousView(day('2026-11-25'), bounds)).toEqual(day('2026-11-24'));
  });

  // Shows: 4.slot-search.2, 9.window.2
  test('the automatic search tries the 7 single days that follow the chosen one', () => {
    expect(automaticViews(day('2026-11-24'), bounds).map(({ from }) => from)).toEqual([
      '2026-11-25',
      '2026-11-26',
      '2026-11-27',
      '2026-11-28',
      '2026-11-29',
      '2026-11-30',
      '2026-12-01',
    ]);
  });

  // Shows: R-15
  test('Yes goes on from the next day (R-15)', () => {
    expect(automaticViews(day('2026-12-01'), bounds)[0]).toEqual(day('2026-12-02'));
  });

  // Shows: R-14
  test('of the 7 days only those beyond the six fetched need a call', () => {
    const fetched = new Set(datesOf({ from: '2026-11-24', to: '2026-11-29' }));
    const calls = automaticViews(day('2026-11-24'), bounds).flatMap((view) =>
      daysToFetch(view, fetched),
    );
    expect(calls).toEqual([
      { from: '2026-11-30', to: '2026-11-30' },
      { from: '2026-12-01', to: '2026-12-01' },
    ]);
  });
});

describe('with one doctor (R-14)', () => {
  test('six days are shown by date', () => {
    expect(viewFrom('days', '2026-11-24', bounds)).toEqual(days('2026-11-24', '2026-11-29'));
  });

  // Shows: 4.slot-search.1, 9.window.2, R-14
  test('Next 5 Days moves on by five and fetches five', () => {
    const next = nextView(days('2026-11-24', '2026-11-29'), bounds);
    expect(next).toEqual(days('2026-11-29', '2026-12-04'));
    const fetched = new Set(datesOf({ from: '2026-11-24', to: '2026-11-29' }));
    expect(daysToFetch(next as GridView, fetched)).toEqual([
      { from: '2026-11-30', to: '2026-12-04' },
    ]);
    expect(previousView(next as GridView, bounds)).toEqual(days('2026-11-24', '2026-11-29'));
  });

  // Shows: 4.slot-search.2, 9.window.2
  test('the automatic search tries 5 more windows of six days', () => {
    expect(automaticViews(days('2026-11-24', '2026-11-29'), bounds)).toEqual([
      days('2026-11-30', '2026-12-05'),
      days('2026-12-06', '2026-12-11'),
      days('2026-12-12', '2026-12-17'),
      days('2026-12-18', '2026-12-23'),
      days('2026-12-24', '2026-12-29'),
    ]);
  });

  // Shows: R-15
  test('Yes goes on from the next window (R-15)', () => {
    const [next] = automaticViews(days('2026-12-24', '2026-12-29'), bounds);
    expect(next).toEqual(days('2026-12-30', '2027-01-04'));
  });
});

describe("at the window's end (R-13)", () => {
  test('day 90 is the last that is shown', () => {
    expect(viewFrom('day', '2027-02-19', bounds)).toEqual(day('2027-02-19'));
    expect(viewFrom('day', '2027-02-20', bounds)).toBeNull();
    expect(firstFetch('2027-02-20', bounds)).toBeNull();
    expect(nextView(day('2027-02-18'), bounds)).toEqual(day('2027-02-19'));
    expect(nextView(day('2027-02-19'), bounds)).toBeNull();
  });

  // Shows: R-14
  test('windows are cut off there and the search stops', () => {
    expect(viewFrom('days', '2027-02-16', bounds)).toEqual(days('2027-02-16', '2027-02-19'));
    expect(nextView(days('2027-02-13', '2027-02-18'), bounds)).toEqual(
      days('2027-02-18', '2027-02-19'),
    );
    expect(nextView(days('2027-02-14', '2027-02-19'), bounds)).toBeNull();
    expect(automaticViews(days('2027-02-07', '2027-02-12'), bounds)).toEqual([
      days('2027-02-13', '2027-02-18'),
      days('2027-02-19', '2027-02-19'),
    ]);
    expect(automaticViews(day('2027-02-19'), bounds)).toEqual([]);
  });

  test('the way back ends today', () => {
    expect(previousView(day('2026-11-21'), bounds)).toBeNull();
    expect(previousView(days('2026-11-23', '2026-11-28'), bounds)).toEqual(
      days('2026-11-21', '2026-11-26'),
    );
  });

  test('no walk leaves the window, and no call asks for more than six days', () => {
    const walk = fc.array(fc.constantFrom('next', 'back', 'search'), { maxLength: 40 });
    const kind = fc.constantFrom('day' as const, 'days' as const);
    fc.assert(
      fc.property(kind, fc.nat(90), walk, (of, ahead, steps) => {
        let view = viewFrom(of, addDays(bounds.today, ahead), bounds);
        const fetched = new Set<string>();
        for (const step of steps) {
          if (!view) break;
          for (const call of daysToFetch(view, fetched)) {
            expect([1, 2, 3, 4, 5, 6]).toContain(datesOf(call).length);
            for (const date of datesOf(call)) fetched.add(date);
          }
          expect(daysToFetch(view, fetched)).toEqual([]);
          expect(view.from >= bounds.today && view.to <= bounds.max).toBe(true);
          expect(view.from <= view.to).toBe(true);
          if (step === 'next') view = nextView(view, bounds) ?? view;
          else if (step === 'back') view = previousView(view, bounds) ?? view;
          else view = automaticViews(view, bounds).at(-1) ?? view;
        }
      }),
    );
  });
});

describe('what a call may ask for (R-5)', () => {
  test('days fetched before split a span into the calls that are left', () => {
    const fetched = new Set(['2026-11-23']);
    expect(daysToFetch({ from: '2026-11-21', to: '2026-11-25' }, fetched)).toEqual([
      { from: '2026-11-21', to: '2026-11-22' },
      { from: '2026-11-24', to: '2026-11-25' },
    ]);
    const long = daysToFetch({ from: '2026-11-21', to: '2026-11-27' }, new Set());
    expect(long.map(({ from, to }) => daysBetween(from, to) + 1)).toEqual([6, 1]);
  });
});
