import {
  type Doctor,
  type EpochSeconds,
  type OfferedTime,
  allowedChanges,
  feeStateOf,
  isHold,
  isReleased,
  isBooked,
} from '@clinic/domain';

import type { OutboxPayload } from '../../../database/outbox.store.ts';
import type { Platform } from '../../../platform.ts';
import type { ServiceConfig } from '../../../server/config.ts';
import type { Email } from '../../../server/ports.ts';
import { type EmailEvent, APPOINTMENT_EMAIL, type EmailOf } from '../changes.ts';
import { keptProviders } from '../../records/index.ts';
import { doctorsOpenTo } from '../../schedule/index.ts';
import { appointmentEmail } from './compose-email.ts';
import { type EmailFacts, emailFacts } from './email-facts.store.ts';

/**
 * Writes and sends the emails queued in the outbox; the rows themselves name no one. What an email says is
 * decided here, from the facts of now, and one email tells all changes of an appointment that wait.
 */
export function sendAppointmentEmails({
  outbox,
  database,
  mail,
  clock,
  config,
  parts,
}: Platform): void {
  outbox.handle(
    APPOINTMENT_EMAIL,
    async (payload, _key, _attempts, { replaced, isOvertaken }) => {
      const row = rowOf(payload);
      const rows = [...replaced.map(rowOf), row];
      const now = clock.now();
      const ids = rows.map(({ appointmentId }) => appointmentId);
      const all = await emailFacts(database.db, parts, ids);
      const facts = all.get(row.appointmentId);
      if (await isOvertaken()) return { until: now };
      if (facts === undefined || !isStillTrue(row, facts)) return;
      if (now >= lastMoment(row, facts)) return 'tooLate';
      const [open = []] = OFFERING.includes(row.event)
        ? await doctorsOpen({ database, config, parts }, [facts], now)
        : [];
      const told = toldBy(row, rows, all);
      await mail.send(emailOf(told, facts, open, config, now));
    },
    (later, earlier) => replaces(rowOf(later), rowOf(earlier)),
  );
}

/** An outbox row. Rows that an earlier version wrote have no sequence. */
type EmailRow = Omit<EmailOf, 'sequence'> & Partial<Pick<EmailOf, 'sequence'>>;
const rowOf = (payload: OutboxPayload) => payload as unknown as EmailRow;

/** The events from the booking on: an email about the last of them reports all before it. */
const FROM_BOOKING: readonly EmailEvent[] = ['booked', 'rescheduled', 'notCancelled', 'cancelled'];

const replaces = (later: EmailRow, earlier: EmailRow): boolean =>
  FROM_BOOKING.includes(later.event)
    ? FROM_BOOKING.includes(earlier.event) || earlier.event === 'payLink'
    : later.event === 'linkOver' && earlier.event === 'payLink';

/** False where a later change was told already, as version 0.2.0 may do, which knows no order. */
function isStillTrue({ event }: EmailRow, { appointment }: EmailFacts): boolean {
  if (event === 'payLink') return isHold(appointment);
  if (event === 'linkOver' || event === 'notBooked') return isReleased(appointment);
  return event === 'cancelled' ? appointment.state === 'cancelled' : isBooked(appointment);
}

/** For so long after an appointment an email is tried that tells of its money. */
const MONEY_SECONDS = 30 * 86_400;

/** From this instant on the email is of no use. */
function lastMoment(
  { event, link }: EmailRow,
  { appointment, everPaid }: EmailFacts,
): EpochSeconds {
  const { start, end } = appointment;
  if (event === 'payLink' && link) return link.until;
  if (FROM_BOOKING.includes(event) && everPaid > 0) return end + MONEY_SECONDS;
  return event === 'cancelled' ? start : end;
}

/** What the last row tells, with all that only rows that it replaces would have told. */
function toldBy(
  row: EmailRow,
  rows: readonly EmailRow[],
  all: ReadonlyMap<string, EmailFacts>,
): Told {
  if (!FROM_BOOKING.includes(row.event)) return { ...row, saysPaid: false };
  const starts = rows.flatMap((each) => {
    if (each.movedFrom !== undefined) return [each.movedFrom];
    return (each.event === 'rescheduled' && all.get(each.appointmentId)?.movedFrom) || [];
  });
  const start = all.get(row.appointmentId)?.appointment.start;
  // The time that the patient was told last, unless the appointment is back there.
  const movedFrom = starts.find((each) => each !== start) ?? starts.at(-1);
  // The patient wanted to cancel, and staff have moved it once more.
  const isKept =
    row.event === 'rescheduled' &&
    row.movedFrom !== undefined &&
    rows.some(({ event }) => event === 'notCancelled');
  return {
    ...row,
    event: isKept ? 'notCancelled' : row.event,
    movedFrom,
    saysPaid: rows.some(({ event }) => event === 'booked'),
  };
}

