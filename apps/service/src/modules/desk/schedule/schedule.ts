import { type CallAnswer, WEEK_FIELDS, deskCalls } from '@clinic/contract';
import { NOT_WORKING, dialledPhone, toClinic } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { DONE, success } from '../../../server/responses.ts';
import { type RequestContext, route } from '../../../server/http.ts';
import { look, recordIds, showing } from '../../../server/audited-reads.ts';
import { Refusal, invalid, refuse } from '../../../server/refusal.ts';
import { overStored, versionOfForm } from '../../../server/version.ts';
import { previewEmails } from '../../appointments/index.ts';
import {
  type Closing,
  type ClosingCall,
  callsOfClosing,
  closeTime,
  closingById,
  previewClosing,
  givenUpByClosing,
  isClosed,
  isClosingAsked,
  newestClosings,
  noteCall,
  reopenTime,
  singleDayOf,
  singleDaysFrom,
  takeCallBack,
} from '../../closings/index.ts';
import { type OutsideSchedule, saveDay, saveWeek } from '../../operations/index.ts';
import { isDoctor, keptSlotCodes, knownProviders, weekOn } from '../../records/index.ts';
import { providersAtDesk } from '../day/booking.store.ts';
import { type NameOfStaff, harmAtDesk, isFactorRecent, namesOfStaff } from '../../staff/index.ts';
import { type EntryRow, entriesOfClosing, withPatients } from './schedule.store.ts';
import { canBeStopped } from '../waiting/waiting.ts';

type Entry = CallAnswer<'deskClosing'>['extras']['entries'][number];
type Time = RequestContext<typeof deskCalls.deskCloseTime>['body'];

const MOST_CLOSINGS = 20;
/** How many patients whom a closing would affect are shown at once. */
const PAGE = 50;
const LONGEST = 366 * 86_400;

/** Providers' working hours, and closing a day, half a day, or a provider's absence. */
export function registerScheduleAtDesk(app: FastifyInstance, platform: Platform): void {
  registerClosings(app, platform);
  registerWeeks(app, platform);
}

