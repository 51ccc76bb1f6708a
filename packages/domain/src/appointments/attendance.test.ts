import { describe, expect, test } from 'vitest';
import { startOfDay, toClinic } from '../clinic-time.ts';
import { NOW } from '../testing/index.ts';
import {
  type Attendance,
  attendanceOf,
  delayOf,
  needsLookReason,
  nextAttendances,
} from './attendance.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const booked = { state: 'booked', start: NOW + HOUR, inRoomAt: null, changedAt: NOW } as const;
const missed = { ...booked, state: 'noShow', start: NOW - DAY } as const;
const midnight = startOfDay(toClinic(NOW).date);
const registered = { ...booked, state: 'registered' } as const;

describe('What the front desk may note (S-18)', () => {
  test.each<[string, Parameters<typeof nextAttendances>[0], readonly Attendance[]]>([
    ['is expected later today', booked, ['arrived']],
    ['is expected tomorrow', { ...booked, start: NOW + DAY }, []],
    ['should be here now', { ...booked, start: NOW }, ['arrived', 'noShow']],
    [
      'did not come yesterday, as far as anybody noted',
      { ...booked, start: NOW - DAY },
      ['noShow'],
    ],
    ['has arrived', registered, ['inRoom', 'expected']],
    ['is in the room', { ...registered, inRoomAt: NOW }, ['completed', 'arrived']],
    ['was seen', { ...registered, state: 'completed', inRoomAt: NOW }, []],
    ['was just noted as missed', { ...missed, start: NOW }, ['expected', 'arrived']],
    ['was noted as missed as this day began', { ...missed, changedAt: midnight }, ['expected']],
    ['was noted as missed before midnight', { ...missed, changedAt: midnight - 1 }, []],
    ['has cancelled', { ...booked, state: 'cancelled' }, []],
    ['is still booking', { ...booked, state: 'holding' }, []],
  ])('of a patient who %s', (_who, appointment, next) => {
    expect(nextAttendances(appointment, NOW)).toEqual(next);
  });

  test('in the room is who arrived and was led in', () => {
    expect(attendanceOf(registered)).toBe('arrived');
    expect(attendanceOf({ ...registered, inRoomAt: NOW })).toBe('inRoom');
    expect(attendanceOf({ ...booked, inRoomAt: NOW })).toBe('expected');
  });
});

describe('How long somebody waits, or is waited for', () => {
  const START = 1_000_000;
  const minutes = (n: number) => START + n * 60;
  const delay = (over: object, at: number) =>
    delayOf({ attendance: 'expected', start: START, arrivedAt: null, inRoomAt: null, ...over }, at);

  test('is late from five minutes past the time on', () => {
    expect(delay({}, minutes(5) - 1)).toBeNull();
    expect(delay({}, minutes(5))).toEqual({ of: 'late', minutes: 5, is: 'usual' });
  });

  test.each([
    [0, 0, 'usual'],
    [15 * 60 - 1, 14, 'usual'],
    [15 * 60, 15, 'caution'],
    [30 * 60 - 1, 29, 'caution'],
    [30 * 60, 30, 'danger'],
  ])('after %i seconds in the waiting room is %i minutes, %s', (seconds, n, is) => {
    const arrived = { attendance: 'arrived', arrivedAt: START };
    expect(delay(arrived, START + seconds)).toEqual({ of: 'waits', minutes: n, is });
  });

  test('counts from when they came to the room, and no more once they were seen', () => {
    const inRoom = { attendance: 'inRoom', arrivedAt: START, inRoomAt: minutes(40) };
    expect(delay(inRoom, minutes(52))).toEqual({ of: 'inRoom', minutes: 12, is: 'usual' });
    expect(delay({ ...inRoom, attendance: 'completed' }, minutes(60))).toBeNull();
    expect(delay({ attendance: 'noShow' }, minutes(60))).toBeNull();
    // An EMR may not say since when.
    expect(delay({ attendance: 'arrived' }, minutes(60))).toBeNull();
  });
});

describe('A look at a patient', () => {
  test('needs no reason from the day before an appointment to the day after it', () => {
    expect(needsLookReason([NOW - DAY], NOW)).toBe(false);
    expect(needsLookReason([NOW + 30 * DAY, NOW + DAY], NOW)).toBe(false);
  });
  test('needs one when every appointment is two days away or more', () => {
    expect(needsLookReason([NOW - 2 * DAY, NOW + 2 * DAY], NOW)).toBe(true);
    expect(needsLookReason([], NOW)).toBe(true);
  });
});
