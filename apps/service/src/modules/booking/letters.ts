import { changeSentences, feeKeptWords } from '@clinic/contract/change-texts';
import { mailText } from '@clinic/contract/mail-texts';
import {
  calendarFile,
  doctorName,
  formatFee,
  visitMode,
  visitUid,
  formatAppointment,
} from '@clinic/domain';
import type {
  AllowedChanges,
  AppointmentTypeCode,
  ContactPreference,
  Doctor,
  EpochSeconds,
} from '@clinic/domain';

import type { Receipt } from '../visit-money/index.ts';
import { lettersEnd, letterTime, subjectOf } from '../../platform/letter-head.ts';
import type { LetterHead } from '../../platform/letter-head.ts';
import type { Letter } from '../../ports/mail.ts';

export type VisitEvent = 'booked' | 'rescheduled' | 'cancelled';

/** What a letter about a visit says; never the reason. */
export interface VisitFacts {
  readonly claimId: string;
  readonly bookingNumber: string;
  readonly sequence: number;
  readonly type: AppointmentTypeCode;
  readonly contactPreference: ContactPreference | null;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly doctor: Pick<Doctor, 'firstName' | 'lastName'>;
  /** Where the visit stood before it moved. */
  readonly movedFrom?: EpochSeconds;
  /** What was paid, in the letter that says that it is booked. */
  readonly receipt?: Receipt;
  /** What may be done about the visit when the letter is written. */
  readonly changes: AllowedChanges;
  /** the clinic gave the visit up, and gives back what was paid for it. */
  readonly byClinic?: { readonly refundedCents: number };
}

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
    subject: subjectOf(mailText(`${event}Subject`), head),
    text: [...body(event, visit), '', ...lettersEnd(head)].join('\n'),
    calendar: {
      method: event === 'cancelled' ? 'CANCEL' : 'PUBLISH',
      content: calendarFile({
        method: event === 'cancelled' ? 'CANCEL' : 'PUBLISH',
        uid: visitUid(visit.bookingNumber),
        sequence: visit.sequence,
        start: visit.start,
        end: visit.end,
        summary: mailText('calendarSummary', { clinicName: head.clinicName }),
        description: wallTime(visit.start),
        location: isByPhone(visit) ? mailText('byPhone') : head.clinicAddress,
        organizer: { name: head.clinicName, email: head.clinicEmail },
        writtenAt,
      }),
    },
  };
}

function body(event: VisitEvent, visit: VisitFacts): string[] {
  const { start, doctor, movedFrom, receipt, changes, byClinic } = visit;
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
    mailText(isByPhone(visit) ? 'weCall' : 'comeToClinic'),
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

const isByPhone = ({ type, contactPreference }: VisitFacts) =>
  visitMode(type, contactPreference) === 'phone';

const wallTime = (at: EpochSeconds) => letterTime(formatAppointment(at));
