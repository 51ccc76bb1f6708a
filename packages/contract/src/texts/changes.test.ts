import {
  allowedChanges,
  ELIGIBILITIES,
  isCancellableBy,
  whyCannotCancel,
  whyCannotReschedule,
} from '@clinic/domain';
import type { Appointment } from '@clinic/domain';
import { TYPE_CODES, anAppointment, specifiedType } from '@clinic/domain/testing';
import { describe, expect, test } from 'vitest';

import { changeSentences, feeWords } from './changes.ts';

const HOUR = 3600;
const { start } = anAppointment();
const at = (hours: number) => start - hours * HOUR;
const said = (over: Partial<Appointment>, hours: number) =>
  changeSentences('en', allowedChanges(anAppointment(over), at(hours)));

describe('what is said of an appointment', () => {
  test.each([
    [
      'free, two days ahead',
      {},
      48,
      [
        'You can cancel it in My Appointments before Tue Dec 15 2026 07:00.',
        'You can reschedule it in My Appointments before Mon Dec 14 2026 13:00.',
      ],
    ],
    [
      'paid, 16 hours ahead',
      { paidNow: 7_500 },
      16,
      [
        'You can cancel it in My Appointments before Tue Dec 15 2026 07:00. The fee of CAD 75.00 is non-refundable.',
        'It starts within 24 hours and cannot be rescheduled.',
      ],
    ],
    [
      'paid 140 or more, two days ahead',
      { paidNow: 20_000 },
      48,
      [
        'It cannot be cancelled, and the fee of CAD 200.00 is non-refundable.',
        'You can reschedule it in My Appointments before Mon Dec 14 2026 13:00.',
      ],
    ],
    [
      'private, not cancellable, not to be moved',
      { isCancellable: false, isReschedulable: false },
      48,
      [
        'A private appointment like this one cannot be cancelled.',
        'It cannot be rescheduled online.',
      ],
    ],
    [
      'free, 5 hours ahead',
      {},
      5,
      [
        'It starts within 6 hours and can no longer be cancelled online.',
        'It cannot be rescheduled either.',
      ],
    ],
    [
      'moved by the clinic, paid 140 or more, an hour ahead',
      { movedByClinic: true, paidNow: 20_000 },
      1,
      [
        'You can cancel it in My Appointments before Tue Dec 15 2026 13:00. The fee of CAD 200.00 is given back in full.',
        'It starts within 24 hours and cannot be rescheduled.',
      ],
    ],
    ['cancelled', { state: 'cancelled' as const }, 48, []],
    ['without a booking', { bookingNumber: null }, 48, []],
    ['over', {}, -1, []],
  ])('%s', (_, over, hours, sentences) => {
    expect(said(over, hours)).toEqual(sentences);
  });

  test('of one whose start is not chosen yet names the hours ahead', () => {
    const planned = { ...anAppointment({ paidNow: 7_500 }), start: null };
    expect(changeSentences('en', allowedChanges(planned, at(0)))).toEqual([
      'You can cancel it in My Appointments up to 6 hours before it starts. The fee of CAD 75.00 is non-refundable.',
      'You can reschedule it in My Appointments up to 24 hours before it starts.',
    ]);
  });

  test('a fee that is kept is named, and none is not', () => {
    const fees = [0, 1_000].map((feeKeptCents) =>
      feeWords('en', { feeKeptCents, feeBackCents: 0 }),
    );
    expect(fees).toEqual([null, 'The fee of CAD 10.00 is non-refundable.']);
  });
});

// Shows: R-96
test('the words never promise what is refused, and never deny what is allowed (R-53, R-96)', () => {
  const untrue: unknown[] = [];
  for (const [one, now] of everyCase()) {
    const words = changeSentences('en', allowedChanges(one, now)).join(' ');
    const stands = words !== '';
    const mayCancel = whyCannotCancel(one, now) === null;
    const mayMove = whyCannotReschedule(one, now) === null;
    const dear = one.isCancellable !== false && one.paidNow >= 14_000;
    const facts = [
      words.includes('You can cancel') === mayCancel,
      words.includes('You can reschedule') === mayMove,
      /can(not| no longer) be cancelled/.test(words) === (stands && !mayCancel),
      words.includes('cannot be rescheduled') === (stands && !mayMove),
      words.includes('non-refundable') === (stands && one.paidNow > 0 && (mayCancel || dear)),
    ];
    if (facts.includes(false)) untrue.push({ one, hoursLeft: (one.start - now) / HOUR, words });
  }
  expect(untrue).toEqual([]);
});

/** Each type and eligibility, with and without a fee, at both sides of every limit. */
function* everyCase(): Generator<[Appointment, number]> {
  for (const type of TYPE_CODES)
    for (const eligibility of ELIGIBILITIES)
      for (const paidNow of [0, 1, 13_999, 14_000, 20_000])
        for (const isReschedulable of [true, false])
          for (const state of ['booked', 'registered', 'cancelled'] as const)
            for (const hours of [-1, 0, 6, 6 + 1 / HOUR, 16, 24, 24 + 1 / HOUR, 2000]) {
              const isCancellable = isCancellableBy(eligibility, specifiedType(type));
              const facts = { isCancellable, isReschedulable, paidNow, state };
              yield [anAppointment(facts), at(hours)];
            }
}

// Shows: R-96
test('what is allowed ends with the instant that the words name', () => {
  const { cancel, reschedule } = allowedChanges(anAppointment(), at(48));
  for (const [change, refused] of [
    [cancel, whyCannotCancel],
    [reschedule, whyCannotReschedule],
  ] as const) {
    const before = change.allowed ? (change.before ?? 0) : 0;
    expect(refused(anAppointment(), before - 1)).toBeNull();
    expect(refused(anAppointment(), before)).toBe('tooLate');
  }
});
