import { deskCalls } from '@clinic/contract';
import {
  type ClinicDate,
  type LookReason,
  addDays,
  attendanceOf,
  datesOf,
  fullName,
  isBooked,
  isHold,
  mayAny,
  needsLookReason,
  nextAttendances,
  startOfDay,
  toClinic,
} from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import { DONE, success } from '../../../server/responses.ts';
import { type RequestContext, route } from '../../../server/http.ts';
import { look, recordIds, showing, whoIs } from '../../../server/audited-reads.ts';
import { Refusal, refuse } from '../../../server/refusal.ts';
import {
  answersContext,
  appointments,
  cancelByClinic,
  cancelForPatient,
  endPaymentLink,
  noteAttendanceAtDesk,
  overlappedAppointments,
  takeBackNoShow,
  undoableAct,
} from '../../appointments/index.ts';
import { closedBetween } from '../../closings/index.ts';
import { heldPayments } from '../../payments/index.ts';
import { harmAtDesk, ownOnly } from '../../staff/index.ts';
import {
  type OpenedRow,
  busyOn,
  hereSince,
  openedRow,
  providersOn,
  recordsOn,
  sheetRows,
  startsOfRecord,
} from './day-sheet.store.ts';
import { cancellationWantedBy, hasOpened, latenessOf } from '../../../security/audit.store.ts';
import { personOf } from '../../accounts/index.ts';
import { hasWaitingDocument, marksByRecord } from '../../patients/index.ts';
import { knownTypes, readLengths } from '../../schedule/index.ts';
import type { SignedInStaff } from '../../../security/sessions.store.ts';
import { emrBook } from '../../emr/index.ts';
import { around, daySheet, isNamed } from './sheet-of-day.ts';

type Asked = Pick<RequestContext<typeof deskCalls.deskDay>, 'staff' | 'now' | 'locale'>;

/** The day sheet, and opening, cancelling and noting attendance of its appointments. */
export function registerDaySheet(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, realtime } = platform;
  const { db } = database;
  const harm = harmAtDesk(platform);
  const ports = { ...platform, appointments, emrBook, heldPayments: heldPayments(platform) };

  /** What the sheets of days, in order, are made of; with `only`, those of one provider. */
  async function factsOf(
    dates: readonly [ClinicDate, ...ClinicDate[]],
    { staff, now, locale }: Asked,
    only?: string,
  ) {
    const whose = ownOnly(staff);
    const isInEmr = platform.emr !== null;
    const [rows, providers, busy, overlapped, closings, lengths, types, marks, since] =
      await Promise.all([
        sheetRows(db, dates, whose, now, locale),
        providersOn(db, dates, only ?? whose),
        busyOn(db, dates),
        isInEmr ? overlappedAppointments(db, now) : [],
        closedBetween(db, {
          start: startOfDay(dates[0]),
          end: startOfDay(addDays(dates.at(-1) ?? dates[0], 1)),
        }),
        readLengths(db),
        knownTypes(db, locale),
        marksByRecord(platform, recordsOn(dates)),
        hereSince(db, dates),
      ]);
    const today = toClinic(now).date;
    const ids = [...new Set(providers.map(({ id }) => id))];
    return {
      rows,
      providers,
      busy,
      overlapped,
      closings,
      lengths,
      types,
      marks,
      hereSince: since,
      late: await lateOn(db, dates.includes(today) ? today : dates[0], ids, now),
      staff,
      isInEmr,
      now,
    };
  }

  route(app, deskCalls.deskDay, async ({ params: { date }, ...asked }) => {
    const facts = await factsOf([date], asked);
    const sheet = daySheet(date, facts);
    return showing(
      sheet,
      look('day sheet shown', `day:${date}`, recordIds(facts.rows.filter(isNamed)), {
        details: { providers: sheet.providers.map(({ id }) => id) },
        refreshes: true,
      }),
    );
  });

  route(app, deskCalls.deskProviderWeek, async ({ params, ...asked }) => {
    const { providerId, date } = params;
    const dates: Parameters<typeof factsOf>[0] = [
      date,
      ...datesOf({ from: addDays(date, 1), to: addDays(date, 6) }),
    ];
    const own = ownOnly(asked.staff);
    const facts = await factsOf(dates, asked, providerId);
    if (facts.providers.length === 0 || (own !== null && own !== providerId))
      return refuse('notFound');
    // Since midnight, so that the days stand beside each other.
    const hours = around(
      dates.flatMap((day) => {
        const of = daySheet(day, facts).hours;
        return of ? [{ start: of.start - startOfDay(day), end: of.end - startOfDay(day) }] : [];
      }),
    );
    const days = dates.map((day) => {
      const from = startOfDay(day);
      const given = hours && { start: from + hours.start, end: from + hours.end };
      return daySheet(day, facts, given ?? { start: from, end: from });
    });
    const shown = facts.rows.filter((row) => row.providerId === providerId && isNamed(row));
    return showing(
      { days },
      look('week shown', `days:${date}`, recordIds(shown), {
        details: { to: dates.at(-1), providers: [providerId] },
        refreshes: true,
      }),
    );
  });

  route(app, deskCalls.deskOpenAppointment, async ({ params, body, staff, now }) => {
    const row = await seen(db, staff, params.id);
    if (row === null) return refuse('notFound');
    const { lookReason } = body;
    const refused = await refusedLook(db, { recordId: row.recordId, staff, lookReason, now });
    if (refused !== null) return refused;
    const { answersSealed, birthDate, recordId, email, phone } = row;
    const answers = answersSealed && keyring.open(answersContext(row.id), answersSealed);
    const { reason } = JSON.parse(answers ?? '{}') as { readonly reason?: string };
    const patient = { name: fullName(row), birthDate, recordId, email, phone };
    return showing(
      { ...row, patient, reason: reason || null },
      look('appointment opened', `appointment:${row.id}`, [recordId], { details: { lookReason } }),
    );
  });

  route(app, deskCalls.deskNoteAttendance, async ({ params, body, staff, now, who }) => {
    const { to, from } = body;
    const row = await seen(db, staff, params.id);
    if (row === null) return refuse('notFound');
    if (platform.emr !== null) return refuse('attendanceInEmr');
    if (attendanceOf(row) === to && standsOnSheet(row)) return DONE;
    const isAsSeen = from === undefined || from === attendanceOf(row);
    // Who does not say so may have seen somebody who had arrived, and takes back only that.
    const isMeant = row.state !== 'noShow' || from === 'noShow';
    if (!isAsSeen || !isMeant || !nextAttendances(row, now).includes(to))
      return refuse('appointmentChanged');
    if (row.state === 'noShow') {
      const { kind } = await takeBackNoShow(ports, row, to, who);
      if (kind !== 'takenBack')
        return refuse(kind === 'gone' ? 'appointmentChanged' : 'noShowStands');
    } else if (!(await noteAttendanceAtDesk(ports, row, to, who)))
      return refuse('appointmentChanged');
    realtime.sayToDesk();
    return DONE;
  });

  route(app, deskCalls.deskCancelAppointment, async ({ params: { id }, body, staff, now, who }) => {
    const row = await seen(db, staff, id);
    if (row === null) return refuse('notFound');
    if (isHold(row)) {
      if (!(await endPaymentLink(ports, row, who))) return refuse('appointmentChanged');
      realtime.sayToDesk();
      return success({ isSent: false });
    }
    const { wantedBy, overrideReason } = body;
    // Staff saw a link, which has been paid or made due since.
    if (wantedBy === undefined) return refuse('appointmentChanged');
    const cancel = () =>
      wantedBy === 'patient'
        ? cancelForPatient(ports, row, who, { overrideReason, undoableBy: staff.id })
        : cancelByClinic(ports, row, who, { undoableBy: staff.id });
    const outcome = isBooked(row)
      ? await harm.change(staff, { wantedBy, now }, cancel)
      : await cancel();
    if (outcome instanceof Refusal) return outcome;
    if (outcome === 'notCancellable') return refuse('notCancellable');
    // After a lost answer it may be cancelled already. If the other side wanted that, the money went
    // the other way than is asked here, and staff have to read so.
    if (outcome === false && (await cancellationWantedBy(db, id)) !== wantedBy)
      return refuse('appointmentChanged');
    const undo = await undoableAct(db, { subject: id, staffId: staff.id }, now);
    return success({ isSent: outcome === 'cancelSent', undo });
  });
}

