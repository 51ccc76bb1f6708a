import { appointmentCalendar } from '@clinic/contract/calendar';
import { changeSentences, feeWords } from '@clinic/contract/change-texts';
import { mailText } from '@clinic/contract/mail-texts';
import {
  type Access,
  type AllowedChanges,
  type EpochSeconds,
  doctorName,
  formatTime,
  mailedLink,
} from '@clinic/domain';

import { type Locale, formatMoney } from '@clinic/texts';
import type { ServiceConfig } from '../../../server/config.ts';
import {
  type EmailPart,
  emailTime,
  intoAccount,
  shortTime,
  signed,
} from '../../../server/email-layout.ts';
import type { Email } from '../../../server/ports.ts';
import type { StoredAppointment } from '../appointment.ts';
import type { EmailEvent, EmailOf } from '../changes.ts';
import type { Receipt } from '../listed.store.ts';
import type { EmailFacts } from './email-facts.store.ts';

/** What an email about an appointment says; never the reason. */
export interface AppointmentFacts
  extends
    Pick<EmailFacts, 'doctor' | 'mode'>,
    Pick<StoredAppointment, 'sequence' | 'start' | 'end' | 'movedByClinic'> {
  readonly appointmentId: string;
  readonly bookingNumber: string;
  /** When the appointment started before it moved. */
  readonly movedFrom?: EpochSeconds;
  /** What was paid; only in the email that is the first since the booking. */
  readonly receipt?: Receipt;
  /** what is still to be paid at the clinic. */
  readonly dueCents?: number;
  /** Whether the patient may cancel or move the appointment when the email is written. */
  readonly changes: AllowedChanges;
  /** Why the patient may not sign in, or null. */
  readonly keptOut: Access['signIn'];
  /** Whether the patient may book such an appointment online. */
  readonly mayBookAgain: boolean;
  /** the clinic cancelled the appointment, and refunds what was paid for it. */
  readonly byClinic?: { readonly refundedCents: number };
  /** What is to be paid by a link, and until when. */
  readonly link?: EmailOf['link'];
  /** Another appointment of the patient at the same time. */
  readonly beside?: { readonly start: EpochSeconds; readonly doctor: AppointmentFacts['doctor'] };
  /** Times that were free when the clinic gave it up. */
  readonly offered?: readonly {
    readonly doctor: AppointmentFacts['doctor'];
    readonly start: EpochSeconds;
  }[];
}

/** The email about a change to an appointment, with a calendar file unless it was never booked. */
export function appointmentEmail(
  event: EmailEvent,
  appointment: AppointmentFacts,
  { to, language: locale }: Pick<EmailFacts, 'to' | 'language'>,
  { clinic, publicUrl }: Pick<ServiceConfig, 'clinic' | 'publicUrl'>,
  changedAt: EpochSeconds,
): Email {
  const method = event === 'cancelled' ? 'CANCEL' : 'PUBLISH';
  return {
    key: `appointment:${event}:${appointment.appointmentId}:${appointment.sequence}`,
    to,
    ...signed(
      locale,
      clinic,
      mailText(locale, `${event}Subject`),
      body(locale, event, appointment, publicUrl),
    ),
    // An appointment that was never booked is in no calendar.
    ...(!UNBOOKED.includes(event) && {
      calendar: {
        method,
        // A calendar keeps the newest of what it gets in any order.
        content: appointmentCalendar(locale, method, appointment, clinic, changedAt),
      },
    }),
  };
}

/** Events of appointments that were never booked. */
const UNBOOKED: readonly EmailEvent[] = ['notBooked', 'payLink', 'linkOver'];

const WHAT_NEXT = {
  inPerson: 'comeToClinic',
  either: 'comeToClinic',
  phone: 'weCall',
  video: 'weCallByVideo',
} as const;