function registerClosings(app: FastifyInstance, platform: Platform): void {
  const { database, ids, realtime } = platform;
  const { db } = database;
  const harm = harmAtDesk(platform);

  async function whyNotClosed({ providerIds, from, to }: Time, now: number) {
    if (to <= from || to <= now) return invalid('to', 'closingNotAhead');
    if (to - from > LONGEST) return invalid('to', 'closingTooLong');
    const known = await knownProviders(db);
    return providerIds.every((id) => known.includes(id))
      ? null
      : invalid('providerIds', 'notInTheList');
  }

  route(app, deskCalls.deskClosings, async ({ now }) => {
    const [providers, closings, nameOf] = await Promise.all([
      providersAtDesk(db),
      newestClosings(db, MOST_CLOSINGS, now),
      namesOfStaff(db),
    ]);
    const shown = closings.map((each) => shownClosing(each, nameOf, now));
    return success({ providers, closings: shown });
  });

  route(app, deskCalls.deskForeseeClosing, async ({ body: time, staff, now, locale }) => {
    const why: Refusal | null = await whyNotClosed(time, now);
    if (why !== null) return why;
    const { cancelled, released, underWay } = await givenUpByClosing(platform, time, now);
    const told = await withPatients(db, [...cancelled, ...underWay], locale);
    const refunds = cancelled.filter(({ everPaid }) => everPaid > 0);
    const all = cancelled.length + released.length + underWay.length;
    const verdict = await harm.previewClosing(staff, closingOf(time, all), now);
    return success({
      cancelled: cancelled.length,
      released: released.length,
      underWay: underWay.length,
      toCall: told.filter(isCalled).length,
      refunds: refunds.length,
      refundedCents: refunds.reduce((sum, { everPaid }) => sum + everPaid, 0),
      verdict,
      isClosed: await isClosed(db, time),
    });
  });

  route(app, deskCalls.deskForeseenPatients, async ({ body: { page, ...time }, now, locale }) => {
    const why: Refusal | null = await whyNotClosed(time, now);
    if (why !== null) return why;
    const { offered, ...foreseen } = await previewClosing(platform, time, now);
    const all = (['cancelled', 'underWay', 'released'] as const).flatMap((becomes) =>
      foreseen[becomes].map((each) => ({ ...each, becomes })),
    );
    const shown = all.slice((page - 1) * PAGE, page * PAGE);
    const written = shown
      .filter(({ becomes }) => becomes === 'cancelled')
      .map(({ id }) => [id, offered.get(id) ?? []] as const);
    const emails = await previewEmails(platform, new Map(written), now);
    const affected = (await withPatients(db, shown, locale)).map((each) => ({
      ...each,
      paidCents: each.everPaid,
      told: isCalled(each) ? ('call' as const) : ('email' as const),
      email: emails.get(each.id) ?? null,
    }));
    const pages = Math.ceil(all.length / PAGE);
    return showing(
      { affected, pages },
      look('closing foreseen', `day:${toClinic(time.from).date}`, recordIds(shown), {
        details: { ...time, page },
      }),
    );
  });

  route(app, deskCalls.deskCloseTime, async ({ body: time, headers, staff, now, who }) => {
    const requestKey = headers['idempotency-key'] ?? ids.uuid();
    const providerIds = [...new Set(time.providerIds)].sort();
    // A retry after a lost answer gets the outcome of its first try, even when the time is past by now.
    if (!(await isClosingAsked(db, { ...who, requestKey }))) {
      const why: Refusal | null = await whyNotClosed(time, now);
      if (why !== null) return why;
      // Said before all of it is read.
      const { cancelled, released, underWay } = await givenUpByClosing(platform, time, now);
      const standing = cancelled.length + released.length + underWay.length;
      const verdict = await harm.previewClosing(staff, closingOf(time, standing), now);
      if (verdict === 'refused') return refuse('harmsMany');
    }
    const wanted = { ...time, providerIds, requestKey };
    const closed = await closeTime(platform, wanted, who, (tx, appointments) =>
      harm.judgeClosing(tx, staff, closingOf(wanted, appointments), now),
    );
    if (closed.kind !== 'closed')
      return refuse(closed.kind === 'reused' ? 'requestReused' : 'harmsMany');
    realtime.sayToDesk();
    return success({ id: closed.id });
  });

  route(app, deskCalls.deskClosing, async ({ params: { id }, now, locale }) => {
    const closing = await closingById(db, id);
    if (closing === null) return refuse('notFound');
    const [entries, calls, nameOf] = await Promise.all([
      entriesOfClosing(db, id, locale),
      callsOfClosing(db, id),
      namesOfStaff(db),
    ]);
    const isReopened = closing.reopenedAt !== null;
    const shown = {
      closing: shownClosing(closing, nameOf, now),
      entries: entries.map((entry) => ({
        ...shownEntry(entry, isReopened),
        calls: calls
          .filter(({ appointmentId }) => appointmentId === entry.appointmentId)
          .map((call) => shownCall(call, nameOf)),
      })),
    };
    return showing(
      shown,
      look('closing shown', `closing:${id}`, recordIds(entries), { refreshes: true }),
    );
  });

  route(app, deskCalls.deskNoteCall, async ({ params, body, who }) => {
    const call = { ...body, id: params.callId, closingId: params.id };
    const became = await noteCall(platform, call, who);
    if (became === 'noted') return DONE;
    return refuse(became === 'reused' ? 'requestReused' : 'notFound');
  });

  route(app, deskCalls.deskTakeBackCall, async ({ params, who }) => {
    const call = { id: params.callId, closingId: params.id };
    return (await takeCallBack(platform, call, who)) === 'takenBack' ? DONE : refuse('notFound');
  });

  route(app, deskCalls.deskReopenTime, async ({ params: { id }, staff, now, who }) => {
    const closing = await closingById(db, id);
    // Stopping one that waits is for everybody who sees it, and is not to take long.
    const isStop = closing !== null && canBeStopped(closing, now);
    if (!isStop && !isFactorRecent(staff, now)) return refuse('factorNeeded');
    const became = await reopenTime(platform, id, who);
    if (became === 'notFound') return refuse('notFound');
    if (became === 'past') return refuse('closingOver');
    realtime.sayToDesk();
    return DONE;
  });
}

