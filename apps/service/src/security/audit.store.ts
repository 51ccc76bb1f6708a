import type { OverrideReason } from '@clinic/domain';
import { type Db, type Tx, hasRows, part, sql, writeLast } from '../database/db.ts';
import type { Keyring } from './keyring.ts';

/** Who acts for the clinic, and when; `now` in epoch seconds. */
export interface Who {
  readonly actor: string;
  readonly now: number;
}

/**
 * S-14. Details name people by id: the trail holds no name, number, reason or diagnosis. Of the clinic's own
 * texts and tables it keeps what nobody can read any more.
 */
export interface AuditEntry {
  /** `patient:<id>`, `staff:<id>`, `clinic:<user of the system>`, `system:<job>` or `visitor`. */
  readonly actor: string;
  /** What was done, as the clinic would say it: 'signed in', 'appointment booked'. */
  readonly action: string;
  /** `<thing>:<id>`. */
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** An entry about a patient's account, with the patient as the actor unless the caller replaces it. */
export function ofPatient(
  id: string,
  action: string,
  at: number,
  details: AuditEntry['details'] = {},
): AuditEntry {
  return { actor: `patient:${id}`, action, subject: `patient:${id}`, details, at };
}

/** Writes a row in the same transaction as the change that it records. */
export type AppendAudit = (tx: Tx, entry: AuditEntry) => Promise<void>;

export function createAudit(keyring: Keyring): AppendAudit {
  return async (tx, entry) => {
    const { actor, action, subject, details = {}, at } = entry;
    const mac = keyring.mac('audit', auditText({ actor, action, subject, details, at }));
    writeLast(
      tx,
      'audit-append',
      part`
        insert into audit (at_s, actor, action, subject, details, mac)
        values (${at}, ${actor}, ${action}, ${subject}, ${JSON.stringify(details)}::text::jsonb, ${mac})`,
    );
  };
}

/** The text under the MAC: the same in whatever order the database returns the keys of `details`. */
export function auditText(entry: Required<AuditEntry>): string {
  const { at, actor, action, subject, details } = entry;
  return canonical([at, actor, action, subject, details]);
}

/** JSON with the keys of every object sorted. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const pairs = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${pairs.join(',')}}`;
}

const BY_CLINIC = part`bool_or((actor like 'clinic:%' or actor like 'staff:%')
                 and details->>'wantedBy' is distinct from 'patient')`;

/** The entries of cancellations that staff have not undone. */
const CANCELLED = part`(
  select a.id, a.actor, a.subject, a.details, a.at_s from audit a
   where a.action = 'appointment cancelled'
     and not exists (select from audit u where u.subject = a.subject
                        and u.action = 'cancellation undone' and u.id > a.id))`;

/**
 * Cancelled appointments, and whether the clinic cancelled each, for other stores to join. When staff
 * cancel because the patient asked for it, the patient counts as the one who cancelled.
 */
export const CANCELLATIONS = part`(
  select split_part(subject, ':', 2) as id, ${BY_CLINIC} as by_clinic
    from ${CANCELLED} cancelled group by 1)`;

/** When records were opened, for other stores to join by their subject. */
export const RECORDS_OPENED = part`(
  select subject, at_s from audit where action in ('record opened', 'record opened by the clinic'))`;

/** Appointments that staff have booked, by their subject, for other stores to join. */
export const BOOKED_BY_STAFF = part`(
  select subject from audit where action = 'appointment booked' and actor like 'staff:%')`;

/** Appointments for which texts were read out to the patient, by their subject, for other stores to join. */
export const CONSENTS_READ_OUT = part`(select subject from audit where action = 'consents read out')`;

interface Cancellation {
  readonly wantedBy: 'patient' | 'clinic';
  readonly actor: string;
  /** Why staff did it against the rules; null where no rule was in the way. */
  readonly overrideReason: OverrideReason | null;
}

/** Who wanted these appointments cancelled, who did it, and why against the rules, by the id; without those that were not. */
export async function cancellationsOf(
  db: Db,
  appointmentIds: readonly string[],
): Promise<ReadonlyMap<string, Cancellation>> {
  const subjects = appointmentIds.map((id) => `appointment:${id}`);
  const rows = await sql<Cancellation & { id: string }>(db, 'audit-cancellations')`
    select split_part(subject, ':', 2) as id,
           case when ${BY_CLINIC} then 'clinic' else 'patient' end as "wantedBy",
           (array_agg(actor order by id desc))[1] as actor,
           (array_agg((select o.details->>'reason' from audit o
                        where o.subject = cancelled.subject and o.action = 'rules overridden'
                          and o.actor = cancelled.actor and o.at_s = cancelled.at_s
                          and cancelled.details->>'wantedBy' = 'patient'
                        order by o.id desc limit 1) order by id desc))[1] as "overrideReason"
      from ${CANCELLED} cancelled where subject = any(${subjects}::text[]) group by subject`;
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** Who wanted an appointment cancelled; null when it was not. */
export const cancellationWantedBy = async (db: Db, id: string) =>
  (await cancellationsOf(db, [id])).get(id)?.wantedBy ?? null;

/** How many appointments somebody has cancelled or moved since an instant, and at whose wish. */
export async function changesBy(
  db: Db,
  actor: string,
  since: number,
): Promise<{ readonly clinic: number; readonly patient: number }> {
  const [row] = await sql<{ clinic: number; patient: number }>(db, 'audit-changes-by')`
    select count(distinct subject) filter (where by_clinic)::int as clinic,
           count(distinct subject) filter (where not by_clinic)::int as patient
      from (select subject,
                   case action when 'appointment cancelled'
                               then details->>'wantedBy' is distinct from 'patient'
                               else coalesce(details->>'wantedBy' = 'clinic', false) end as by_clinic
              from audit
             where actor = ${actor} and at_s > ${since}
               and action in ('appointment cancelled', 'appointment rescheduled')) changed`;
  return row ?? { clinic: 0, patient: 0 };
}

/** The actions that look at a patient's data and change nothing. All stand in the patient's copy of data. */
const LOOKS = [
  'day sheet shown',
  'day sheet printed',
  'week shown',
  'cancelled appointments shown',
  'own days shown',
  'closing foreseen',
  'closing shown',
  'working week foreseen',
  'single day foreseen',
  'payments shown',
  'payments reconciled',
  'waiting patients shown',
  'patients listed',
  'documents listed',
  'patients searched',
  'likely patients shown',
  'charts in the EMR shown',
  'charts in the EMR searched',
  'chart in the EMR chosen',
  'appointments outside of the EMR shown',
  'patient opened',
  'card number shown',
  'appointment opened',
  'booking begun at the desk',
  'merge of records foreseen',
  'document opened',
  'messages shown',
  'message read',
  'attachment opened',
  'suggestions shown',
  'suggestion read',
  'audit trail shown',
  'audit trail exported',
] as const;
export type LookAction = (typeof LOOKS)[number];

/** The records that a session was shown by its looks at one thing; null when it had no such look. */
export async function recordsShown(
  db: Db,
  { actor, action, subject }: Pick<AuditEntry, 'actor' | 'action' | 'subject'>,
  session: string,
  since: number,
): Promise<ReadonlySet<string> | null> {
  const rows = await sql<{ found: readonly string[] | null }>(db, 'audit-records-shown')`
    select details->'found' as found from audit
     where actor = ${actor} and at_s >= ${since} and action = ${action} and subject = ${subject}
       and details->>'session' = ${session}`;
  return rows.length === 0 ? null : new Set(rows.flatMap(({ found }) => found ?? []));
}

/** How often this actor has done this action to this subject since a time. */
export async function timesDone(
  db: Db,
  { actor, action, subject }: Pick<AuditEntry, 'actor' | 'action' | 'subject'>,
  since: number,
): Promise<number> {
  const [row] = await sql<{ times: number }>(db, 'audit-times-done')`
    select count(*)::int as times from audit
     where actor = ${actor} and at_s >= ${since} and action = ${action} and subject = ${subject}`;
  return row?.times ?? 0;
}

/** True when this actor has done this action to this subject since a time. */
export const hasDone = async (...asked: Parameters<typeof timesDone>) =>
  (await timesDone(...asked)) > 0;

/**
 * Whether somebody of the staff has opened a patient since an instant, or has made the record.
 * `subjects` are those under which the trail has the patient.
 */
export const hasOpened = async (
  db: Db,
  { actor, recordId, subjects }: { actor: string; recordId: string; subjects: readonly string[] },
  since: number,
): Promise<boolean> =>
  hasRows(sql(db, 'audit-has-opened')`
    select from audit
     where actor = ${actor} and at_s >= ${since}
       and (action = 'patient opened' and subject = any(${subjects}::text[])
            or action = 'appointment opened' and details->'found' = ${JSON.stringify([recordId])}::jsonb
            or action = 'record opened by the clinic' and subject = ${`record:${recordId}`})
     limit 1`);

const LATENESS = 'running late said';

const lateSubject = (providerId: string) => `provider:${providerId}`;

/** A provider says that they are running late by so many minutes; 0 is on time. */
export const lateness = (providerId: string, minutes: number, { actor, now }: Who): AuditEntry => ({
  actor,
  action: LATENESS,
  subject: lateSubject(providerId),
  details: { minutes },
  at: now,
});

/** By how many minutes each provider said last, since an instant, that they are running late. */
export async function latenessOf(
  db: Db,
  providerIds: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: string; minutes: number }>(db, 'audit-lateness')`
    select distinct on (subject) split_part(subject, ':', 2) as id, (details->>'minutes')::int as minutes
      from audit
     where subject = any(${providerIds.map(lateSubject)}::text[]) and action = ${LATENESS} and at_s >= ${since}
     order by subject, audit.id desc`;
  return new Map(rows.map(({ id, minutes }) => [id, minutes]));
}

/** When the newest entry was written; null where there is none. */
export async function lastEntryAt(db: Db): Promise<number | null> {
  const [row] = await sql<{ at: number }>(db, 'audit-last')`
    select at_s as at from audit order by id desc limit 1`;
  return row?.at ?? null;
}

/** The details of every entry with this action and subject, by any actor, the oldest first. */
export async function detailsLogged(
  db: Db,
  { action, subject }: Pick<AuditEntry, 'action' | 'subject'>,
): Promise<NonNullable<AuditEntry['details']>[]> {
  const rows = await sql<Required<Pick<AuditEntry, 'details'>>>(db, 'audit-details')`
    select details from audit where action = ${action} and subject = ${subject} order by id`;
  return rows.map(({ details }) => details);
}

/** Who did this action to this subject at a time; null when nobody did. */
export async function actorOf(
  db: Db,
  { action, subject, at }: Pick<AuditEntry, 'action' | 'subject' | 'at'>,
): Promise<string | null> {
  const [row] = await sql<Pick<AuditEntry, 'actor'>>(db, 'audit-actor')`
    select actor from audit
     where action = ${action} and subject = ${subject} and at_s = ${at} order by id desc limit 1`;
  return row?.actor ?? null;
}

type Look = Pick<AuditEntry, 'actor' | 'action' | 'at'>;

/** The ids under which the trail knows a patient. */
interface Whose {
  readonly patientId: string;
  /** The patient's record, and those that were merged into it. */
  readonly recordIds: readonly string[];
}

/** The condition that a row's details name the patient. */
function namesThem({ patientId, recordIds }: Whose) {
  const names = [
    { patient: patientId },
    { patients: [patientId] },
    ...recordIds.flatMap((id) => [{ record: id }, { found: [id] }]),
  ].map((details) => JSON.stringify(details));
  return part`(details ?| '{patient,patients,record,found}'::text[]
               and details @> any(${names}::text[]::jsonb[]))`;
}

/** When staff or operators looked at a patient or the patient's things, in the order of the trail. */
export function looksAt(
  db: Db,
  // `<thing>:<id>` of each thing of the patient's.
  { things, ...whose }: Whose & { readonly things: readonly string[] },
): Promise<Look[]> {
  const records = whose.recordIds.map((id) => `record:${id}`);
  const subjects = [`patient:${whose.patientId}`, ...records, ...things];
  return sql<Look>(db, 'audit-looks')`
    select actor, action, at_s as at from audit
     where action = any(${LOOKS}::text[]) and (actor like 'staff:%' or actor like 'clinic:%')
       and (subject = any(${subjects}::text[]) or ${namesThem(whose)})
     order by id`;
}

/** A row of the trail as it is read. */
export interface TrailRow extends Required<AuditEntry> {
  readonly id: number;
}

export interface TrailPlace {
  readonly at: number;
  readonly id: number;
}

export interface TrailSearch {
  /** Null for everybody. */
  readonly about:
    | (Whose & {
        /** `<thing>:<id>` of the patient and of their things, matched as subject and as actor. */
        readonly subjects: readonly string[];
      })
    | null;
  readonly actor: string | null;
  /** In epoch seconds; `until` is excluded. */
  readonly from: number;
  readonly until: number;
}

/** A page of the trail after a place, the newest first: rows that are added meanwhile do not shift it. */
export function trailRows(
  db: Db,
  { about, actor, from, until }: TrailSearch,
  after: TrailPlace | null,
  most: number,
): Promise<TrailRow[]> {
  const isAbout =
    about === null
      ? part`true`
      : part`(subject = any(${about.subjects}::text[]) or actor = any(${about.subjects}::text[])
              or ${namesThem(about)})`;
  const isBy = actor === null ? part`true` : part`actor = ${actor}`;
  const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: 0 };
  return sql<TrailRow>(db)`
    select id, at_s as at, actor, action, subject, details from audit
     where ${isAbout} and ${isBy} and at_s >= ${from} and at_s < ${until}
       and (at_s, id) < (${at}::bigint, ${id}::bigint)
     order by at_s desc, id desc limit ${most}`;
}
