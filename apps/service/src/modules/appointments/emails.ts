import { changeSentences, feeWords } from '@clinic/contract/change-texts';
import { mailText } from '@clinic/contract/mail-texts';
import {
  type AllowedChanges,
  type Doctor,
  type EpochSeconds,
  type FeeAtClinic,
  type OfferedTime,
  allowedChanges,
  calendarFile,
  calendarUid,
  doctorName,
  formatTime,
} from '@clinic/domain';

import { type Locale, formatMoney } from '@clinic/texts';
import type { OutboxPayload } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import type { ServiceConfig } from '../../server/config.ts';
import { type EmailPart, emailTime, signed } from '../../server/emails.ts';
import type { Email } from '../../server/ports.ts';
import { type AppointmentEvent, APPOINTMENT_EMAIL, type EmailOf, isEvent } from './changes.ts';
import { keptProviders } from '../records/index.ts';
import type { StoredAppointment } from './appointment.ts';
import { type EmailFacts, type Receipt, emailFacts } from './listed.store.ts';

/** Writes and sends the emails queued in the outbox; the rows themselves name nobody. */
export function sendAppointmentEmails({
  outbox,
  database,
  mail,
  clock,
  config,
  parts,
}: Platform): void {
  outbox.handle(APPOINTMENT_EMAIL, async ({ event, appointmentId, ...row }) => {
    if (!isEvent(event) || typeof appointmentId !== 'string')
      throw new Error('This outbox row is no email about an appointment');
    const facts = (await emailFacts(database.db, parts, [appointmentId])).get(appointmentId);
    if (facts === undefined) return;
    const doctors = Array.isArray(row.offered) ? await keptProviders(database.db) : [];
    await mail.send(emailOf({ ...row, event, appointmentId }, facts, doctors, config, clock.now()));
  });
}

const isLink = (said: unknown): said is NonNullable<EmailOf['link']> =>
  typeof said === 'object' && said !== null && 'feeCents' in said && 'until' in said;

/** An outbox row: the change, the appointment, and whatever else the row holds. */
type EmailRow = Pick<EmailOf, 'event' | 'appointmentId'> & OutboxPayload;

/** Writes the email for an outbox row, from the facts as they are now. */
function emailOf(
  { event, appointmentId, sequence, byClinic, ...row }: EmailRow,
  facts: EmailFacts,
  doctors: readonly Doctor[],
  config: Pick<ServiceConfig, 'clinic' | 'publicUrl'>,
  now: EpochSeconds,
): Email {
  const { appointment, mode, doctor, stillStands, receipt, to, language } = facts;
  const movedFrom = typeof row.movedFrom === 'number' ? row.movedFrom : facts.movedFrom;
  const saysPaid = event === 'booked' && appointment.paidCents > 0 && receipt !== null;
  const offered = (row.offered ?? []) as readonly OfferedTime[];
  const said = {
    appointmentId,
    bookingNumber: appointment.bookingNumber ?? appointment.id,
    // Rows written by an earlier version have no sequence.
    sequence: typeof sequence === 'number' ? sequence : appointment.sequence,
    mode,
    start: appointment.start,
    end: appointment.end,
    doctor,
    movedByClinic: appointment.movedByClinic,
    changes: allowedChanges(appointment, now),
    ...(saysPaid ? { receipt } : {}),
    ...(isDue(appointment) ? { dueCents: appointment.feeAtClinic.cents } : {}),
    ...(byClinic === true ? { byClinic: { refundedCents: appointment.paidCents } } : {}),
    ...(event === 'rescheduled' && movedFrom !== null ? { movedFrom } : {}),
    ...(isLink(row.link) ? { link: row.link } : {}),
    ...(event === 'notCancelled' && typeof row.movedFrom === 'number'
      ? { movedFrom: row.movedFrom }
      : {}),
    ...(event === 'notBooked' && movedFrom !== null && stillStands ? { movedFrom } : {}),
    offered: offered.flatMap(({ doctor: id, start }) => {
      const free = doctors.find((each) => each.id === id);
      return free === undefined ? [] : [{ doctor: free, start }];
    }),
  };
  return appointmentEmail(event, { to, language, appointment: said, config }, now);
}

