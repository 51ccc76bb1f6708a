import { describe, expect, test } from 'vitest';
import { aDoctor } from '../testing/index.ts';
import { doctorOfAppointment } from './doctor-of-appointment.ts';

const doctors = [aDoctor()];

describe('whom a card names (R-55)', () => {
  // Shows: R-55
  test("the visit's own display information goes first", () => {
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
