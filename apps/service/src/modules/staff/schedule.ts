import { type CallAnswer, deskCalls } from '@clinic/contract';
import { NOT_WORKING, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import { type RequestContext, route } from '../../server/http.ts';
import { type Refusal, invalid, refuse } from '../../server/refusal.ts';
import {
  type Closing,
  type InClosedTime,
  closeTime,
  closingById,
  foreseeClosing,
  foreseenEmails,
  isClosingAsked,
  newestClosings,
  reopenTime,
  singleDayOf,
  singleDaysFrom,
} from '../appointments/index.ts';
import { type OutsideSchedule, saveDay, saveWeek } from '../operations/index.ts';
import { isDoctor, keptSlotCodes, knownProviders, weekOn } from '../records/index.ts';
import { providersAtDesk } from './booking.store.ts';
import { isLook } from './door.ts';
import { type EntryRow, entriesOfClosing, namesOfStaff, whoIsTold } from './schedule.store.ts';

type Foreseen = CallAnswer<'deskForeseeClosing'>['extras']['affected'][number];
type Entry = CallAnswer<'deskClosing'>['extras']['entries'][number];
type Time = RequestContext<typeof deskCalls.deskCloseTime>['body'];

const MOST_CLOSINGS = 20;
const LONGEST = 366 * 86_400;

/** Providers' working hours, and closing a day, half a day, or a provider's absence. */
export function registerScheduleAtDesk(app: FastifyInstance, platform: Platform): void {
  registerClosings(app, platform);
  registerWeeks(app, platform);
}

function registerClosings(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, ids, realtime } = platform;
  const { db } = database;

  async function whyNotClosed({ providerIds, from, to }: Time, now: number) {
    if (to <= from || to <= now) return invalid('to', 'closingNotAhead');
    if (to - from > LONGEST) return invalid('to', 'closingTooLong');
    const known = await knownProviders(db);
    return providerIds.every((id) => known.includes(id)) ? null : invalid('providerIds');
  }

  route(app, deskCalls.deskClosings, async () => {
    const [providers, closings, names] = await Promise.all([
      providersAtDesk(db),
      newestClosings(db, MOST_CLOSINGS),
      namesOfStaff(db),
    ]);
    const shown = closings.map((each) => shownClosing(each, names));
    return { success: true as const, extras: { providers, closings: shown } };
  });

  route(app, deskCalls.deskForeseeClosing, async ({ body: time, staff, now }) => {
    const why: Refusal | null = await whyNotClosed(time, now);
    if (why !== null) return why;
    const foreseen = await foreseeClosing(platform, time, now);
    const written = new Map(
      foreseen.cancelled.map(({ id }) => [id, foreseen.offered.get(id) ?? []] as const),
    );
    const emails = await foreseenEmails(platform, written, now);
    const affected: Foreseen[] = [];
    for (const becomes of ['cancelled', 'underWay', 'released'] as const)
      for (const [each, whom] of await withNames(foreseen[becomes])) {
        const email = emails.get(each.id);
        const { patient, phone, description, bounces } = whom;
        const { id: appointmentId, providerId, start, end, paidCents } = each;
        affected.push({
          appointmentId,
          patient,
          phone,
          description,
          providerId,
          start,
          end,
          paidCents,
          becomes,
          told: each.patientId === null || bounces ? 'call' : 'email',
          email: email === undefined ? null : { subject: email.subject, text: email.text },
        });
      }
    await database.inTransaction((tx) =>
      appendAudit(tx, {
        actor: `staff:${staff.id}`,
        action: 'closing foreseen',
        subject: `day:${toClinic(time.from).date}`,
        details: { ...time, appointments: affected.map(({ appointmentId }) => appointmentId) },
        at: now,
      }),
    );
    return { success: true as const, extras: { affected } };
  });

  async function withNames(found: readonly InClosedTime[]) {
    const whom = await whoIsTold(db, found);
    return found.flatMap((each, at) => {
      const own = whom[at];
      return own === undefined ? [] : [[each, own] as const];
    });
  }

  route(app, deskCalls.deskCloseTime, async ({ body: time, headers, staff, now }) => {
    const requestKey = headers['idempotency-key'] ?? ids.uuid();
    const providerIds = [...new Set(time.providerIds)].sort();
    const who = { actor: `staff:${staff.id}`, now };
    // A retry after a lost answer gets the outcome of its first try, even when the time is past by now.
    if (!(await isClosingAsked(db, { ...who, requestKey }))) {
      const why: Refusal | null = await whyNotClosed(time, now);
      if (why !== null) return why;
    }
    const id = await closeTime(platform, { ...time, providerIds, requestKey }, who);
    if (id === null) return refuse('requestReused');
    realtime.sayToDesk();
    return { success: true as const, extras: { id } };
  });

  route(app, deskCalls.deskClosing, async ({ params: { id }, staff, now, isBackground }) => {
    const closing = await closingById(db, id);
    if (closing === null) return refuse('notFound');
    const [entries, names] = await Promise.all([entriesOfClosing(db, id), namesOfStaff(db)]);
    // A page that a live change refreshes was looked at before.
    const look = { action: 'closing shown', subject: `closing:${id}` };
    if (await isLook(db, { staff, isBackground }, look))
      await database.inTransaction((tx) =>
        appendAudit(tx, { ...look, actor: `staff:${staff.id}`, at: now }),
      );
    const isReopened = closing.reopenedAt !== null;
    const shown = {
      closing: shownClosing(closing, names),
      entries: entries.map((entry) => shownEntry(entry, isReopened)),
    };
    return { success: true as const, extras: shown };
  });

  route(app, deskCalls.deskReopenTime, async ({ params: { id }, staff, now }) => {
    const became = await reopenTime(platform, id, { actor: `staff:${staff.id}`, now });
    if (became === 'notFound') return refuse('notFound');
    if (became === 'past') return refuse('closingOver');
    realtime.sayToDesk();
    return { success: true as const };
  });
}