function body(
  locale: Locale,
  event: EmailEvent,
  { byClinic, ...appointment }: AppointmentFacts,
  publicUrl: string,
): EmailPart[] {
  const { start, end, doctor, movedFrom, receipt, dueCents, changes, link } = appointment;
  const { offered = [] } = appointment;
  const timeWith = (when: string, whom: AppointmentFacts['doctor']) =>
    mailText(locale, 'withDoctor', { when, doctor: doctorName(whom) });
  const time = timeWith(emailTime(locale, start), doctor);
  const lasts = mailText(locale, 'lasts', { n: (end - start) / 60, end: formatTime(end) });
  const { keptOut } = appointment;
  const list = intoAccount(locale, keptOut, {
    label: mailText(locale, 'seeAppointments'),
    link: mailedLink(publicUrl, 'myAppointments'),
  });
  const again = appointment.mayBookAgain
    ? { label: mailText(locale, 'bookAgain'), link: mailedLink(publicUrl, 'booking') }
    : list;
  const previously =
    movedFrom === undefined
      ? []
      : [mailText(locale, 'movedFrom', { when: shortTime(locale, movedFrom) })];
  const paid = receipt ? [receiptFacts(locale, receipt)] : [];
  const { beside } = appointment;
  const stands = beside
    ? [
        mailText(locale, 'standsBeside', {
          when: timeWith(shortTime(locale, beside.start), beside.doctor),
        }),
      ]
    : [];
  if (event === 'notCancelled')
    return [mailText(locale, 'notCancelled'), [time, ...previously], ...paid, list];
  if (event === 'payLink' && link)
    return [
      mailText(locale, 'payLink', { fee: formatMoney(locale, link.feeCents) }),
      [time, lasts],
      mailText(locale, 'payLinkUntil', { until: shortTime(locale, link.until) }),
      intoAccount(locale, keptOut, {
        label: mailText(locale, 'payLinkHere'),
        link: mailedLink(publicUrl, 'booking'),
      }),
    ];
  if (event === 'linkOver') return [mailText(locale, 'linkOver'), [time], ...stands, again];
  if (event === 'notBooked')
    return [
      mailText(locale, 'notBooked'),
      [time],
      ...(movedFrom === undefined
        ? []
        : [mailText(locale, 'stillStands', { when: shortTime(locale, movedFrom) })]),
      ...stands,
      again,
    ];
  if (event === 'cancelled' && byClinic)
    return [
      mailText(locale, 'cancelledByClinic'),
      [time],
      ...stands,
      ...paid,
      ...(byClinic.refundedCents > 0
        ? [mailText(locale, 'refundedInFull', { fee: formatMoney(locale, byClinic.refundedCents) })]
        : []),
      ...(offered.length > 0
        ? [
            mailText(locale, 'freeInstead'),
            offered.map((free) => timeWith(shortTime(locale, free.start), free.doctor)),
          ]
        : []),
      again,
    ];
  if (event === 'cancelled') {
    const fee = feeWords(locale, changes);
    const kept = fee === null ? [] : [fee];
    return [mailText(locale, 'cancelled'), [time], ...stands, ...paid, ...kept, list];
  }
  const isMoved = event === 'rescheduled' && appointment.movedByClinic;
  return [
    mailText(locale, isMoved ? 'movedByClinic' : event),
    [time, lasts, ...previously],
    mailText(locale, WHAT_NEXT[appointment.mode ?? 'either']),
    ...paid,
    ...(dueCents === undefined
      ? []
      : [mailText(locale, 'dueAtClinic', { fee: formatMoney(locale, dueCents) })]),
    ...(keptOut === null ? changeSentences(locale, changes, shortTime) : []),
    list,
  ];
}

const receiptFacts = (locale: Locale, { amountCents, paidAt, reference }: Receipt): string[] => [
  mailText(locale, 'paid', {
    amount: formatMoney(locale, amountCents),
    when: shortTime(locale, paidAt),
  }),
  mailText(locale, 'reference', { reference }),
];