/** What an email tells: a row of the outbox, and whether the payment is confirmed in it. */
type Told = Omit<EmailRow, 'movedFrom'> & {
  readonly movedFrom?: EpochSeconds | undefined;
  readonly saysPaid: boolean;
};

/** Events that may offer the patient to book again. */
const OFFERING: readonly EmailEvent[] = ['cancelled', 'notBooked', 'linkOver'];

/** The doctors whom each patient may book online for the type of the appointment. */
async function doctorsOpen(
  { database, config, parts }: Pick<Platform, 'database' | 'config' | 'parts'>,
  facts: readonly EmailFacts[],
  now: EpochSeconds,
): Promise<readonly (readonly Doctor[])[]> {
  const ports = { database, config, patientsWhoBook: parts.patients };
  const asked = facts.map(({ patientId, appointment: { type } }) => ({ patientId, type }));
  const open = await doctorsOpenTo(ports, asked, now);
  const doctors = await keptProviders(database.db);
  return open.map((ids) => doctors.filter(({ id }) => ids.has(id)));
}

/** Writes the email, from the facts as they are now; it offers only `open` doctors. */
function emailOf(
  { event, appointmentId, sequence, byClinic, saysPaid, link, offered = [], ...row }: Told,
  facts: EmailFacts,
  open: readonly Doctor[],
  config: Pick<ServiceConfig, 'clinic' | 'publicUrl'>,
  now: EpochSeconds,
): Email {
  const { appointment, everPaid, mode, doctor, stillStands, receipt, beside } = facts;
  const { feeAtClinic: fee } = appointment;
  const movedFrom = event === 'notBooked' && stillStands ? facts.movedFrom : row.movedFrom;
  const isFromBooking = FROM_BOOKING.includes(event);
  const emailed = {
    appointmentId,
    bookingNumber: appointment.bookingNumber ?? appointment.id,
    sequence: (isFromBooking ? undefined : sequence) ?? appointment.sequence,
    mode,
    start: appointment.start,
    end: appointment.end,
    doctor,
    movedByClinic: appointment.movedByClinic,
    changes: allowedChanges(appointment, now),
    keptOut: facts.access.signIn,
    mayBookAgain: open.length > 0,
    ...(saysPaid && receipt !== null ? { receipt } : {}),
    ...(fee && feeStateOf(fee) === 'due' ? { dueCents: fee.cents } : {}),
    ...(byClinic === true ? { byClinic: { refundedCents: everPaid } } : {}),
    ...(typeof movedFrom === 'number' ? { movedFrom } : {}),
    ...(link ? { link } : {}),
    ...(beside === null ? {} : { beside }),
    offered: offered.flatMap(({ doctor: id, start }) => {
      const free = start > now ? open.find((each) => each.id === id) : undefined;
      return free === undefined ? [] : [{ doctor: free, start }];
    }),
  };
  return appointmentEmail(event, emailed, facts, config, appointment.changedAt);
}

/** The emails that patients would get if the clinic cancelled these appointments now, by appointment. */
export async function previewEmails(
  { database, parts, config }: Pick<Platform, 'database' | 'parts' | 'config'>,
  offered: ReadonlyMap<string, readonly OfferedTime[]>,
  now: EpochSeconds,
): Promise<ReadonlyMap<string, Email>> {
  const { db } = database;
  const facts = await emailFacts(db, parts, [...offered.keys()]);
  const open = await doctorsOpen({ database, config, parts }, [...facts.values()], now);
  return new Map(
    [...facts].map(([appointmentId, each], at) => {
      const told = { event: 'cancelled', appointmentId, saysPaid: false, byClinic: true } as const;
      const row = { ...told, offered: offered.get(appointmentId) };
      return [appointmentId, emailOf(row, each, open[at] ?? [], config, now)];
    }),
  );
}