function registerWeeks(app: FastifyInstance, platform: Platform): void {
  const { database, emr, realtime } = platform;
  const { db } = database;

  route(app, deskCalls.deskWeek, async ({ params: { providerId }, query: { on }, now }) => {
    if (!(await isDoctor(db, providerId))) return refuse('notFound');
    const [shown, days, codes] = await Promise.all([
      weekOn(db, providerId, on),
      singleDaysFrom(db, { providerId, clinicDate: toClinic(now).date }),
      keptSlotCodes(db),
    ]);
    return success({
      ...shown,
      days,
      codes,
      isInEmr: emr !== null,
      formVersion: versionOfForm(await weekForm(providerId, shown)),
    });
  });

  /** What the form of a week is made of: its days, and the week that comes after it. */
  async function weekForm(providerId: string, { week, next }: Awaited<ReturnType<typeof weekOn>>) {
    const after = next === null ? null : await weekOn(db, providerId, next);
    return { ...byWeekday(week), next: after && [next, ...after.week] };
  }

  route(app, deskCalls.deskSaveWeek, async ({ params, body, headers, now, who, locale }) => {
    const { providerId } = params;
    if (emr !== null) return refuse('keptInEmr');
    if (!(await isDoctor(db, providerId))) return refuse('notFound');
    const { validFrom, madeOn = validFrom, version } = body;
    const shown = await weekOn(db, providerId, madeOn);
    const { 'x-changed': named, ...form } = headers;
    const replacesNext = shown.next !== null && shown.next <= validFrom;
    const over = overStored(
      { ...form, ...(named !== undefined && { 'x-changed': `${named},next` }) },
      await weekForm(providerId, shown),
      { ...byWeekday(body.week), ...(replacesNext && { next: null }) },
    );
    if (over instanceof Refusal) return over;
    const week = WEEK_FIELDS.map((day, at) => over[day] ?? shown.week[at] ?? '');
    if (validFrom < toClinic(now).date) return invalid('validFrom', 'weekBegun');
    if (week.every((codes) => /^_*$/.test(codes))) return invalid('week', 'weekEmpty');
    const by = { ...who, wanted: version ?? null };
    const saved = await saveWeek(platform, { providerId, validFrom, week }, by);
    if (saved.problems.length > 0) return invalid('week', 'weekCodeUnknown');
    // Saving would now change something else than the preview showed.
    if (version !== undefined && !saved.isImported) return refuse('previewOutdated');
    const { outside, isImported } = saved;
    if (isImported) realtime.sayToDesk();
    const extras = {
      isSaved: isImported,
      version: saved.version,
      changed: saved.changes.length,
      outside: await shownOutside(outside, locale),
    };
    return showing(extras, {
      ...lookAtOutside(providerId, outside),
      action: 'working week foreseen',
      details: { validFrom },
    });
  });

  route(app, deskCalls.deskSingleDay, async ({ params: { providerId, date } }) => {
    if (!(await isDoctor(db, providerId))) return refuse('notFound');
    const [{ exception: said, ...day }, codes] = await Promise.all([
      singleDayOf(db, { providerId, clinicDate: date }),
      keptSlotCodes(db),
    ]);
    return success({
      ...day,
      said,
      codes,
      isInEmr: emr !== null,
      formVersion: versionOfForm({ codes: said ?? day.week }),
    });
  });

  route(app, deskCalls.deskSaveDay, async ({ params, body, headers, now, who, locale }) => {
    const { providerId, date } = params;
    if (emr !== null) return refuse('keptInEmr');
    if (!(await isDoctor(db, providerId))) return refuse('notFound');
    const { codes, version } = body;
    if (date < toClinic(now).date) return invalid('date', 'dayOver');
    const known = new Set((await keptSlotCodes(db)).map(({ code }) => code)).add(NOT_WORKING);
    if (!Array.from(codes ?? '').every((code) => known.has(code)))
      return invalid('codes', 'dayCodeUnknown');
    const by = { ...who, wanted: version ?? null };
    const saved = await saveDay(platform, { providerId, clinicDate: date, codes }, by, headers);
    if (saved instanceof Refusal) return saved;
    // Saving would now change something else than the preview showed.
    if (version !== undefined && !saved.isSaved) return refuse('previewOutdated');
    if (saved.isSaved) realtime.sayToDesk();
    const outside = await shownOutside(saved.outside, locale);
    return showing(
      { ...saved, outside },
      {
        ...lookAtOutside(providerId, saved.outside),
        action: 'single day foreseen',
        details: { date },
      },
    );
  });

  const lookAtOutside = (providerId: string, outside: readonly OutsideSchedule[]) => ({
    subject: `provider:${providerId}`,
    records: recordIds(outside),
  });

  async function shownOutside(outside: readonly OutsideSchedule[], locale: Locale) {
    const shown = await withPatients(db, outside, locale);
    return shown.map((each) => ({ ...each, endsThen: each.endsNow }));
  }
}

