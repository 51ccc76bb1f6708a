import { gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import type { CallAnswer } from '@clinic/contract';
import { SPECIFIED_CODES, dayTemplate, toInstant } from '@clinic/domain';

import { scheduleCache } from './schedule-response.ts';
import { scheduleDays, scheduleVersions } from './days.ts';
import type { ScheduleReads } from './days.ts';
import type { ScheduleChanges, TakenFacts } from './store.ts';

const now = toInstant('2026-12-07', '07:00');
const eight = toInstant('2026-12-07', '08:00');
const range = { from: '2026-12-07', to: '2026-12-07' };
const twoDays = { from: '2026-12-07', to: '2026-12-08' };
const rows = [twoDays.from, twoDays.to].map((date) => ({
  date,
  providerId: '101',
  codes: dayTemplate([{ from: 96, to: 98, code: 'O' }]),
}));
const LENGTHS = { types: [], codes: SPECIFIED_CODES, paces: [] };
const quiet: ScheduleChanges = { snapshot: '1:1:', days: [], everything: false };

/** A schedule whose facts and changes a test sets; it keeps how often it is read. */
function aSchedule() {
  const schedule = {
    taken: [] as TakenFacts['taken'],
    holds: [] as TakenFacts['holds'],
    changes: quiet,
    /** Of what is taken, from which day to which. */
    reads: [] as string[],
    templateReads: 0,
  };
  const versions = scheduleVersions();
  const look = () => {
    const { changes } = schedule;
    schedule.changes = quiet;
    return versions.after(changes);
  };
  const reads: ScheduleReads = {
    rules: () => Promise.resolve({ lengths: LENGTHS, providers: [], offers: [] }),
    templates: ({ from, to }) => {
      schedule.templateReads++;
      return Promise.resolve(rows.filter(({ date }) => date >= from && date <= to));
    },
    taken: ({ from, to }) => {
      schedule.reads.push(`${from}..${to}`);
      return Promise.resolve({ taken: schedule.taken, holds: schedule.holds });
    },
  };
  const [days, answer] = [scheduleDays(reads), scheduleCache()];
  const bookedOn = async (viewer: string, { at = now, on = range } = {}) => {
    const ready = await answer(
      days(look(), at),
      { range: on, providerId: null, type: null },
      viewer,
    );
    const plain = ready.json().toString();
    expect(gunzipSync(await ready.gzipped()).toString()).toBe(plain);
    const { extras } = JSON.parse(plain) as CallAnswer<'doctorSchedule'>;
    return extras.map((day) => day.providers[0]?.booked);
  };
  const bookedFor = async (viewer: string, at = now) => (await bookedOn(viewer, { at }))[0];
  return { schedule, bookedFor, bookedOn };
}

describe('ready schedule answers', () => {
  test('an unchanged schedule is read once', async () => {
    const { schedule, bookedFor } = aSchedule();
    await bookedFor('ann');
    await Promise.all([bookedFor('bea'), bookedFor('cy')]);
    expect(schedule.reads).toHaveLength(1);
  });

  test('an answer given after a commit shows what that commit took', async () => {
    const { schedule, bookedFor } = aSchedule();
    expect(await bookedFor('ann')).toEqual([]);
    schedule.taken = [{ providerId: '101', starts: [eight] }];
    schedule.changes = { snapshot: '2:2:', days: ['2026-12-07'], everything: false };
    expect(await bookedFor('ann')).toEqual([{ doctor: '101', start: eight }]);
  });

  test('a change on another day leaves the answer as it is', async () => {
    const { schedule, bookedFor } = aSchedule();
    await bookedFor('ann');
    schedule.changes = { snapshot: '2:2:', days: ['2026-12-08'], everything: false };
    await bookedFor('ann');
    expect(schedule.reads).toHaveLength(1);
  });

  test('of several days only the one that a commit touched is read again', async () => {
    const { schedule, bookedOn } = aSchedule();
    expect(await bookedOn('ann', { on: twoDays })).toEqual([[], []]);
    const nine = toInstant('2026-12-08', '08:05');
    schedule.taken = [{ providerId: '101', starts: [nine] }];
    schedule.changes = { snapshot: '2:2:', days: ['2026-12-08'], everything: false };
    const second = [{ doctor: '101', start: nine }];
    expect(await bookedOn('ann', { on: twoDays })).toEqual([[], second]);
    expect(schedule.reads).toEqual(['2026-12-07..2026-12-08', '2026-12-08..2026-12-08']);
    expect(schedule.templateReads).toBe(1);
  });

  test('a changed template makes every day new', async () => {
    const { schedule, bookedFor } = aSchedule();
    await bookedFor('ann');
    schedule.changes = { snapshot: '2:2:', days: [], everything: true };
    await bookedFor('ann');
    expect(schedule.reads).toHaveLength(2);
    expect(schedule.templateReads).toBe(2);
  });

  test('a hold is booked to everybody but its holder (R-5)', async () => {
    const { schedule, bookedFor } = aSchedule();
    const hold = { patientId: 'ann', providerId: '101', type: 'O', start: eight, end: eight + 300 };
    schedule.taken = [{ providerId: '101', starts: [eight] }];
    schedule.holds = [{ ...hold, expiresAt: now + 600 }];
    expect(await bookedFor('ann')).toEqual([]);
    expect(await bookedFor('bea')).toEqual([{ doctor: '101', start: eight }]);
  });

  test('the second in which a hold lapses, the schedule is read again without any change', async () => {
    const { schedule, bookedFor } = aSchedule();
    const hold = { patientId: 'ann', providerId: '101', type: 'O', start: eight, end: eight + 300 };
    schedule.holds = [{ ...hold, expiresAt: now + 600 }];
    await bookedFor('bea');
    schedule.holds = [];
    await bookedFor('bea', now + 599);
    expect(schedule.reads).toHaveLength(1);
    await bookedFor('bea', now + 600);
    expect(schedule.reads).toHaveLength(2);
  });

  test('a read that failed is not kept', async () => {
    let fails = true;
    const reads: ScheduleReads = {
      rules: () => Promise.resolve({ lengths: LENGTHS, providers: [], offers: [] }),
      templates: () => Promise.resolve(rows),
      taken: () =>
        fails ? Promise.reject(new Error('no answer')) : Promise.resolve({ taken: [], holds: [] }),
    };
    const versions = scheduleVersions();
    const [days, answer] = [scheduleDays(reads), scheduleCache()];
    const found = () => days(versions.after(quiet), now);
    const call = { range, providerId: null, type: null };
    await expect(answer(found(), call, 'ann')).rejects.toThrow('no answer');
    fails = false;
    await expect(answer(found(), call, 'ann')).resolves.toBeDefined();
  });
});
