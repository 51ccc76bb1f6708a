import { describe, expect, test } from 'vitest';
import { addDays, startOfDay, toInstant } from '../clinic-time.ts';
import { type DoneLately, type HarmfulAct, daysClosed, judgeHarm } from './harm-limits.ts';
import type { StaffRole } from './permissions.ts';

const TODAY = '2026-11-20';
const now = toInstant(TODAY, '10:00');
const NOTHING: DoneLately = { appointments: 0, days: 0, wished: 0 };

const judged = (role: StaffRole, asked: HarmfulAct, lately: Partial<DoneLately> = {}) =>
  judgeHarm(asked, { roles: [role], lately: { ...NOTHING, ...lately }, now });
const closing = (first: number, days: number, appointments: number, providers = 2) => ({
  act: 'close' as const,
  providers,
  from: startOfDay(addDays(TODAY, first)),
  to: startOfDay(addDays(TODAY, first + days)),
  appointments,
});

describe('What harms many (S-18)', () => {
  test.each([
    ['14 days with 40 appointments are no many', closing(5, 14, 40), {}, 'atOnce', 'atOnce'],
    ['41 appointments are', closing(5, 2, 41), {}, 'refused', 'waits'],
    ['15 days are, with nobody in them', closing(5, 15, 0), {}, 'refused', 'waits'],
    ['a year is', closing(0, 365, 2104), {}, 'refused', 'waits'],
    ['what was done before counts', closing(5, 1, 20), { appointments: 21 }, 'refused', 'waits'],
    ['days before count', closing(5, 2, 0), { days: 13 }, 'refused', 'waits'],
    ['one provider’s day, however full, is none', closing(5, 1, 90, 1), {}, 'atOnce', 'atOnce'],
    [
      'nor is it after another of 40',
      closing(5, 1, 90, 1),
      { appointments: 40 },
      'atOnce',
      'atOnce',
    ],
    ['but after many it is', closing(5, 1, 1, 1), { appointments: 41 }, 'refused', 'waits'],
    ['and after 14 of them', closing(5, 1, 1, 1), { days: 14 }, 'refused', 'waits'],
    ['today and tomorrow anybody closes', closing(0, 2, 300), {}, 'waits', 'waits'],
    ['but not the day after', closing(0, 3, 300), {}, 'refused', 'waits'],
  ] as const)('%s', (_, asked, lately, receptionist, manager) => {
    expect(judged('receptionist', asked, lately)).toBe(receptionist);
    expect(judged('manager', asked, lately)).toBe(manager);
  });

  test.each([
    ['the 40th for the clinic', 'clinic', { appointments: 39 }, 'atOnce', 'atOnce'],
    ['the 41st for the clinic', 'clinic', { appointments: 40 }, 'refused', 'told'],
    ['the 120th at the patient’s wish', 'patient', { wished: 119 }, 'atOnce', 'atOnce'],
    ['the 121st at the patient’s wish', 'patient', { wished: 120 }, 'refused', 'told'],
    ['one at the patient’s wish, after many', 'patient', { appointments: 40 }, 'atOnce', 'atOnce'],
  ] as const)('changes one after the other: %s', (_, wantedBy, lately, receptionist, manager) => {
    const asked = { act: 'change', wantedBy } as const;
    expect(judged('receptionist', asked, lately)).toBe(receptionist);
    expect(judged('manager', asked, lately)).toBe(manager);
  });

  test('has an export of more than 200 people wait, and the invitation of a manager', () => {
    expect(judged('manager', { act: 'export', people: 200 })).toBe('atOnce');
    expect(judged('manager', { act: 'export', people: 201 })).toBe('waits');
    expect(judged('manager', { act: 'invite', roles: ['receptionist'] })).toBe('atOnce');
    expect(judged('manager', { act: 'invite', roles: ['receptionist', 'manager'] })).toBe('waits');
  });

  test('counts the days that a time touches, also across a change of the clock', () => {
    const [from, to] = [toInstant('2026-10-31', '12:00'), toInstant('2026-11-02', '12:00')];
    expect(daysClosed({ from, to })).toBe(3);
    expect(daysClosed({ from, to: startOfDay('2026-11-01') })).toBe(1);
  });
});
