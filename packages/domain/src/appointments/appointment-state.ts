/**
 * The state of an appointment, from the moment its time is held (docs/booking-and-payment.md). Who held it,
 * until when a hold lasts, whose payment it is and since when the EMR is to cancel it are facts beside it. Beside
 * each state stands its word in the API and in the database, which tell less.
 */
const STATUS_OF = {
  holding: 'held',
  linked: 'held',
  paying: 'held',
  linkedPaying: 'held',
  confirming: 'held',
  confirmingPaid: 'held',
  linkedConfirming: 'held',
  booked: 'booked',
  registered: 'registered',
  lapsed: 'released',
  givenUp: 'released',
  cancelled: 'cancelled',
  rescheduled: 'rescheduled',
  noShow: 'no-show',
  completed: 'completed',
} as const;
export type AppointmentState = keyof typeof STATUS_OF;
export const APPOINTMENT_STATES = Object.keys(STATUS_OF) as readonly AppointmentState[];

/**
 * What changes the state. `hold`: its patient holds it, or holds it for longer. `link`: staff hold it for a
 * payment link. `pay`: a payment begins or goes on. `askEmr`: the EMR is asked to book it. `unwritten`: the EMR
 * was sent nothing or has written nothing. `unpaid`: the payment is over and took no money. `book`: nothing is
 * to be waited for, or what it waited for has come. `expect`: an arrival or a no-show is taken back. `undo`: staff
 * take back what they have just booked, cancelled or moved.
 */
export const APPOINTMENT_EVENTS = [
  'hold',
  'link',
  'pay',
  'askEmr',
  'unwritten',
  'unpaid',
  'book',
  'lapse',
  'giveUp',
  'arrive',
  'expect',
  'complete',
  'miss',
  'cancel',
  'move',
  'undo',
] as const;
export type AppointmentEvent = (typeof APPOINTMENT_EVENTS)[number];

type Steps = Partial<Record<AppointmentEvent, AppointmentState>>;

const FIRST: Steps = {
  hold: 'holding',
  link: 'linked',
  pay: 'paying',
  askEmr: 'confirming',
  book: 'booked',
};

const STEPS: Record<AppointmentState, Steps> = {
  holding: { ...FIRST, lapse: 'lapsed', giveUp: 'givenUp' },
  linked: {
    hold: 'linked',
    pay: 'linkedPaying',
    askEmr: 'confirming',
    book: 'booked',
    lapse: 'lapsed',
    giveUp: 'givenUp',
  },
  paying: { pay: 'paying', askEmr: 'confirmingPaid', unpaid: 'holding', book: 'booked' },
  linkedPaying: {
    pay: 'linkedPaying',
    askEmr: 'linkedConfirming',
    unpaid: 'linked',
    book: 'booked',
  },
  confirming: { unwritten: 'holding', book: 'booked', giveUp: 'givenUp' },
  confirmingPaid: { pay: 'confirmingPaid', unwritten: 'paying', unpaid: 'holding', book: 'booked' },
  linkedConfirming: {
    pay: 'linkedConfirming',
    unwritten: 'linkedPaying',
    // The EMR did not confirm it in time: its link is over too.
    unpaid: 'holding',
    book: 'booked',
  },
  booked: {
    arrive: 'registered',
    miss: 'noShow',
    cancel: 'cancelled',
    move: 'rescheduled',
    undo: 'givenUp',
  },
  registered: {
    // The patient goes into the room, or comes out again.
    arrive: 'registered',
    expect: 'booked',
    complete: 'completed',
    miss: 'noShow',
    cancel: 'cancelled',
    move: 'rescheduled',
  },
  // Given up after it lapsed, so that a late request for it books nothing.
  lapsed: { giveUp: 'givenUp' },
  noShow: { expect: 'booked' },
  givenUp: {},
  cancelled: { undo: 'booked' },
  rescheduled: { undo: 'booked' },
  completed: {},
};

/** The state that follows; null where the event cannot happen. The state null is a new appointment. */
export const following = (
  state: AppointmentState | null,
  event: AppointmentEvent,
): AppointmentState | null => (state === null ? FIRST : STEPS[state])[event] ?? null;

/** Like `following`; throws where the event cannot happen. */
export function nextAppointment(
  state: AppointmentState | null,
  event: AppointmentEvent,
): AppointmentState {
  const next = following(state, event);
  if (next === null) throw new Error(`'${event}' cannot happen to what is ${state ?? 'new'}`);
  return next;
}

interface InState {
  readonly state: AppointmentState;
}

const isOneOf =
  (...states: readonly AppointmentState[]) =>
  ({ state }: InState): boolean =>
    states.includes(state);

/** Whether it is booked, or its patient has arrived; not once it has ended. */
export const isBooked = isOneOf('booked', 'registered');

/** Whether it is booked or was until its time: neither given up before nor moved away. */
export const keptItsTime = isOneOf('booked', 'registered', 'noShow', 'completed');

/** Whether it was booked at any time, whatever became of it. */
export const wasBooked = (of: InState): boolean =>
  keptItsTime(of) || of.state === 'cancelled' || of.state === 'rescheduled';

/** Whether its time is held and not booked yet. */
export const isHold = (of: InState): boolean => mayLapse(of) || isUnderWay(of);

/** Whether it ends by the clock, and its patient may change it: nobody is asked and nothing is paid. */
export const mayLapse = isOneOf('holding', 'linked');

/** Whether a payment or the EMR is under way: only its answer books it or ends it. */
export const isUnderWay = (of: InState): boolean => isPaying(of) || isConfirming(of);

/** Whether a payment is under way. */
export const isPaying = isOneOf('paying', 'linkedPaying', 'confirmingPaid', 'linkedConfirming');

/** Whether the EMR was asked to book it, and has not answered. */
export const isConfirming = isOneOf('confirming', 'confirmingPaid', 'linkedConfirming');

/** Whether staff hold it for a patient who is to pay by a payment link. */
export const hasPaymentLink = isOneOf('linked', 'linkedPaying');

/** Whether it was a hold that ended without a booking. */
export const isReleased = isOneOf('lapsed', 'givenUp');

/** The state in the words of the API and of the database, which tell less. */
export type AppointmentStatus = (typeof STATUS_OF)[AppointmentState];
export const APPOINTMENT_STATUSES: readonly AppointmentStatus[] = [
  ...new Set(Object.values(STATUS_OF)),
];

export const statusOf = (state: AppointmentState): AppointmentStatus => STATUS_OF[state];