/** An appointment, when this person may see its provider's; null otherwise, as for an unknown id. */
export async function seen(db: Db, staff: SignedInStaff, id: string): Promise<OpenedRow | null> {
  const row = await openedRow(db, id);
  const whose = ownOnly(staff);
  return row !== null && (whose === null || row.providerId === whose) ? row : null;
}

interface Look {
  readonly recordId: string;
  readonly staff: SignedInStaff;
  readonly lookReason?: LookReason | undefined;
  /** A page that lies open shows it anew. */
  readonly isBackground?: boolean;
  readonly now: number;
}

/** For how long who was opened is opened again without a reason. */
const JUST_OPENED = 15 * 60;

/**
 * Refuses a look without a reason at a patient who has no appointment from yesterday to tomorrow, whom this
 * member of staff has not just opened, and of whom no document waits for them.
 */
export async function refusedLook(
  db: Db,
  { recordId, staff, lookReason, isBackground = false, now }: Look,
): Promise<Refusal | null> {
  if (lookReason !== undefined) return null;
  const starts = await startsOfRecord(db, recordId, ownOnly(staff));
  if (!needsLookReason(starts, now)) return null;
  const { account = null } = (await personOf(db, recordId)) ?? {};
  const subjects = [`record:${recordId}`, ...(account === null ? [] : [`patient:${account.id}`])];
  const { actor } = whoIs(staff, now);
  const since = isBackground ? staff.createdAt : now - JUST_OPENED;
  if (await hasOpened(db, { actor, recordId, subjects }, since)) return null;
  const seesTo = account !== null && mayAny(staff.roles, 'decideDocument');
  return seesTo && (await hasWaitingDocument(db, account.id)) ? null : refuse('lookReasonMissing');
}

/** By how many minutes providers said that they are running late; it ends with the day. */
export const lateOn = async (
  db: Db,
  date: ClinicDate,
  providerIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> =>
  date === toClinic(now).date ? latenessOf(db, providerIds, startOfDay(date)) : new Map();

const standsOnSheet = ({ state }: Pick<OpenedRow, 'state'>): boolean =>
  state !== 'cancelled' && state !== 'rescheduled';