function registerWeeks(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, emr, realtime } = platform;
  const { db } = database;

  route(app, deskCalls.deskWeek, async ({ params: { providerId }, query: { on }, now }) => {
    if (!(await isDoctor(db, providerId))) return refuse('notFound');
    const [shown, days, codes] = await Promise.all([
      weekOn(db, providerId, on),
      singleDaysFrom(db, { providerId, clinicDate: toClinic(now).date }),
      keptSlotCodes(db),
    ]);
    return {
      success: true as const,
      extras: {
        ...shown,
        week: [...shown.week],
        days,
        codes: codes.map(shownCode),
        isInEmr: emr !== null,
      },
    };
  });

  route(app, deskCalls.deskSaveWeek, async ({ params: { providerId }, body, staff, now }) => {
    if (emr !== null) return refuse('keptInEmr');
    if (!(await isDoctor(db, providerId))) return refuse('notFound');
    const { validFrom, week, version } = body;
    if (validFrom < toClinic(now).date) return invalid('validFrom', 'weekBegun');
    if (week.every((codes) => /^_*$/.test(codes))) return invalid('week', 'weekEmpty');
    const who = { actor: `staff:${staff.id}`, now, wanted: version ?? null };
    const saved = await saveWeek(platform, { providerId, validFrom, week }, who);
    if (saved.problems.length > 0) return invalid('week', 'weekCodeUnknown');
    // Saving would now change something else than the preview showed.
    if (version !== undefined && !saved.isImported) return refuse('previewOutdated');
    const { outside, isImported } = saved;
    if (isImported) realtime.sayToDesk();
    else {
      const look = { action: 'working week foreseen', providerId, details: { validFrom } };
      await noteForeseen(look, outside, who);
    }
    return {
      success: true as const,
      extras: {
        isSaved: isImported,
        version: saved.version,
        changed: saved.changes.length,
        outside: await shownOutside(outside),
      },
    };
  });

  route(app, deskCalls.deskSingleDay, async ({ params: { providerId, date } }) => {
    if (!(await isDoctor(db, providerId))) return refuse('notFound');
    const [day, codes] = await Promise.all([
      singleDayOf(db, { providerId, clinicDate: date }),
      keptSlotCodes(db),
    ]);
    return {
      success: true as const,
      extras: {
        said: day.said,
        week: day.week,
        closed: day.closed.map(({ from, to }) => ({ from, to })),
        codes: codes.map(shownCode),
        isInEmr: emr !== null,
      },
    };
  });

  route(app, deskCalls.deskSaveDay, async ({ params, body, staff, now }) => {
    const { providerId, date } = params;
    if (emr !== null) return refuse('keptInEmr');
    if (!(await isDoctor(db, providerId))) return refuse('notFound');
    const { codes, version } = body;
    if (date < toClinic(now).date) return invalid('date', 'dayOver');
    const known = new Set((await keptSlotCodes(db)).map(({ code }) => code)).add(NOT_WORKING);
    if (!Array.from(codes ?? '').every((code) => known.has(code)))
      return invalid('codes', 'dayCodeUnknown');
    const who = { actor: `staff:${staff.id}`, now, wanted: version ?? null };
    const saved = await saveDay(platform, { providerId, clinicDate: date, codes }, who);
    // Saving would now change something else than the preview showed.
    if (version !== undefined && !saved.isSaved) return refuse('previewOutdated');
    if (saved.isSaved) realtime.sayToDesk();
    else {
      const look = { action: 'single day foreseen', providerId, details: { date } };
      await noteForeseen(look, saved.outside, who);
    }
    const outside = await shownOutside(saved.outside);
    return { success: true as const, extras: { ...saved, outside } };
  });

  async function noteForeseen(
    { action, providerId, details }: Foreseeing,
    outside: readonly OutsideSchedule[],
    { actor, now }: Who,
  ) {
    await database.inTransaction((tx) =>
      appendAudit(tx, {
        actor,
        action,
        subject: `provider:${providerId}`,
        details: { ...details, appointments: outside.map((each) => each.id) },
        at: now,
      }),
    );
  }

  async function shownOutside(outside: readonly OutsideSchedule[]) {
    const whom = await whoIsTold(db, outside);
    return outside.map(({ id, start, end, endsNow, isHeld }, at) => ({
      appointmentId: id,
      isHeld,
      patient: whom[at]?.patient ?? '',
      phone: whom[at]?.phone ?? null,
      description: whom[at]?.description ?? '',
      start,
      end,
      endsThen: endsNow,
    }));
  }
}

