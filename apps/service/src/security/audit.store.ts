import { type Database, type Db, type Tx, hasRows, part, sql, writeLast } from '../database/db.ts';
import { readFact, writeFact } from '../database/installation.store.ts';
import { tryLockFor } from '../database/shared-names.store.ts';
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

/**
 * Cancelled appointments, and whether the clinic cancelled each, for other stores to join. When staff
 * cancel because the patient asked for it, the patient counts as the one who cancelled.
 */
export const CANCELLATIONS = part`(
  select split_part(subject, ':', 2) as id, ${BY_CLINIC} as by_clinic
    from audit where action = 'appointment cancelled' group by 1)`;

/** When records were opened, for other stores to join by their subject. */
export const RECORDS_OPENED = part`(
  select subject, at_s from audit where action in ('record opened', 'record opened by the clinic'))`;

/** Who wanted an appointment cancelled; null when it was not. */
export async function cancellationWantedBy(
  db: Db,
  appointmentId: string,
): Promise<'patient' | 'clinic' | null> {
  const [row] = await sql<{ byClinic: boolean | null }>(db, 'audit-cancellation-wanted-by')`
    select ${BY_CLINIC} as "byClinic" from audit
     where action = 'appointment cancelled' and subject = ${`appointment:${appointmentId}`}`;
  if (row === undefined || row.byClinic === null) return null;
  return row.byClinic ? 'clinic' : 'patient';
}

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

/** True when this actor has done this action to this subject since a time. */
export const hasDone = (
  db: Db,
  { actor, action, subject }: Pick<AuditEntry, 'actor' | 'action' | 'subject'>,
  since: number,
) =>
  hasRows(
    sql(db, 'audit-has-done')`
      select id from audit
       where actor = ${actor} and at_s >= ${since} and action = ${action} and subject = ${subject}
       limit 1`,
  );

/** How often this actor has done this action to this subject since a time. */
export async function timesDone(
  db: Db,
  { actor, action, subject }: Pick<AuditEntry, 'actor' | 'action' | 'subject'>,
  since: number,
): Promise<number> {
  const [row] = await sql<{ times: number }>(db, 'audit-times-done')`
    select count(*)::int as times from audit
     where actor = ${actor} and at_s > ${since} and action = ${action} and subject = ${subject}`;
  return row?.times ?? 0;
}

