import {
  type AppointmentEvent,
  type AppointmentState,
  isConfirming,
  isPaying,
  statusOf,
} from '@clinic/domain';

import { type Part, part } from '../../database/db.ts';

/**
 * The state of the appointment `of` of a statement, such as `c`: its word, and what may be asked of it, as the
 * functions of the domain under the same names ask it. Only this file knows the columns that the state
 * stands in: `state`, `confirming` and `paying`, for a hold also whether `booked_by`, and once it is released
 * whether `hold_expires_at_s` is null; and `paid_cents`, a copy of what is paid that nothing reads. They are
 * those of version 0.2.0, which serves beside and reads the copy.
 */
export function stateIn(of: string) {
  const c = part([of]);
  return {
    word: part`
      case ${c}.state
        when 'held' then case
          when ${c}.confirming and not ${c}.paying then 'confirming'
          when ${c}.booked_by is null
            then case when ${c}.confirming then 'confirmingPaid' when ${c}.paying then 'paying' else 'holding' end
          when ${c}.confirming then 'linkedConfirming'
          when ${c}.paying then 'linkedPaying'
          else 'linked' end
        when 'released' then case when ${c}.hold_expires_at_s is null then 'givenUp' else 'lapsed' end
        when 'no-show' then 'noShow'
        else ${c}.state end`,
    standsBooked: part`${c}.state in ('booked', 'registered')`,
    keptItsTime: part`${c}.state in ('booked', 'registered', 'no-show', 'completed')`,
    wasBooked: part`${c}.state not in ('held', 'released')`,
    isHold: part`${c}.state = 'held'`,
    mayLapse: part`(${c}.state = 'held' and not ${c}.confirming and not ${c}.paying)`,
    isUnderWay: part`(${c}.state = 'held' and (${c}.confirming or ${c}.paying))`,
    isPaying: part`(${c}.state = 'held' and ${c}.paying)`,
    isConfirming: part`(${c}.state = 'held' and ${c}.confirming)`,
    isLinked: part`(${c}.state = 'held' and not ${c}.confirming and ${c}.booked_by is not null)`,
    isReleased: part`${c}.state = 'released'`,
    /** Whether it is in this state, which has a word of its own in the column. */
    is: (state: 'booked' | 'registered' | 'cancelled' | 'rescheduled' | 'noShow' | 'completed') =>
      part([`${of}.state = '${statusOf(state)}'`]),
  };
}

/** Of the appointment `c`. */
export const own = stateIn('c');

/** Whether an event can happen to the appointment `c`, as `nextAppointment` says. */
export const mayBecome: Record<AppointmentEvent, Part> = {
  hold: own.mayLapse,
  link: part`${own.mayLapse} and c.booked_by is null`,
  pay: part`(${own.mayLapse} or ${own.isPaying})`,
  ask: part`${own.isHold} and not c.confirming`,
  unwritten: own.isConfirming,
  unpaid: own.isPaying,
  book: own.isHold,
  lapse: own.mayLapse,
  giveUp: part`c.state in ('held', 'released') and c.hold_expires_at_s is not null and not c.paying`,
  arrive: own.standsBooked,
  expect: part`(${own.is('registered')} or ${own.is('noShow')})`,
  complete: own.is('registered'),
  miss: own.standsBooked,
  cancel: own.standsBooked,
  move: own.standsBooked,
};

/** The column of the copy. */
export const PAID_COPY = part`paid_cents`;

const NOT_ASKED = part`confirming = false, emr_unsent_until_s = null`;
const RELEASED = part`state = 'released', ${NOT_ASKED}, paying = false`;

/**
 * The assignments by which an event changes the state. `link` goes with the member of staff in `booked_by`,
 * and `ask` with `emr_unsent_until_s`.
 */
export const becomes: Record<AppointmentEvent, Part> = {
  hold: part`paying = false`,
  link: part`paying = false`,
  pay: part`paying = true`,
  ask: part`confirming = true`,
  unwritten: part`
    ${NOT_ASKED}, booked_by = case when paying then booked_by end,
    paid_cents = case when paying then paid_cents else 0 end`,
  unpaid: part`
    paying = false, ${NOT_ASKED}, booked_by = case when confirming then null else booked_by end,
    paid_cents = 0`,
  book: part`state = 'booked', ${NOT_ASKED}, paying = false, hold_expires_at_s = null`,
  lapse: RELEASED,
  giveUp: part`${RELEASED}, hold_expires_at_s = null`,
  arrive: part`state = 'registered'`,
  expect: part`state = 'booked'`,
  complete: part`state = 'completed'`,
  miss: part`state = 'no-show'`,
  cancel: part`state = 'cancelled'`,
  move: part`state = 'rescheduled', paid_cents = 0`,
};

/** The columns of a new appointment's state, and their values; with `booked_by`, a hold is linked. */
export const STATE_COLUMNS = part`state, confirming, paying`;
export const stateValues = (state: AppointmentState) => part`
  ${statusOf(state)}::text, ${isConfirming({ state })}::boolean, ${isPaying({ state })}::boolean`;
