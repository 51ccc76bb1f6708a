import type { ApiAppointment, ApiHold, ApiRefusal, CallId } from '@clinic/contract';
import { HIGH_FEE_CENTS, dollarsOf } from '@clinic/domain';
import { expect } from 'vitest';

export interface Slot {
  readonly doctor: string;
  readonly start: number;
  readonly end: number;
  readonly selectedType: string;
}

/** What a device was answered, and what it had asked for. */
export interface Said {
  readonly call: CallId;
  readonly status: number;
  readonly extras: ApiRefusal['extras'];
  readonly slot?: Slot;
  readonly appointment?: ApiAppointment;
}

/** What a device shows of the patient's time. */
export function standingIn(shows: string) {
  const [list = '{}', read = '{}'] = shows.split('\n');
  const { appointments: all = [] } = JSON.parse(list) as { appointments?: ApiAppointment[] };
  const { extras } = JSON.parse(read) as { extras?: { hold: ApiHold | null } };
  return {
    all,
    booked: all.filter(({ status }) => status === 'booked'),
    held: extras?.hold ?? null,
  };
}
/** Holds a refusal against what was shown before the step and after it. */
export function isTrue(
  { call, status, extras, slot, appointment }: Said,
  before: string,
  after: string,
) {
  const { code, message, appointments: because = [] } = extras;
  const name = `${call} ${status} ${code}`;
  const [was, is] = [standingIn(before), standingIn(after)];
  const booked = [...was.booked, ...is.booked];
  const named = because.map((id) => booked.find((own) => own.id === id));
  expect({ name, named }).toEqual({ name, named: named.filter((own) => own !== undefined) });
  const hasTime = (own: ApiAppointment | undefined) =>
    own !== undefined &&
    slot !== undefined &&
    own.doctor === slot.doctor &&
    own.startTime === slot.start;
  switch (code) {
    case 'slotTaken': {
      // Nobody else is blamed for the patient's own appointment.
      const own = was.booked.filter((each) => is.booked.some(({ id }) => id === each.id));
      if (own.some(hasTime)) expect(because.length).toBeGreaterThan(0);
      expect({ name, named: named.every(hasTime) }).toEqual({ name, named: true });
      expect(message.startsWith('Someone else')).toBe(because.length === 0);
      return;
    }
    case 'oneEachDay':
      expect({ name, count: named.length }).toEqual({ name, count: 1 });
      return;
    case 'twoUpcoming':
      expect({ name, count: named.length }).toEqual({ name, count: 2 });
      return;
    case 'holdGone':
      // The hold that the device showed does not stand any more.
      expect({ name, held: is.held?.id ?? null }).not.toEqual({ name, held: was.held?.id ?? '' });
      return;
    case 'notCharged':
      expect({ name, booked: is.booked.some(hasTime) }).toEqual({ name, booked: false });
      return;
    case 'notCancellable':
    case 'notReschedulable': {
      const now = is.booked.find(({ id }) => id === appointment?.id);
      const isKept =
        now !== undefined &&
        (code === 'notReschedulable' || now.paidAmount < dollarsOf(HIGH_FEE_CENTS));
      expect({ name, isKept }).toEqual({ name, isKept: false });
      return;
    }
    case 'paymentUnderWay':
      expect({ name, held: (was.held ?? is.held) !== null }).toEqual({ name, held: true });
      return;
    default:
      expect(EXPECTED).toContain(name);
  }
}
/** What is refused whatever the other devices do. */
const EXPECTED: readonly string[] = [
  'charge 402 cardDeclined',
  // It was cancelled or moved once it was paid for.
  'charge 409 bookingChanged',
  // Two devices paid at once: the other's payment was not over.
  'charge 503 paymentUnknown',
  'changeMessage 409 messageAnswered',
];
