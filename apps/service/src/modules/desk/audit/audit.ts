import { deskCalls, type ApiTrailEntry } from '@clinic/contract';
import {
  MOST_EXPORTED as MOST_EXPORTED_AT_ONCE,
  addDays,
  formatAppointment,
  formatTime,
  startOfDay,
  toClinic,
} from '@clinic/domain';
import { ENGLISH, type Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import {
  type LookAction,
  type TrailPlace,
  type TrailRow,
  type TrailSearch,
  trailRows,
} from '../../../security/audit.store.ts';
import type { SignedInStaff } from '../../../security/sessions.store.ts';
import { csvOf } from '../../../server/table-text.ts';
import { success } from '../../../server/responses.ts';
import { type RequestContext, route } from '../../../server/http.ts';
import { type Look, showing } from '../../../server/audited-reads.ts';
import { Refusal, refuse } from '../../../server/refusal.ts';
import { patientNames, recordsOf } from '../../patients/index.ts';
import { findPatient } from '../../accounts/index.ts';
import { otherNumbers } from '../../records/index.ts';
import { knownTypes } from '../../schedule/index.ts';
import { subjectsOf, thingsOf } from './audit.store.ts';
import { providersAtDesk } from '../day/booking.store.ts';
import {
  type WaitingAct,
  actById,
  harmAtDesk,
  listColleagues,
  sameAct,
  staffById,
} from '../../staff/index.ts';

const PAGE = 50;
/** The most rows of an export: more would take too long, so staff are asked to narrow the dates. */
const MOST_EXPORTED = 20_000;
const READ_AT_ONCE = 1_000;
/** The first second of the year 10000, in place of an open end. */
const NO_END = 253_402_300_800;

type AskedExport = RequestContext<typeof deskCalls.deskExportAudit>['body'];
type Asked = Omit<AskedExport, 'waited'>;

/** Reading and exporting the audit trail at the front desk. */
export function registerAuditAtDesk(app: FastifyInstance, platform: Platform): void {
  const { database, realtime } = platform;
  const { db } = database;
  const harm = harmAtDesk(platform);

  route(app, deskCalls.deskAuditTrail, async ({ body, locale }) => {
    const { after, ...asked } = body;
    const [at, id] = after?.split('.').map(Number) ?? [];
    const place = at === undefined || id === undefined ? null : { at, id };
    const found = await database.readAside((aside) => pageOf(aside, asked, place, locale));
    if (found === null) return refuse('notFound');
    const { records, ...extras } = found;
    const look = lookOf(asked, 'audit trail shown', records);
    return showing(extras, look);
  });

  route(app, deskCalls.deskAuditStaff, async () => {
    const all = await listColleagues(db);
    return success({ staff: all.map((each) => ({ ...each, isClosed: each.closedAt !== null })) });
  });

  /** What was asked for before and not stopped: an export that waits, or that can be fetched. */
  async function askedBefore({ id }: Pick<SignedInStaff, 'id'>, asked: AskedExport, now: number) {
    const { waited, ...search } = asked;
    const own = { act: 'export' as const, askedBy: id, asked: search };
    const act = waited === undefined ? await sameAct(db, own, now) : await actById(db, waited);
    if (waited !== undefined && (act?.act !== 'export' || act.askedBy !== id))
      return refuse('notFound');
    if (act?.outcome === 'stopped') {
      const by = act.stoppedBy === null ? null : await staffById(db, act.stoppedBy);
      return refuse('exportStopped', { values: { who: by?.name ?? '' } });
    }
    return act !== null && act.waitsUntil > now ? waits(act) : act;
  }
  const waits = ({ waitsUntil }: Pick<WaitingAct, 'waitsUntil'>) =>
    refuse('exportWaits', { values: { n: MOST_EXPORTED_AT_ONCE, time: formatTime(waitsUntil) } });

  route(app, deskCalls.deskExportAudit, async ({ body, staff, now }) => {
    const act = await askedBefore(staff, body, now);
    if (act instanceof Refusal) return act;
    const { waited: _, ...search } = body;
    const asked: AskedExport = act?.asked ?? search;
    // What waited has the rows of when it was asked for, which managers were told of.
    const place = act === null ? null : { at: act.askedAt + 1, id: 0 };
    const found = await database.readAside((aside) => linesOf(aside, asked, place));
    if (found === null) return refuse('notFound');
    const { lines, records } = found;
    if (lines.length > MOST_EXPORTED + 1)
      return refuse('trailTooLong', { values: { n: MOST_EXPORTED } });
    if (act === null) {
      const harmful = { act: 'export' as const, people: records.length };
      const waiting = await database.inTransaction((tx) =>
        harm.waitIn(tx, staff, harmful, search, now),
      );
      if (waiting !== null) {
        realtime.sayToDesk();
        return waits(waiting);
      }
    }
    const look = lookOf(asked, 'audit trail exported', records);
    const name = `audit-trail-${toClinic(now).date}.csv`;
    return showing(
      { name, csv: csvOf(lines) },
      { ...look, details: { ...look.details, rows: lines.length - 1 } },
    );
  });
}

/** One page of the trail; null when the patient is unknown. */
async function pageOf(db: Db, asked: Asked, place: TrailPlace | null, reader: Locale) {
  const search = await searchOf(db, asked);
  if (search === null) return null;
  const rows = await trailRows(db, search, place, PAGE + 1);
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  const next = rows.length > PAGE && last !== undefined ? `${last.at}.${last.id}` : null;
  return { ...(await shownEntries(db, page, search.about, reader)), next };
}

/** The lines of an export, cut off soon after `MOST_EXPORTED`; null when the patient is unknown. */
async function linesOf(db: Db, asked: Asked, newest: TrailPlace | null) {
  const search = await searchOf(db, asked);
  if (search === null) return null;
  const lines: (readonly string[])[] = [COLUMNS];
  const shown = new Set<string>();
  let place = newest;
  do {
    const rows: TrailRow[] = await trailRows(db, search, place, READ_AT_ONCE);
    const { entries, records } = await shownEntries(db, rows, search.about);
    for (const entry of entries) lines.push(lineOf(entry));
    for (const record of records) shown.add(record);
    place = rows.length === READ_AT_ONCE ? (rows.at(-1) ?? null) : null;
  } while (place !== null && lines.length <= MOST_EXPORTED + 1);
  return { lines, records: [...shown] };
}

/** Turns a request into a search; null when the patient is unknown. */
async function searchOf(db: Db, asked: Asked): Promise<TrailSearch | null> {
  const { patientId, recordId, staffId, from, to } = asked;
  const time = {
    from: from === undefined ? 0 : startOfDay(from),
    until: to === undefined ? NO_END : startOfDay(addDays(to, 1)),
  };
  const actor = staffId === undefined ? null : `staff:${staffId}`;
  if (patientId === undefined && recordId === undefined) return { about: null, actor, ...time };
  const patient = patientId === undefined ? null : await findPatient(db, patientId);
  if (patientId !== undefined && patient === null) return null;
  const whose = { patientId: patient?.id ?? null, recordId: patient?.recordId ?? recordId ?? '' };
  const merged = await otherNumbers(db, whose.recordId);
  const about = {
    subjects: [...(await subjectsOf(db, whose)), ...merged.map((gone) => `record:${gone}`)],
    // No patient has the id '-'.
    patientId: whose.patientId ?? '-',
    recordIds: [whose.recordId, ...merged],
  };
  return { about, actor, ...time };
}

/** The audit entry of reading the trail: the patient, colleague and dates that were searched. */
function lookOf(
  { patientId, recordId, staffId, from, to }: Asked,
  action: LookAction,
  records: readonly string[],
): Look {
  const subject =
    patientId !== undefined
      ? `patient:${patientId}`
      : recordId !== undefined
        ? `record:${recordId}`
        : 'audit:all';
  return { action, subject, records, details: { by: staffId, from, to } };
}

/** The keys in a row's details whose values are ids of patients, providers, colleagues or types. */
const NAMED = {
  patient: 'patient',
  patients: 'patient',
  record: 'patient',
  found: 'patient',
  apart: 'patient',
  provider: 'provider',
  providers: 'provider',
  to: 'staff',
  by: 'staff',
  type: 'type',
} as const;
const isNamed = (key: string): key is keyof typeof NAMED => Object.hasOwn(NAMED, key);

/** Splits 'appointment:17' into kind and id; the id of 'visitor' is null. */
function parted(named: string): { readonly kind: string; readonly id: string | null } {
  const at = named.indexOf(':');
  return at < 0 ? { kind: named, id: null } : { kind: named.slice(0, at), id: named.slice(at + 1) };
}

const textsIn = (value: unknown): string[] => [value].flat().map(textOf);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/**
 * Rows of the trail with today's names for the ids in them, and the records of the patients named. What is
 * read about one patient names no other whom the same list showed.
 */
async function shownEntries(
  db: Db,
  found: readonly TrailRow[],
  about: TrailSearch['about'],
  reader = ENGLISH.id,
): Promise<{ readonly entries: ApiTrailEntry[]; readonly records: readonly string[] }> {
  const rows = about === null ? found : found.map((row) => withoutOthers(row, about));
  const [things, colleagues, providers, types] = await Promise.all([
    thingsOf(db, [...new Set(rows.map(({ subject }) => subject))]),
    listColleagues(db),
    providersAtDesk(db),
    knownTypes(db, reader),
  ]);
  const parties = rows.flatMap(({ actor, subject }) => [parted(actor), parted(subject)]);
  const inDetails = rows.flatMap(({ details }) =>
    Object.entries(details).flatMap(([key, value]) =>
      isNamed(key) && NAMED[key] === 'patient' ? textsIn(value) : [],
    ),
  );
  const ids = [
    ...new Set([
      ...parties.flatMap(({ kind, id }) =>
        (kind === 'patient' || kind === 'record') && id !== null ? [id] : [],
      ),
      ...things.flatMap(({ patientId, recordId }) =>
        [patientId, recordId].filter((id) => id !== null),
      ),
      ...inDetails,
    ]),
  ];
  const [patients, records] = await Promise.all([patientNames(db, ids), recordsOf(db, ids)]);
  const names = {
    patient: patients,
    staff: new Map(colleagues.map(({ id, name }) => [id, name])),
    provider: new Map(providers.map(({ id, name }) => [id, name])),
    type: new Map(types.map(({ code, description }) => [code, description])),
  };
  const thingBy = new Map(things.map((thing) => [thing.subject, thing]));

  const party = (named: string) => {
    const { kind, id } = parted(named);
    const thing = thingBy.get(named);
    const owner = thing && (thing.patientId ?? thing.recordId);
    const name =
      kind === 'staff'
        ? names.staff.get(id ?? '')
        : kind === 'provider'
          ? names.provider.get(id ?? '')
          : names.patient.get(owner ?? (kind === 'patient' || kind === 'record' ? (id ?? '') : ''));
    return { kind, id, name: name ?? null };
  };
  const entries = rows.map(({ id, at, actor, action, subject, details }) => ({
    id,
    at,
    actor: party(actor),
    action,
    subject: party(subject),
    start: thingBy.get(subject)?.start ?? null,
    details: Object.entries(details).map(([name, value]) => ({
      name,
      value: isNamed(name)
        ? textsIn(value)
            .map((each) => names[NAMED[name]].get(each) ?? each)
            .join('; ')
        : textOf(value),
    })),
  }));
  return { entries, records };
}

function withoutOthers(row: TrailRow, about: NonNullable<TrailSearch['about']>): TrailRow {
  const own = [about.patientId, ...about.recordIds];
  const details = Object.entries(row.details).map(([key, value]) => [
    key,
    Array.isArray(value) && isNamed(key) && NAMED[key] === 'patient'
      ? value.filter((each) => own.includes(textOf(each)))
      : value,
  ]);
  return { ...row, details: Object.fromEntries(details) as TrailRow['details'] };
}

const COLUMNS = [
  'time',
  'clinic time',
  'actor',
  'actor id',
  'actor name',
  'action',
  'subject',
  'subject id',
  'subject name',
  'details',
  'row',
];

const lineOf = ({ id, at, actor, action, subject, details }: ApiTrailEntry): string[] => [
  new Date(at * 1000).toISOString(),
  formatAppointment(at),
  actor.kind,
  actor.id ?? '',
  actor.name ?? '',
  action,
  subject.kind,
  subject.id ?? '',
  subject.name ?? '',
  details.map(({ name, value }) => `${name}: ${value}`).join(', '),
  String(id),
];
