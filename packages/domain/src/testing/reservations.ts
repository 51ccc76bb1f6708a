import { dayTemplate } from '../booking/day-template.ts';
import { SPECIFIED_CODES } from '../booking/specified-types.ts';
import { toInstant } from '../clinic-time.ts';
import type { OwnAppointment, SlotRequest } from '../appointments/appointment.ts';
import { decideReservation } from '../appointments/reservation.ts';
import type { ReservationFacts } from '../appointments/why-not-offered.ts';
import type {
  ReservationDecision,
  ReservationPurpose,
  ReservationRequest,
} from '../appointments/reservation.ts';
import { NOW, aDoctor, aStatus, anAccount, anAppointmentType } from './index.ts';

/** Builders for the tests of a reservation: an O slot with 101, Tue Dec 15 2026 13:00. */
export type Facts = ReservationFacts<OwnAppointment>;
export const PURPOSES: readonly ReservationPurpose[] = ['hold', 'book', 'pay', 'reschedule'];

export const start = toInstant('2026-12-15', '13:00');
export const slot: SlotRequest = { providerId: '101', start, end: start + 300, type: 'O' };
export const KEY = 'sent:one';
export const HOLD = 'the-hold';

/** A booked appointment on the slot, that may be moved. */
export function own(over: Partial<OwnAppointment> = {}): OwnAppointment {
  return {
    ...slot,
    id: 'booked-one',
    state: 'booked',
    holdPlacedAt: null,
    holdExpiresAt: null,
    cancelAskedAt: null,
    rescheduledFrom: null,
    requestKey: null,
    bookingNumber: 'AB12',
    paidNow: 0,
    isReschedulable: true,
    isCancellable: true,
    movedByClinic: false,
    bookedBy: null,
    ...over,
  };
}
/** A hold on the slot, placed four minutes ago. */
export const hold = (over: Partial<OwnAppointment> = {}) =>
  own({
    id: HOLD,
    state: 'holding',
    bookingNumber: null,
    holdPlacedAt: NOW - 240,
    holdExpiresAt: NOW + 360,
    ...over,
  });
export const elsewhere = { start: start + 3600, end: start + 3900 };
export const tomorrow = { start: start + 86_400, end: start + 86_700 };
export const lapsed = { holdPlacedAt: NOW - 700, holdExpiresAt: NOW - 100 };

export interface Case {
  readonly facts?: Partial<Omit<Facts, 'patient'>>;
  readonly patient?: Partial<Facts['patient']>;
  readonly request?: Partial<ReservationRequest>;
}

export function factsOf({ facts, patient }: Case): Facts {
  return {
    patient: {
      eligibility: 'E',
      familyDoctor: false,
      account: anAccount(),
      blockedProviders: [],
      disabledTypes: [],
      documentsUploaded: false,
      medicalProfileKept: false,
      ...patient,
    },
    type: anAppointmentType(),
    provider: { ...aDoctor(), status: aStatus() },
    template: dayTemplate([{ from: 0, to: 288, code: 'O' }]),
    codes: SPECIFIED_CODES,
    pace: null,
    primaryDoctor: 'unasked',
    ownAppointments: [],
    retryAfter: null,
    now: NOW,
    ...facts,
  };
}

const requestOf = (purpose: ReservationPurpose, over: Case['request']): ReservationRequest => ({
  purpose,
  slot,
  requestKey: purpose === 'hold' ? null : KEY,
  keyHoldId: null,
  rescheduleOf: null,
  forPayment: false,
  ...over,
});

export const decide = (purpose: ReservationPurpose, given: Case) =>
  decideReservation(factsOf(given), requestOf(purpose, given.request));

/** 'take' for a grant, with everything that it does; of the other decisions what they are about. */
export function inWords(decision: ReservationDecision<OwnAppointment>): string {
  switch (decision.kind) {
    case 'refused':
      return `${decision.code}${decision.retryAfter === undefined ? '' : ` ${decision.retryAfter}`}`;
    case 'repeat':
      return `repeat ${decision.appointment.id}`;
    case 'askPrimaryDoctor':
      return decision.kind;
    case 'alreadyHeld':
      return `keep ${decision.hold.id}`;
    case 'cancelPayment':
      return `give up the payment of ${decision.hold.id}`;
    case 'grant': {
      const {
        hold: before,
        replacedHold: replaces,
        oldAppointment: moves,
        period: terms,
        paidCents,
      } = decision;
      return [
        before ? `renew ${before.id}` : 'take',
        ...(replaces ? [`replaces ${replaces.id}`] : []),
        ...(moves ? [`moves ${moves.id}`] : []),
        ...(paidCents > 0 ? [`paid ${paidCents}`] : []),
        `${(terms.placedAt - NOW) / 60}..${(terms.expiresAt - NOW) / 60} min`,
      ].join(', ');
    }
  }
}
