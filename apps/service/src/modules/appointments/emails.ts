import { changeSentences, feeKeptWords } from '@clinic/contract/change-texts';
import { mailText } from '@clinic/contract/mail-texts';
import {
  calendarFile,
  doctorName,
  formatFee,
  appointmentMode,
  calendarUid,
  formatAppointment,
} from '@clinic/domain';
import type {
  AllowedChanges,
  AppointmentTypeCode,
  ContactPreference,
  Doctor,
  EpochSeconds,
} from '@clinic/domain';

import type { Receipt } from '../receipts/index.ts';
import { emailEnd, emailTime, subjectOf } from '../../server/email-head.ts';
import type { EmailHead } from '../../server/email-head.ts';
import type { Email } from '../../server/mail.ts';

export type AppointmentEvent = 'booked' | 'rescheduled' | 'cancelled';

/** What an email about an appointment says; never the reason. */
export interface AppointmentFacts {
  readonly appointmentId: string;
  readonly bookingNumber: string;
  readonly sequence: number;
  readonly type: AppointmentTypeCode;
  readonly contactPreference: ContactPreference | null;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly doctor: Pick<Doctor, 'firstName' | 'lastName'>;
  /** Where the appointment stood before it moved. */
  readonly movedFrom?: EpochSeconds;
  /** What was paid, in the email that says that it is booked. */
  readonly receipt?: Receipt;
  /** What may be done about the appointment when the email is written. */
  readonly changes: AllowedChanges;
  /** the clinic gave the appointment up, and gives back what was paid for it. */
  readonly byClinic?: { readonly refundedCents: number };
}

/** The email about an appointment that was booked, moved or cancelled, with its calendar file. */
export function appointmentEmail(
  event: AppointmentEvent,
  to: string,
  appointment: AppointmentFacts,
  head: EmailHead,
  writtenAt: EpochSeconds,
): Email {
  return {
    key: `appointment:${event}:${appointment.appointmentId}`,
    to,
    subject: subjectOf(mailText(`${event}Subject`), head),
    text: [...body(event, appointment), '', ...emailEnd(head)].join('\n'),
    calendar: {
      method: event === 'cancelled' ? 'CANCEL' : 'PUBLISH',
      content: calendarFile({
        method: event === 'cancelled' ? 'CANCEL' : 'PUBLISH',
        uid: calendarUid(appointment.bookingNumber),
        sequence: appointment.sequence,
        start: appointment.start,
        end: appointment.end,
        summary: mailText('calendarSummary', { clinicName: head.clinicName }),
        description: wallTime(appointment.start),
        location: isByPhone(appointment) ? mailText('byPhone') : head.clinicAddress,
        organizer: { name: head.clinicName, email: head.clinicEmail },
        writtenAt,
      }),
    },
  };
}

function body(event: AppointmentEvent, appointment: AppointmentFacts): string[] {
  const { start, doctor, movedFrom, receipt, changes, byClinic } = appointment;
  const time = mailText('withDoctor', { when: wallTime(start), doctor: doctorName(doctor) });
  if (event === 'cancelled' && byClinic)
    return [
      mailText('cancelledByClinic'),
      time,
      '',
      ...(byClinic.refundedCents > 0
        ? [mailText('refundedInFull', { fee: formatFee(byClinic.refundedCents) })]
        : []),
      mailText('bookAgain'),
    ];
  if (event === 'cancelled') {
    const feeKept = feeKeptWords(changes);
    return [mailText('cancelled'), time, ...(feeKept === null ? [] : ['', feeKept])];
  }
  return [
    mailText(event),
    time,
    ...(movedFrom === undefined ? [] : [mailText('movedFrom', { when: wallTime(movedFrom) })]),
    '',
    mailText(isByPhone(appointment) ? 'weCall' : 'comeToClinic'),
    ...(receipt ? receiptLines(receipt) : []),
    mailText('myAppointments'),
    ...changeSentences(changes, wallTime),
  ];
}

function receiptLines({ amountCents, paidAt, reference }: Receipt): string[] {
  return [
    '',
    mailText('paid', { amount: formatFee(amountCents), when: wallTime(paidAt) }),
    mailText('reference', { reference }),
    '',
  ];
}

const isByPhone = ({ type, contactPreference }: AppointmentFacts) =>
  appointmentMode(type, contactPreference) === 'phone';

const wallTime = (at: EpochSeconds) => emailTime(formatAppointment(at));