/** The details of every entry with this action and subject, whoever the actor, the oldest first. */
export async function detailsOf(
  db: Db,
  { action, subject }: Pick<AuditEntry, 'action' | 'subject'>,
): Promise<NonNullable<AuditEntry['details']>[]> {
  const rows = await sql<Required<Pick<AuditEntry, 'details'>>>(db, 'audit-details')`
    select details from audit where action = ${action} and subject = ${subject} order by id`;
  return rows.map(({ details }) => details);
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

// Rows are linked after they were committed. A link is its number, counted from 1 in eight bytes,
// and a MAC over the link before, the number and the row. An empty link stands before the first row.

const CONTEXT = 'audit.chain';
const SEALED_AT_ONCE = 500;
const READ_AT_ONCE = 1_000;
const MOST_UNLINKED = 10_000;
const MOST_FINDINGS = 100;
const HEAD = 'audit-head';
const NO_LINK: Uint8Array = new Uint8Array();

interface AuditRow extends TrailRow {
  readonly mac: Uint8Array;
  readonly chain: Uint8Array | null;
}

const ROWS = part`select id, at_s as at, actor, action, subject, details, mac, chain from audit`;

const withoutLink = (db: Db, most: number) =>
  sql<AuditRow>(db, 'audit-without-link')`
    ${ROWS} where chain is null order by id limit ${most}`;

/**
 * Links the committed rows to the chain, one sealer at a time, and returns their number. The head is
 * also stored outside the trail, so that `verifyAudit` notices when the end of the trail is missing.
 */
export async function sealAudit(
  database: Pick<Database, 'inTransaction'>,
  keyring: Keyring,
): Promise<number> {
  for (let sealed = 0; ;) {
    const count = await sealBatch(database, keyring);
    sealed += count;
    if (count < SEALED_AT_ONCE) return sealed;
  }
}

const sealBatch = (database: Pick<Database, 'inTransaction'>, keyring: Keyring): Promise<number> =>
  database.inTransaction(async (tx) => {
    if (!(await tryLockFor('sealer', tx))) return 0;
    const rows = await withoutLink(tx, SEALED_AT_ONCE);
    if (rows.length === 0) return 0;
    const [last] = await sql<{ chain: Uint8Array }>(tx, 'audit-last-link')`
      select chain from audit where chain is not null order by chain desc limit 1`;
    let link = last?.chain ?? NO_LINK;
    const links = rows.map((row) => {
      const number = Buffer.alloc(8);
      number.writeBigUInt64BE(numberOf(link) + 1n);
      const mac = keyring.mac(CONTEXT, chained(link, numberOf(number), row));
      link = Buffer.concat([number, mac]);
      return link;
    });
    await sql(tx, 'audit-write-links')`
      update audit set chain = link.chain
        from unnest(${rows.map(({ id }) => id)}::bigint[], ${links}::bytea[]) as link(id, chain)
       where audit.id = link.id`;
    await writeFact(tx, HEAD, hex(link));
    return rows.length;
  });

/** Reads the whole trail and reports the rows that were changed, removed, inserted or moved. */
export async function verifyAudit({ db }: Pick<Database, 'db'>, keyring: Keyring) {
  const findings: string[] = [];
  let rows = 0;
  let link = NO_LINK;
  let batch: AuditRow[];
  do {
    batch = await sql<AuditRow>(db, 'audit-after-link')`
      ${ROWS} where chain > ${link} order by chain limit ${READ_AT_ONCE}`;
    for (const row of batch) {
      const chain = row.chain ?? NO_LINK;
      findings.push(...findingsOf(keyring, row, chain, link));
      link = chain;
    }
    rows += batch.length;
  } while (batch.length === READ_AT_ONCE);
  const head = numberOf(Buffer.from((await readFact(db, HEAD)) ?? '', 'hex'));
  if (head > numberOf(link))
    findings.push(
      `The rows after number ${numberOf(link)} are missing: the sealer had come to ${head}.`,
    );
  const unlinked = await withoutLink(db, MOST_UNLINKED);
  findings.push(...unlinked.flatMap((row) => changed(keyring, row)));
  return {
    rows: rows + unlinked.length,
    /** Rows that the sealer has not linked yet. */
    unlinked: unlinked.length,
    /** A sentence for each row that is not as it was written; empty when the trail is intact. */
    findings: findings.slice(0, MOST_FINDINGS),
    /** The last link, for the operator to note elsewhere and compare. */
    head: hex(link),
  };
}

function findingsOf(
  keyring: Keyring,
  row: AuditRow,
  chain: Uint8Array,
  before: Uint8Array,
): string[] {
  const found = changed(keyring, row);
  const expected = numberOf(before) + 1n;
  if (numberOf(chain) !== expected)
    found.push(`Number ${expected} of the chain is missing before row ${row.id}.`);
  else if (!keyring.vouches(CONTEXT, chained(before, expected, row), chain.subarray(8)))
    found.push(`Row ${row.id} does not belong at number ${expected}: it was moved or replaced.`);
  return found;
}

const changed = (keyring: Keyring, { id, mac, ...entry }: AuditRow): string[] =>
  keyring.vouches('audit', auditText(entry), mac)
    ? []
    : [`Row ${id} was changed after it was written.`];

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const numberOf = (link: Uint8Array): bigint =>
  link.length < 8 ? 0n : Buffer.from(link).readBigUInt64BE(0);

/** The text under the MAC of a link. */
const chained = (before: Uint8Array, number: bigint, { id, mac }: AuditRow): string =>
  `${number}:${hex(before)}:${id}:${hex(mac)}`;

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