/** Whether staff must call: no email reaches the patient. */
const isCalled = ({ patientId, bounces }: Pick<EntryRow, 'patientId' | 'bounces'>) =>
  patientId === null || bounces;

/** The codes of a week by the API's names of its days. */
const byWeekday = (
  week: readonly string[],
): Partial<Record<(typeof WEEK_FIELDS)[number], string>> =>
  Object.fromEntries(WEEK_FIELDS.map((day, at) => [day, week[at] ?? '']));

/** What is asked for, as it is judged. */
const closingOf = ({ providerIds, from, to }: Time, appointments: number) => ({
  act: 'close' as const,
  providers: new Set(providerIds).size,
  from,
  to,
  appointments,
});

function shownClosing(
  { providerIds, askedBy, reopenedFrom, reopenedAt, reopenedBy, waitsUntil, ...closing }: Closing,
  nameOf: NameOfStaff,
  now: number,
) {
  const reopened =
    reopenedFrom === null || reopenedAt === null
      ? null
      : { from: reopenedFrom, at: reopenedAt, by: nameOf(reopenedBy) };
  return {
    ...closing,
    providerIds,
    askedBy: nameOf(askedBy),
    waitsUntil: canBeStopped({ waitsUntil, reopenedAt }, now) ? waitsUntil : null,
    reopened,
  };
}

const shownCall = (
  { id, outcome, by, at, takenBackBy, takenBackAt }: ClosingCall,
  nameOf: NameOfStaff,
): Entry['calls'][number] => ({
  id,
  outcome,
  by: nameOf(by),
  at,
  takenBack: takenBackAt === null ? null : { by: nameOf(takenBackBy), at: takenBackAt },
});

function shownEntry(entry: EntryRow, isReopened: boolean): Omit<Entry, 'calls'> {
  const { outcome } = entry;
  const phones = phonesOf(entry);
  if (isReopened && outcome === null)
    return { ...entry, phones, outcome: 'kept', email: 'none', refund: 'none' };
  return {
    ...entry,
    phones,
    outcome: outcome ?? (entry.underWay ? 'underWay' : 'waiting'),
    email: emailOf(entry),
    refund: entry.paidCents === 0 ? 'none' : refundOf(entry),
  };
}

/** A number that is kept in two places is one to call. */
function phonesOf({ cardPhones, accountPhones }: EntryRow): Entry['phones'] {
  const kept = [
    ...cardPhones.map((number) => ({ number, keptIn: 'card' as const })),
    ...accountPhones.map((number) => ({ number, keptIn: 'account' as const })),
  ];
  const byDialled = Map.groupBy(kept, ({ number }) => dialledPhone(number) ?? number);
  return [...byDialled].map(([dialled, each]) => ({
    number: dialled,
    keptIn: [...new Set(each.map(({ keptIn }) => keptIn))],
  }));
}

function emailOf({ outcome, email, ...whose }: EntryRow): Entry['email'] {
  if (outcome === 'released' || outcome === 'gone' || outcome === 'stays') return 'none';
  // Nobody is called about what still stands: it can be stopped.
  if (outcome === null) return 'waiting';
  if (isCalled(whose)) return 'call';
  // The email enters the outbox with the outcome, and its row is kept for a month after it was sent.
  return email ?? 'past';
}

/** A payment that was authorised and cancelled uncharged counts as paid back, too. */
function refundOf({ payment, outcome }: EntryRow): Entry['refund'] {
  if (outcome === 'gone' || outcome === 'stays') return 'none';
  if (payment === 'refunded' || payment === 'cancelled') return 'done';
  const isLeft = payment === null || payment === 'refund_failed' || payment === 'capture_failed';
  return isLeft ? 'failed' : 'coming';
}
