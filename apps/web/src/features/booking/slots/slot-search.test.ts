import { addDays, dateBounds, datesOf } from '@clinic/domain';
import type { DateSpan } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { expect, test } from 'vitest';
import { searchSlots } from './slot-search.ts';
import type { SearchRequest } from './slot-search.ts';

const bounds = dateBounds(NOW);
const from = bounds.today;
const day = { kind: 'day', from, to: from } as const;
const week = { kind: 'days', from, to: addDays(from, 5) } as const;

/** A schedule with a free time on these dates only; remembers what was asked. */
function aSchedule(...free: string[]) {
  const asked: DateSpan[] = [];
  const request = (over: Partial<SearchRequest>): SearchRequest => ({
    view: day,
    bounds,
    automatic: true,
    load: async (shown, span) => {
      asked.push({ from: span.from, to: span.to });
      return datesOf(shown).map((date) => ({ date, providers: [] }));
    },
    countFree: (days, view) =>
      days.filter(({ date }) => free.includes(date) && date >= view.from && date <= view.to).length,
    ...over,
  });
  return { asked, request };
}

// Shows: 4.slot-search.1
test('the first search fetches six days and shows the chosen one', async () => {
  const { asked, request } = aSchedule(from);
  const result = await searchSlots(request({}));
  expect(result).toMatchObject({ outcome: 'found', view: day });
  expect(result.days.map(({ date }) => date)).toEqual([from]);
  expect(asked).toEqual([{ from, to: addDays(from, 5) }]);
});

// Shows: 4.slot-search.2
test('without a free time up to seven single days are tried, the first free one is shown', async () => {
  const { request } = aSchedule(addDays(from, 7));
  const result = await searchSlots(request({}));
  expect(result).toMatchObject({ outcome: 'found', view: { from: addDays(from, 7) } });
});

// Shows: 4.slot-search.2
test('an eighth day is not tried: the search is exhausted and says where it ended', async () => {
  const { asked, request } = aSchedule(addDays(from, 8));
  const result = await searchSlots(request({}));
  expect(result).toMatchObject({
    outcome: 'exhausted',
    view: day,
    lastTried: { from: addDays(from, 7) },
  });
  expect(asked).toHaveLength(8);
});

// Shows: 4.slot-search.2
test('for one doctor up to five windows of six days are tried', async () => {
  const { asked, request } = aSchedule(addDays(from, 36));
  const result = await searchSlots(request({ view: week }));
  expect(result.outcome).toBe('exhausted');
  expect(asked).toHaveLength(6);
  expect(asked.at(-1)).toEqual({ from: addDays(from, 30), to: addDays(from, 35) });
});

test('on the way back an empty day stays as it is', async () => {
  const { asked, request } = aSchedule();
  expect(await searchSlots(request({ automatic: false }))).toMatchObject({ outcome: 'empty' });
  expect(asked).toHaveLength(1);
});

// Shows: R-14
test('nothing beyond the window is asked for', async () => {
  const { asked, request } = aSchedule();
  const last = { kind: 'day', from: bounds.max, to: bounds.max } as const;
  expect(await searchSlots(request({ view: last }))).toMatchObject({ outcome: 'exhausted' });
  expect(asked).toEqual([{ from: bounds.max, to: bounds.max }]);
});
