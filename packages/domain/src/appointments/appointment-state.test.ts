import { describe, expect, it, test } from 'vitest';
import {
  APPOINTMENT_EVENTS,
  APPOINTMENT_STATES,
  APPOINTMENT_STATUSES,
  type AppointmentState,
  following,
  nextAppointment,
  statusOf,
} from './appointment-state.ts';

/** Every pair by state: 'event: next state'. What is not named is an error. */
const TABLE: Record<AppointmentState | 'new', string> = {
  new: 'hold: holding, link: linked, pay: paying, askEmr: confirming, book: booked',
  holding:
    'hold: holding, link: linked, pay: paying, askEmr: confirming, book: booked, lapse: lapsed, giveUp: givenUp',
  linked:
    'hold: linked, pay: linkedPaying, askEmr: confirming, book: booked, lapse: lapsed, giveUp: givenUp',
  paying: 'pay: paying, askEmr: confirmingPaid, unpaid: holding, book: booked',
  linkedPaying: 'pay: linkedPaying, askEmr: linkedConfirming, unpaid: linked, book: booked',
  confirming: 'unwritten: holding, book: booked, giveUp: givenUp',
  confirmingPaid: 'pay: confirmingPaid, unwritten: paying, unpaid: holding, book: booked',
  linkedConfirming: 'pay: linkedConfirming, unwritten: linkedPaying, unpaid: holding, book: booked',
  booked: 'arrive: registered, miss: noShow, cancel: cancelled, move: rescheduled, undo: givenUp',
  registered:
    'arrive: registered, expect: booked, complete: completed, miss: noShow, cancel: cancelled, move: rescheduled',
  lapsed: 'giveUp: givenUp',
  noShow: 'expect: booked',
  givenUp: '',
  cancelled: 'undo: booked',
  rescheduled: 'undo: booked',
  completed: '',
};

const STARTS = [null, ...APPOINTMENT_STATES];

/** Every state that can be reached from one, by any events. */
function reachedFrom(state: AppointmentState | null): Set<AppointmentState> {
  const reached = new Set<AppointmentState>();
  const waiting = [state];
  for (const from of waiting)
    for (const event of APPOINTMENT_EVENTS) {
      const next = following(from, event);
      if (next === null || reached.has(next)) continue;
      reached.add(next);
      waiting.push(next);
    }
  return reached;
}

describe('The states of an appointment', () => {
  it.each(STARTS)('go from %s where the table says, and nowhere else', (state) => {
    const goes = APPOINTMENT_EVENTS.flatMap((event) => {
      const next = following(state, event);
      return next === null ? [] : [`${event}: ${next}`];
    });
    expect(goes.join(', ')).toBe(TABLE[state ?? 'new']);
  });

  it('do not go where the table does not say', () => {
    expect(() => nextAppointment('cancelled', 'book')).toThrow("'book' cannot happen");
    expect(() => nextAppointment(null, 'cancel')).toThrow("'cancel' cannot happen");
  });

  it('are all reached', () => {
    expect([...reachedFrom(null)].toSorted()).toEqual(APPOINTMENT_STATES.toSorted());
  });

  test.each(APPOINTMENT_STATES.filter((state) => statusOf(state) === 'held'))(
    '%s can end as booked and as given up',
    (state) => {
      expect([...reachedFrom(state)]).toEqual(expect.arrayContaining(['booked', 'givenUp']));
    },
  );

  // Shows: R-44
  test.each(['paying', 'linkedPaying', 'confirmingPaid', 'linkedConfirming'] as const)(
    '%s neither lapses nor is given up before its payment is over',
    (state) => {
      expect([following(state, 'lapse'), following(state, 'giveUp')]).toEqual([null, null]);
    },
  );

  // Shows: R-94
  test.each(['confirming', 'confirmingPaid', 'linkedConfirming'] as const)(
    '%s does not lapse',
    (state) => {
      expect(following(state, 'lapse')).toBeNull();
    },
  );

  it('have each a status of the API, and every status has one of them', () => {
    expect([...new Set(APPOINTMENT_STATES.map(statusOf))].toSorted()).toEqual(
      APPOINTMENT_STATUSES.toSorted(),
    );
  });
});