/** The emails that patients would get if the clinic cancelled these appointments now, by appointment. */
export async function foreseenEmails(
  { database, parts, config }: Pick<Platform, 'database' | 'parts' | 'config'>,
  offered: ReadonlyMap<string, readonly OfferedTime[]>,
  now: EpochSeconds,
): Promise<ReadonlyMap<string, Email>> {
  const { db } = database;
  const facts = await emailFacts(db, parts, [...offered.keys()]);
  const doctors = await keptProviders(db);
  return new Map(
    [...facts].map(([appointmentId, each]) => {
      const sequence = each.appointment.sequence + 1;
      const row = { appointmentId, sequence, byClinic: true, offered: offered.get(appointmentId) };
      return [appointmentId, emailOf({ event: 'cancelled', ...row }, each, doctors, config, now)];
    }),
  );
}

/** What an email about an appointment says; never the reason. */
export interface AppointmentFacts
  extends
    Pick<EmailFacts, 'doctor' | 'mode'>,
    Pick<StoredAppointment, 'sequence' | 'start' | 'end' | 'movedByClinic'> {
  readonly appointmentId: string;
  readonly bookingNumber: string;
  /** When the appointment started before it moved. */
  readonly movedFrom?: EpochSeconds;
  /** What was paid; only in the email that confirms a booking. */
  readonly receipt?: Receipt;
  /** what is still to be paid at the clinic. */
  readonly dueCents?: number;
  /** Whether the patient may cancel or move the appointment when the email is written. */
  readonly changes: AllowedChanges;
  /** the clinic cancelled the appointment, and refunds what was paid for it. */
  readonly byClinic?: { readonly refundedCents: number };
  /** What is to be paid by a link, and until when. */
  readonly link?: EmailOf['link'];
  /** Times that were free when the clinic gave it up. */
  readonly offered?: readonly {
    readonly doctor: AppointmentFacts['doctor'];
    readonly start: EpochSeconds;
  }[];
}

/** The email about a change to an appointment, with a calendar file unless it was never booked. */
export function appointmentEmail(
  event: AppointmentEvent,
  {
    to,
    language: locale,
    appointment,
    config: { clinic, publicUrl },
  }: {
    readonly to: string;
    readonly language: Locale;
    readonly appointment: AppointmentFacts;
    readonly config: Pick<ServiceConfig, 'clinic' | 'publicUrl'>;
  },
  writtenAt: EpochSeconds,
): Email {
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
        method: event === 'cancelled' ? 'CANCEL' : 'PUBLISH',
        content: calendarFile({
          method: event === 'cancelled' ? 'CANCEL' : 'PUBLISH',
          uid: calendarUid(appointment.bookingNumber),
          sequence: appointment.sequence,
          start: appointment.start,
          end: appointment.end,
          summary: mailText(locale, 'calendarSummary', { clinicName: clinic.name }),
          description: emailTime(locale, appointment.start),
          location: placeOf(locale, appointment, clinic),
          organizer: { name: clinic.name, email: clinic.email },
          writtenAt,
        }),
      },
    }),
  };
}

/** Events of appointments that were never booked. */
const UNBOOKED: readonly AppointmentEvent[] = ['notBooked', 'payLink', 'linkOver'];

const WHAT_NEXT = {
  inPerson: 'comeToClinic',
  either: 'comeToClinic',
  phone: 'weCall',
  video: 'weCallByVideo',
} as const;

function placeOf(
  locale: Locale,
  { mode }: Pick<AppointmentFacts, 'mode'>,
  { address }: ServiceConfig['clinic'],
): string {
  if (mode === 'phone') return mailText(locale, 'byPhone');
  return mode === 'video' ? mailText(locale, 'byVideo') : address;
}