interface Foreseeing {
  readonly action: string;
  readonly providerId: string;
  readonly details: Readonly<Record<string, string>>;
}

const shownCode = ({
  code,
  description,
  types,
}: Awaited<ReturnType<typeof keptSlotCodes>>[number]) => ({
  code,
  description,
  types,
});

function shownClosing(
  { providerIds, askedBy, reopenedFrom, reopenedAt, reopenedBy, ...closing }: Closing,
  names: ReadonlyMap<string, string>,
) {
  const nameOf = (actor: string | null) => names.get((actor ?? '').replace(/^staff:/, '')) ?? null;
  const reopened =
    reopenedFrom === null || reopenedAt === null
      ? null
      : { from: reopenedFrom, at: reopenedAt, by: nameOf(reopenedBy) };
  return { ...closing, providerIds: [...providerIds], askedBy: nameOf(askedBy), reopened };
}

function shownEntry(
  { patientId, bounces, payment, outcome, underWay, email, ...entry }: EntryRow,
  isReopened: boolean,
): Entry {
  if (isReopened && outcome === null)
    return { ...entry, outcome: 'kept', email: 'none', refund: 'none' };
  return {
    ...entry,
    outcome: outcome ?? (underWay ? 'underWay' : 'waiting'),
    email: emailOf({ patientId, bounces, outcome, email }),
    refund: entry.paidCents === 0 ? 'none' : refundOf({ payment, outcome }),
  };
}

function emailOf({
  patientId,
  bounces,
  outcome,
  email,
}: Pick<EntryRow, 'patientId' | 'bounces' | 'outcome' | 'email'>): Entry['email'] {
  if (outcome === 'released' || outcome === 'gone' || outcome === 'stays') return 'none';
  if (patientId === null || bounces) return 'call';
  // The email enters the outbox with the outcome, and its row is kept for a month after it was sent.
  return email ?? (outcome === null ? 'waiting' : 'past');
}

/** A payment that was authorised and cancelled uncharged counts as paid back, too. */
function refundOf({ payment, outcome }: Pick<EntryRow, 'payment' | 'outcome'>): Entry['refund'] {
  if (outcome === 'gone' || outcome === 'stays') return 'none';
  if (payment === 'refunded' || payment === 'cancelled') return 'done';
  const isLeft = payment === null || payment === 'refund_failed' || payment === 'capture_failed';
  return isLeft ? 'failed' : 'coming';
}
