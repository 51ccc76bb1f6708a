import {
  APPOINTMENT_EVENTS,
  APPOINTMENT_STATES,
  type AppointmentEvent,
  type AppointmentState,
  type EpochSeconds,
  following,
  isConfirming,
  isHold,
  isPaying,
  statusOf,
} from '@clinic/domain';

import { type Part, part } from '../../database/db.ts';

/**
 * The state of the appointment `of` of a statement, such as `c`: its word, and what may be asked of it, as the
 * functions of the domain under the same names ask it. Only this file knows the columns of the
 * state: `state`, `confirming` and `paying`, for a hold also whether `booked_by`, and once it is released
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
    isBooked: part`${c}.state in ('booked', 'registered')`,
    keptItsTime: part`${c}.state in ('booked', 'registered', 'no-show', 'completed')`,
    wasBooked: part`${c}.state not in ('held', 'released')`,
    isHold: part`${c}.state = 'held'`,
    mayLapse: part`(${c}.state = 'held' and not ${c}.confirming and not ${c}.paying)`,
    isUnderWay: part`(${c}.state = 'held' and (${c}.confirming or ${c}.paying))`,
    isPaying: part`(${c}.state = 'held' and ${c}.paying)`,
    isConfirming: part`(${c}.state = 'held' and ${c}.confirming)`,
    hasPaymentLink: part`(${c}.state = 'held' and not ${c}.confirming and ${c}.booked_by is not null)`,
    isReleased: part`${c}.state = 'released'`,
    /** Whether a hold that has lapsed had a payment link. */
    hadPaymentLink: part`${c}.booked_by is not null`,
    /** Whether it is in this state, which has a word of its own in the column. */
    is: (state: 'booked' | 'registered' | 'cancelled' | 'rescheduled' | 'noShow' | 'completed') =>
      part([`${of}.state = '${statusOf(state)}'`]),
  };
}

/** Of the appointment `c`. */
export const own = stateIn('c');

/** The column of the copy. */
export const PAID_CENTS_COPY = part`paid_cents`;

/** What is written of a state; a column that names itself stays as it is. */
const columnsOf = (state: AppointmentState): Readonly<Record<string, string>> => ({
  state: `'${statusOf(state)}'`,
  confirming: String(isConfirming({ state })),
  paying: String(isPaying({ state })),
  emr_unsent_until_s: isConfirming({ state }) ? 'c.emr_unsent_until_s' : 'null',
  hold_expires_at_s: isHold({ state }) || state === 'lapsed' ? 'c.hold_expires_at_s' : 'null',
  booked_by: state === 'holding' ? 'null' : 'c.booked_by',
});

interface Step {
  readonly from: AppointmentState;
  readonly to: AppointmentState;
}

/** The assignment of a column; none where each of the steps leaves it as it is. */
function assigned(column: string, steps: readonly Step[]): Part[] {
  const values = steps.map(({ to }) => columnsOf(to)[column]);
  if (values.every((value) => value === `c.${column}`)) return [];
  if (new Set(values).size === 1) return [part([`${column} = ${values[0]}`])];
  const whens = steps.map(({ from }, at) => `when '${from}' then ${values[at]}`);
  return [part`${part([column])} = case ${own.word} ${part([whens.join(' ')])} end`];
}

function changeBy(event: AppointmentEvent) {
  const steps = APPOINTMENT_STATES.flatMap((from) => {
    const to = following(from, event);
    return to === null ? [] : [{ from, to }];
  });
  const columns = Object.keys(columnsOf('booked')).flatMap((column) => assigned(column, steps));
  const set = columns.reduce((all, each) => part`${all}, ${each}`);
  const from = part([`(${steps.map((step) => `'${step.from}'`).join(', ')})`]);
  return { set, happens: part`${own.word} in ${from}` };
}

const CHANGES = new Map(APPOINTMENT_EVENTS.map((event) => [event, changeBy(event)]));

/**
 * The one way to change states: updates the appointments `c` that are `which`, where `nextAppointment` has a
 * state for the event. `also` assigns more columns; with `link`, `booked_by`; with `askEmr`, `emr_unsent_until_s`.
 */
export function change(
  event: AppointmentEvent,
  which: Part,
  now: EpochSeconds,
  also: Part = part``,
): Part {
  const { set, happens } = CHANGES.get(event) ?? changeBy(event);
  return part`
    update appointment c set ${set}, changed_at_s = ${now}::bigint${also} where ${which} and ${happens}`;
}

/** The columns of a new appointment's state, and their values; with `booked_by`, a hold has a payment link. */
export const STATE_COLUMNS = part`state, confirming, paying`;
export const stateValues = (state: AppointmentState) => part`
  ${statusOf(state)}::text, ${isConfirming({ state })}::boolean, ${isPaying({ state })}::boolean`;
