import { describe, expect, test } from 'vitest';

import type { CallAnswer } from '@clinic/contract';
import { SPECIFIED_CODES, dayTemplate, toInstant } from '@clinic/domain';

import { scheduleCache, scheduleVersions } from './answer.ts';
import type { ScheduleFacts } from './answer.ts';
import type { ScheduleChanges } from './store.ts';

const now = toInstant('2026-12-07', '07:00');
const eight = toInstant('2026-12-07', '08:00');
const range = { from: '2026-12-07', to: '2026-12-07' };
const rows = [
  {
    date: '2026-12-07',
    providerId: '101',
    codes: dayTemplate([{ from: 96, to: 98, code: 'O' }]),
  },
];
const LENGTHS = { types: [], codes: SPECIFIED_CODES, paces: [] };
const call = { range, providerId: null, type: null };
const quiet: ScheduleChanges = { snapshot: '1:1:', days: [], everything: false };

/** A schedule whose facts and changes a test sets; it counts how often it is read. */
function aSchedule() {
  const schedule = {
    facts: { rows, taken: [], holds: [], lengths: LENGTHS } as ScheduleFacts,
    changes: quiet,
    reads: 0,
  };
  const versionOf = scheduleVersions(() => {
    const { changes } = schedule;
    schedule.changes = quiet;
    return Promise.resolve(changes);
  });
  const answer = scheduleCache(versionOf, () => {
    schedule.reads++;
    return Promise.resolve(schedule.facts);
  });
  const bookedFor = async (viewer: string, at = now) => {
    const ready = await answer(call, { viewer, now: at });
    const { extras } = JSON.parse(ready.json().toString()) as CallAnswer<'doctorSchedule'>;
    return extras[0]?.providers[0]?.booked;
  };
  return { schedule, bookedFor };
}

describe('ready schedule answers', () => {
  test('an unchanged schedule is read once', async () => {
    const { schedule, bookedFor } = aSchedule();
    await bookedFor('ann');
    await Promise.all([bookedFor('bea'), bookedFor('cy')]);
    expect(schedule.reads).toBe(1);
  });

  test('an answer given after a commit shows what that commit took', async () => {
    const { schedule, bookedFor } = aSchedule();
    expect(await bookedFor('ann')).toEqual([]);
    schedule.facts = { ...schedule.facts, taken: [{ providerId: '101', starts: [eight] }] };
    schedule.changes = { snapshot: '2:2:', days: ['2026-12-07'], everything: false };
    expect(await bookedFor('ann')).toEqual([{ doctor: '101', start: eight }]);
  });

  test('a change on another day leaves the answer as it is', async () => {
    const { schedule, bookedFor } = aSchedule();
    await bookedFor('ann');
    schedule.changes = { snapshot: '2:2:', days: ['2026-12-08'], everything: false };
    await bookedFor('ann');
    expect(schedule.reads).toBe(1);
  });

  test('a changed template makes every day new', async () => {
    const { schedule, bookedFor } = aSchedule();
    await bookedFor('ann');
    schedule.changes = { snapshot: '2:2:', days: [], everything: true };
    await bookedFor('ann');
    expect(schedule.reads).toBe(2);
  });

  test('a hold is booked to everybody but its holder (R-5)', async () => {
    const { schedule, bookedFor } = aSchedule();
    const hold = { patientId: 'ann', providerId: '101', type: 'O', start: eight, end: eight + 300 };
    schedule.facts = {
      ...schedule.facts,
      taken: [{ providerId: '101', starts: [eight] }],
      holds: [{ ...hold, expiresAt: now + 600 }],
    };
    expect(await bookedFor('ann')).toEqual([]);
    expect(await bookedFor('bea')).toEqual([{ doctor: '101', start: eight }]);
  });

  test('the second in which a hold lapses, the schedule is read again without any change', async () => {
    const { schedule, bookedFor } = aSchedule();
    const hold = { patientId: 'ann', providerId: '101', type: 'O', start: eight, end: eight + 300 };
    schedule.facts = { ...schedule.facts, holds: [{ ...hold, expiresAt: now + 600 }] };
    await bookedFor('bea');
    schedule.facts = { ...schedule.facts, holds: [] };
    await bookedFor('bea', now + 599);
    expect(schedule.reads).toBe(1);
    await bookedFor('bea', now + 600);
    expect(schedule.reads).toBe(2);
  });

  test('a read that failed is not kept', async () => {
    let fails = true;
    const versionOf = scheduleVersions(() => Promise.resolve(quiet));
    const answer = scheduleCache(versionOf, () =>
      fails
        ? Promise.reject(new Error('no answer'))
        : Promise.resolve({ rows, taken: [], holds: [], lengths: LENGTHS }),
    );
    await expect(answer(call, { viewer: 'ann', now })).rejects.toThrow('no answer');
    fails = false;
    await expect(answer(call, { viewer: 'ann', now })).resolves.toBeDefined();
  });
});

describe('looks at the version', () => {
  test('a call never shares a look that began before it, and waiting calls share the next', async () => {
    const pending: (() => void)[] = [];
    const versionOf = scheduleVersions(
      () => new Promise((resolve) => pending.push(() => resolve(quiet))),
    );
    const first = versionOf(range);
    const second = versionOf(range);
    const third = versionOf(range);
    expect(pending).toHaveLength(1);
    pending[0]?.();
    await first;
    await Promise.resolve();
    expect(pending).toHaveLength(2);
    pending[1]?.();
    await Promise.all([second, third]);
    expect(pending).toHaveLength(2);
  });
});
