import { keyOfHold } from '@clinic/domain';
import { expect, test } from 'vitest';
import { aHold } from '../../../testing/booking-clinic.ts';
import { NEW_JOURNEY, nextJourney, type Journey, type JourneyEvent } from '../journey.ts';
import { holdEffect } from './keep-draft-and-hold.ts';

const hold = aHold();
const { doctor, start, end } = hold;
const slot = { doctor, start, end };
const pick: JourneyEvent = { type: 'pick', slot, form: 'standard', requestKey: 'book-picked' };
const after = (journey: Journey, ...events: readonly JourneyEvent[]) =>
  events.reduce(nextJourney, journey);
const atSlots = after(
  NEW_JOURNEY,
  { type: 'choose', search: { type: 'O', doctor: 'earliest', date: null } },
  { type: 'search', firstDay: '2026-11-22' },
);
const atConfirm = after(atSlots, pick);
const booked: JourneyEvent = {
  type: 'booked',
  booked: {
    bookingNumber: 'AB12',
    appointment: null,
    type: 'O',
    slot,
    outcome: 'booked',
    oldAppointmentStands: false,
  },
};

test('the draft is saved when a slot is picked and when its answers change, and then only', () => {
  const picked = holdEffect(atSlots, atConfirm, null);
  expect(picked).toMatchObject({ type: 'saveDraft', answers: { reason: '' } });
  const answered = after(atConfirm, { type: 'answer', reason: 'a cough' });
  const typed = holdEffect(atConfirm, answered, hold);
  expect(typed).toMatchObject({ type: 'saveDraft', answers: { reason: 'a cough' } });
  expect(holdEffect(answered, after(answered, { type: 'pay', chargeCents: 9_000 }), hold)).toBe(
    null,
  );
  expect(holdEffect(NEW_JOURNEY, atSlots, null)).toBe(null);
});

// Shows: R-30
test('a slot that is no longer in hand is released by the key of the hold that stands for it', () => {
  const left = after(atConfirm, { type: 'back' });
  const released = { type: 'letGo', release: keyOfHold(hold.id) };
  expect(holdEffect(atConfirm, left, hold)).toEqual(released);
  expect(holdEffect(atConfirm, NEW_JOURNEY, hold)).toEqual(released);
  // Of a hold on another slot, or none that is known, it is the key of the request.
  const other = aHold({ start: start + 900, end: end + 900 });
  for (const known of [other, null, undefined])
    expect(holdEffect(atConfirm, left, known)).toEqual({ type: 'letGo', release: 'book-picked' });
});

test('a slot that became an appointment is not released', () => {
  const done = after(atConfirm, booked);
  expect(holdEffect(atConfirm, done, hold)).toEqual({ type: 'letGo', release: null });
  const byClinic = aHold({ byClinic: true });
  expect(holdEffect(atConfirm, done, byClinic)).toEqual({ type: 'letGo', release: null });
});

test('a hold that the clinic placed stays when the patient leaves it', () => {
  const left = after(atConfirm, { type: 'back' });
  const byClinic = aHold({ byClinic: true });
  expect(holdEffect(atConfirm, left, byClinic)).toEqual({ type: 'askForHold' });
});