function body(
  locale: Locale,
  event: AppointmentEvent,
  { byClinic, ...appointment }: AppointmentFacts,
  publicUrl: string,
): EmailPart[] {
  const { start, end, doctor, movedFrom, receipt, dueCents, changes, link } = appointment;
  const { offered = [] } = appointment;
  const timeWith = (at: EpochSeconds, whom: AppointmentFacts['doctor']) =>
    mailText(locale, 'withDoctor', { when: emailTime(locale, at), doctor: doctorName(whom) });
  const time = timeWith(start, doctor);
  const lasts = mailText(locale, 'lasts', { n: (end - start) / 60, end: formatTime(end) });
  const list = { label: mailText(locale, 'seeAppointments'), link: `${publicUrl}/appointments` };
  const previously =
    movedFrom === undefined
      ? []
      : [mailText(locale, 'movedFrom', { when: emailTime(locale, movedFrom) })];
  if (event === 'notCancelled')
    return [mailText(locale, 'notCancelled'), [time, ...previously], list];
  if (event === 'payLink' && link)
    return [
      mailText(locale, 'payLink', { fee: formatMoney(locale, link.feeCents) }),
      [time, lasts],
      mailText(locale, 'payLinkUntil', { until: emailTime(locale, link.until) }),
      { label: mailText(locale, 'payLinkHere'), link: `${publicUrl}/` },
    ];
  if (event === 'linkOver')
    return [
      mailText(locale, 'linkOver'),
      [time],
      { label: mailText(locale, 'bookAgain'), link: `${publicUrl}/` },
    ];
  if (event === 'notBooked')
    return [
      mailText(locale, 'notBooked'),
      [time],
      ...(movedFrom === undefined
        ? []
        : [mailText(locale, 'stillStands', { when: emailTime(locale, movedFrom) })]),
      { label: mailText(locale, 'bookAgain'), link: `${publicUrl}/` },
    ];
  if (event === 'cancelled' && byClinic)
    return [
      mailText(locale, 'cancelledByClinic'),
      [time],
      ...(byClinic.refundedCents > 0
        ? [mailText(locale, 'refundedInFull', { fee: formatMoney(locale, byClinic.refundedCents) })]
        : []),
      ...(offered.length > 0
        ? [
            mailText(locale, 'freeInstead'),
            offered.map((free) => timeWith(free.start, free.doctor)),
          ]
        : []),
      { label: mailText(locale, 'bookAgain'), link: `${publicUrl}/` },
    ];
  if (event === 'cancelled') {
    const fee = feeWords(locale, changes);
    return [mailText(locale, 'cancelled'), [time], ...(fee === null ? [] : [fee]), list];
  }
  const isMoved = event === 'rescheduled' && appointment.movedByClinic;
  return [
    mailText(locale, isMoved ? 'movedByClinic' : event),
    [time, lasts, ...previously],
    mailText(locale, WHAT_NEXT[appointment.mode ?? 'either']),
    ...(receipt ? [receiptFacts(locale, receipt)] : []),
    ...(dueCents === undefined
      ? []
      : [mailText(locale, 'dueAtClinic', { fee: formatMoney(locale, dueCents) })]),
    ...changeSentences(locale, changes, emailTime),
    list,
  ];
}

const isDue = (
  appointment: StoredAppointment,
): appointment is StoredAppointment & { readonly feeAtClinic: FeeAtClinic } =>
  appointment.feeAtClinic !== null && appointment.feeAtClinic.taken === undefined;

const receiptFacts = (locale: Locale, { amountCents, paidAt, reference }: Receipt): string[] => [
  mailText(locale, 'paid', {
    amount: formatMoney(locale, amountCents),
    when: emailTime(locale, paidAt),
  }),
  mailText(locale, 'reference', { reference }),
];
