import { TYPE_CODES, aDoctor, anAppointmentType } from '@clinic/domain/testing';
import { expect, test } from 'vitest';
import '../../testing/render.tsx';
import { slotsTitle } from './booking-page.tsx';

const titles = (moving: boolean, doctor = aDoctor()) =>
  Object.fromEntries(
    TYPE_CODES.map((code) => {
      const type = anAppointmentType({ code, description: `Type ${code}` });
      return [code, slotsTitle(type, doctor, moving)];
    }),
  );

// Shows: 1.types.3, 2.pick-slot.1, R-25
test('the title of the slots has the instruction of the type, and no colon without one (R-25)', () => {
  expect(titles(false)).toEqual({
    O: 'Booking Type O with A. Stone: Come to the clinic',
    P: 'Booking Type P with A. Stone: Our provider will call you',
    PP: 'Booking Type PP with A. Stone: Our provider will call you',
    V: 'Booking Type V with A. Stone: Come to the clinic',
    I: 'Booking Type I with A. Stone',
    D: 'Booking Type D with A. Stone: Come to the clinic',
    M: 'Booking Type M with A. Stone',
    G: 'Booking Type G with A. Stone',
    F: 'Booking Type F with A. Stone',
  });
});

// Shows: 2.pick-slot.1
test('without a doctor it names none, and an appointment that moves says Reschedule', () => {
  expect(slotsTitle(anAppointmentType(), null, false)).toBe(
    'Booking In-person visit: Come to the clinic',
  );
  expect(titles(true)['O']).toBe('Reschedule Type O with A. Stone: Come to the clinic');
});

// Shows: R-24
test('the title calls a nurse practitioner by name alone (R-24)', () => {
  const avery = aDoctor({ firstName: 'Jordan NP', lastName: 'Avery' });
  expect(titles(false, avery)['O']).toBe('Booking Type O with J. Avery: Come to the clinic');
});
