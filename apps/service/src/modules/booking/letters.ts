import {
  calendarFile,
  doctorName,
  formatAppointment,
  formatFee,
  visitMode,
  visitUid,
} from '@clinic/domain';
import type { AppointmentTypeCode, Doctor, EpochSeconds } from '@clinic/domain';

import type { Receipt } from '../visit-money/index.ts';
import type { Letter } from '../../ports/mail.ts';

/** The clinic as its letters sign. */
export interface LetterHead {
  readonly clinicName: string;
  readonly clinicEmail: string;
  readonly clinicPhone: string;
  readonly clinicAddress: string;
}

export type VisitEvent = 'booked' | 'rescheduled' | 'cancelled';

/** What a letter about a visit says; never the reason. */
export interface VisitFacts {
  readonly claimId: string;
  readonly bookingNumber: string;
  readonly sequence: number;
  readonly type: AppointmentTypeCode;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly doctor: Pick<Doctor, 'firstName' | 'lastName'>;
  /** Where the visit stood before it moved. */
  readonly movedFrom?: EpochSeconds;
  /** What was paid, in the letter that says that it is booked. */
  readonly receipt?: Receipt;
}

const SUBJECTS: Record<VisitEvent, string> = {
  booked: 'Your appointment is booked',
  rescheduled: 'Your appointment is rescheduled',
  cancelled: 'Your appointment is cancelled',
};

/** Wall time in words, because the reader's device may know older zone rules. */
const when = (at: EpochSeconds) => `${formatAppointment(at)} Pacific time`;

/** The letter about a visit that was booked, moved or cancelled, with its calendar file. */
export function visitLetter(
  event: VisitEvent,
  to: string,
  visit: VisitFacts,
  head: LetterHead,
  writtenAt: EpochSeconds,
): Letter {
  return {
    key: `visit:${event}:${visit.claimId}`,
    to,
    subject: `${SUBJECTS[event]} - ${head.clinicName}`,
    text: [...body(event, visit), '', ...signature(head)].join('\n'),
    calendar: {
      method: event === 'cancelled' ? 'CANCEL' : 'PUBLISH',
      content: calendarFile({
        method: event === 'cancelled' ? 'CANCEL' : 'PUBLISH',
        uid: visitUid(visit.bookingNumber),
        sequence: visit.sequence,
        start: visit.start,
        end: visit.end,
        summary: `Appointment at ${head.clinicName}`,
        description: when(visit.start),
        location: visitMode(visit.type) === 'phone' ? 'By phone' : head.clinicAddress,
        organizer: { name: head.clinicName, email: head.clinicEmail },
        writtenAt,
      }),
    },
  };
}

function body(event: VisitEvent, visit: VisitFacts): string[] {
  const time = `${when(visit.start)}, with ${doctorName(visit.doctor)}`;
  if (event === 'cancelled') return ['Your appointment has been cancelled:', time];
  const moved = visit.movedFrom === undefined ? [] : [`It was: ${when(visit.movedFrom)}`];
  const opening =
    event === 'booked' ? 'Your appointment is booked:' : 'Your appointment has a new time:';
  const hint =
    visitMode(visit.type) === 'phone'
      ? 'Our provider will call you.'
      : 'Please arrive 15 minutes early and bring a photo ID and your care card.';
  return [
    opening,
    time,
    ...moved,
    '',
    hint,
    ...(visit.receipt ? receiptLines(visit.receipt) : []),
    'You can see, reschedule or cancel it under My Appointments.',
  ];
}

function receiptLines({ amountCents, paidAt, reference }: Receipt): string[] {
  return [
    '',
    `Payment received: ${formatFee(amountCents)} on ${when(paidAt)}`,
    `Reference: ${reference}`,
    '',
  ];
}

function signature(head: LetterHead): string[] {
  return [
    head.clinicName,
    head.clinicAddress,
    `Phone ${head.clinicPhone}`,
    `E-mail ${head.clinicEmail} (not for medical advice)`,
  ];
}
