import { describe, expect, test } from 'vitest';
import { type AppointmentState } from './appointment-state.ts';
import { UNDO_SECONDS, type UndoableAct, whyNotUndone } from './undo.ts';

const AT = 1_797_364_800;
const act = {
  kind: 'cancel' as UndoableAct,
  subject: 'one',
  until: AT + UNDO_SECONDS,
};
const facts = {
  act,
  subject: { id: 'one', state: 'cancelled' as AppointmentState, changedAt: AT, isFeeNoted: false },
  ownAppointments: [],
  now: AT,
};
const other = (state: AppointmentState, changedAt: number) => ({
  ...facts,
  ownAppointments: [{ id: 'other', state, changedAt }],
});

// Shows: R-125
describe('What staff have just done is undone', () => {
  test('for 30 seconds, and not in the next', () => {
    expect(UNDO_SECONDS).toBe(30);
    expect(whyNotUndone({ ...facts, now: AT + 29 })).toBeNull();
    expect(whyNotUndone({ ...facts, now: AT + 30 })).toBe('tooLate');
  });

  test('only as they left it', () => {
    const since = { ...facts.subject, state: 'booked' as const };
    expect(whyNotUndone({ ...facts, subject: since })).toBe('changed');
    expect(whyNotUndone({ ...facts, subject: { ...facts.subject, isFeeNoted: true } })).toBe(
      'changed',
    );
  });

  test.each([
    ['booked', 'bookedSince'],
    ['registered', 'bookedSince'],
    ['linked', 'bookedSince'],
    ['paying', 'bookedSince'],
    ['holding', null],
    ['cancelled', null],
    ['givenUp', null],
  ] as const)('where another of the patient was %s since: %s', (state, why) => {
    expect(whyNotUndone(other(state, AT))).toBe(why);
    expect(whyNotUndone(other(state, AT - 1))).toBeNull();
  });

  test('whatever else the patient booked, where it was a booking', () => {
    const booking = { ...act, kind: 'book' as const };
    const subject = { ...facts.subject, state: 'booked' as const };
    expect(whyNotUndone({ ...other('booked', AT), act: booking, subject })).toBeNull();
  });
});
