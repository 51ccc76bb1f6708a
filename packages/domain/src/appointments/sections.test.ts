import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toInstant } from '../clinic-time.ts';
import { NOW, aDoctor, anAppointment } from '../testing/index.ts';
import { isEditable } from './cancellation-policy.ts';
import { arrange, doctorOfAppointment, section, shownSince } from './sections.ts';

describe('where an appointment stands (§4 Appointment status, R-52)', () => {
  // Shows: 4.appointment-status.1, R-52
  test.each(['booked', 'registered'] as const)('a %s one is upcoming until it starts', (state) => {
    expect(section(anAppointment({ state, start: NOW + 1 }), NOW)).toBe('upcoming');
    expect(section(anAppointment({ state, start: NOW }), NOW)).toBe('previous');
    expect(isEditable({ state, start: NOW + 1 }, NOW)).toBe(true);
    expect(isEditable({ state, start: NOW }, NOW)).toBe(false);
  });

  // Shows: 4.appointment-status.1
  test('a cancelled one is cancelled, before and after its time', () => {
    const starts = [NOW - 1, NOW + 1].map((start) =>
      section(anAppointment({ state: 'cancelled', start }), NOW),
    );
    expect(starts).toEqual(['cancelled', 'cancelled']);
  });

  // Shows: R-52
  test('any other status is previous, even ahead', () => {
    expect(section(anAppointment({ state: 'completed', start: NOW + 1 }), NOW)).toBe('previous');
  });

  // Shows: R-94
  test('one that the clinic is confirming is upcoming', () => {
    expect(section(anAppointment({ state: 'confirming', start: NOW + 1 }), NOW)).toBe('upcoming');
  });

  // Shows: R-52
  test('without a booking id it still shows as upcoming', () => {
    expect(section(anAppointment({ bookingNumber: null }), NOW)).toBe('upcoming');
  });
});

describe('the order of the cards (R-55)', () => {
  // Shows: R-55
  test('upcoming starts with the next appointment, the others with the latest', () => {
    const starts = [NOW + 200, NOW - 200, NOW + 100, NOW - 100];
    const all = starts.flatMap((start) => [
      anAppointment({ start }),
      anAppointment({ start, state: 'cancelled' }),
    ]);
    const { upcoming, previous, cancelled } = arrange(all, NOW);
    expect(upcoming.map(({ start }) => start)).toEqual([NOW + 100, NOW + 200]);
    expect(previous.map(({ start }) => start)).toEqual([NOW - 100, NOW - 200]);
    expect(cancelled.map(({ start }) => start)).toEqual(starts.toSorted((a, b) => b - a));
  });

  test('no appointment is lost or shown twice', () => {
    const appointment = fc.record({
      id: fc.integer(),
      start: fc.integer({ min: NOW - 1000, max: NOW + 1000 }),
      state: fc.constantFrom('booked', 'registered', 'cancelled', 'completed' as const),
    });
    fc.assert(
      fc.property(fc.array(appointment), (appointments) => {
        const { upcoming, previous, cancelled } = arrange(appointments, NOW);
        const placed = [...upcoming, ...previous, ...cancelled];
        expect(new Set(placed)).toEqual(new Set(appointments));
        expect(placed).toHaveLength(appointments.length);
      }),
    );
  });
});

test('appointments are listed from the same day two years ago on', () => {
  const now = toInstant('2026-11-21', '09:00');
  expect(shownSince(now)).toBe(toInstant('2024-11-21', '00:00'));
});

test('on 29 February that is 28 February', () => {
  expect(shownSince(toInstant('2028-02-29', '09:00'))).toBe(toInstant('2026-02-28', '00:00'));
});

const doctors = [aDoctor()];

describe('whom a card names (R-55)', () => {
  // Shows: R-55
  test("the appointment's own display information goes first", () => {
    const displayInfo = { doctorFirstName: 'Rahul', doctorLastName: 'Mehta' };
    expect(doctorOfAppointment({ doctor: '101', displayInfo }, doctors)).toEqual({
      firstName: 'Rahul',
      lastName: 'Mehta',
    });
    const lastOnly = { doctorFirstName: null, doctorLastName: 'Mehta' };
    expect(doctorOfAppointment({ doctor: null, displayInfo: lastOnly }, doctors)?.firstName).toBe(
      '',
    );
  });

  // Shows: R-55
  test('else the doctors list, else nobody', () => {
    const displayInfo = { doctorFirstName: '', doctorLastName: '' };
    expect(doctorOfAppointment({ doctor: '101', displayInfo }, doctors)).toEqual(aDoctor());
    expect(doctorOfAppointment({ doctor: '101' }, doctors)).toEqual(aDoctor());
    expect(doctorOfAppointment({ doctor: '999', displayInfo: null }, doctors)).toBeNull();
    expect(doctorOfAppointment({ doctor: null }, doctors)).toBeNull();
  });
});
