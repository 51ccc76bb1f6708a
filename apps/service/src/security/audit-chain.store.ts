import { type Database, type Db, part, sql } from '../database/db.ts';
import { readFact, writeFact } from '../database/installation.store.ts';
import { tryLockFor } from '../database/shared-names.store.ts';
import { type TrailRow, auditText } from './audit.store.ts';
import type { Keyring } from './keyring.ts';

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
