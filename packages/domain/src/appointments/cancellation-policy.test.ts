import { describe, expect, test } from 'vitest';
import { anAppointment } from '../testing/index.ts';
import {
  allowedChanges,
  showsNoShowNote,
  whyCannotCancel,
  whyCannotReschedule,
} from './cancellation-policy.ts';

const HOUR = 3600;
const { start } = anAppointment();

describe('who may cancel (§5 Cancel and reschedule buttons, R-53)', () => {
  // Shows: 5.buttons.1, 9.fees.2, R-53
  test('more than 6 hours ahead, not at 6 hours', () => {
    expect(whyCannotCancel(anAppointment(), start - 6 * HOUR - 1)).toBeNull();
    expect(whyCannotCancel(anAppointment(), start - 6 * HOUR)).toBe('tooLate');
  });

  // Shows: 5.buttons.1, 9.fees.1, R-53
  test('paid under 140, not from 140 on', () => {
    const longBefore = start - 48 * HOUR;
    expect(whyCannotCancel(anAppointment({ paidNow: 13_999 }), longBefore)).toBeNull();
    expect(whyCannotCancel(anAppointment({ paidNow: 14_000 }), longBefore)).toBe('paid');
  });

  // Shows: R-53
  test('isCancellable false refuses, null does not', () => {
    const longBefore = start - 48 * HOUR;
    expect(whyCannotCancel(anAppointment({ isCancellable: false }), longBefore)).toBe(
      'notCancellable',
    );
    expect(whyCannotCancel(anAppointment({ isCancellable: null }), longBefore)).toBeNull();
  });

  test('a registered appointment may be cancelled, one without a booking id or past may not', () => {
    const longBefore = start - 48 * HOUR;
    expect(whyCannotCancel(anAppointment({ state: 'registered' }), longBefore)).toBeNull();
    expect(whyCannotCancel(anAppointment({ bookingNumber: null }), longBefore)).toBe('noBooking');
    expect(whyCannotCancel(anAppointment(), start)).toBe('notEditable');
    expect(whyCannotCancel(anAppointment({ state: 'cancelled' }), longBefore)).toBe('notEditable');
  });
});

// Shows
test('whom the clinic moved may cancel until the start, whatever was paid, and it goes back', () => {
  const moved = { movedByClinic: true, paidNow: 20_000, isCancellable: false };
  expect(allowedChanges(anAppointment(moved), start - 1)).toMatchObject({
    cancel: { allowed: true, before: start },
    feeKeptCents: 0,
    feeBackCents: 20_000,
    noShowNote: false,
  });
  expect(whyCannotCancel(anAppointment(moved), start)).toBe('notEditable');
  expect(whyCannotReschedule(anAppointment(moved), start - HOUR)).toBe('tooLate');
  expect(whyCannotCancel(anAppointment({ ...moved, state: 'registered' }), start - HOUR)).toBe(
    'tooLate',
  );
  const own = { ...moved, movedByClinic: false };
  expect(allowedChanges(anAppointment(own), start - 48 * HOUR)).toMatchObject({
    cancel: { allowed: false },
    feeKeptCents: 20_000,
    feeBackCents: 0,
  });
});

describe('who may reschedule (§5 Cancel and reschedule buttons, R-53)', () => {
  // Shows: 5.buttons.2, 9.fees.2, R-53
  test('more than 24 hours ahead, not at 24 hours', () => {
    expect(whyCannotReschedule(anAppointment(), start - 24 * HOUR - 1)).toBeNull();
    expect(whyCannotReschedule(anAppointment(), start - 24 * HOUR)).toBe('tooLate');
  });

  // Shows: 5.buttons.2
  test('only while it is reschedulable', () => {
    const fixed = anAppointment({ isReschedulable: false });
    expect(whyCannotReschedule(fixed, start - 48 * HOUR)).toBe('notReschedulable');
  });

  test('a paid appointment may be moved', () => {
    const paid = anAppointment({ paidNow: 20_000, isCancellable: false });
    expect(whyCannotReschedule(paid, start - 48 * HOUR)).toBeNull();
  });

  test('not without a booking id, not when past or cancelled', () => {
    const longBefore = start - 48 * HOUR;
    expect(whyCannotReschedule(anAppointment({ bookingNumber: null }), longBefore)).toBe(
      'noBooking',
    );
    expect(whyCannotReschedule(anAppointment(), start + 1)).toBe('notEditable');
    expect(whyCannotReschedule(anAppointment({ state: 'completed' }), longBefore)).toBe(
      'notEditable',
    );
  });
});

describe('the no-show note (§2 Booking step 3, R-38)', () => {
  // Shows: 2.confirm.10, 9.fees.2, R-38
  test('appears at 6 hours ahead and less, not at a second more', () => {
    expect(showsNoShowNote(start, start - 6 * HOUR - 1)).toBe(false);
    expect(showsNoShowNote(start, start - 6 * HOUR)).toBe(true);
    expect(showsNoShowNote(start, start - 1800)).toBe(true);
  });

  test('appears exactly where cancelling would be too late', () => {
    for (const now of [start - 6 * HOUR - 1, start - 6 * HOUR, start - 1])
      expect(showsNoShowNote(start, now)).toBe(whyCannotCancel(anAppointment(), now) === 'tooLate');
  });
});
