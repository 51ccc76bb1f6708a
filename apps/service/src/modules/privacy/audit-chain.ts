import type { Database, Tx } from '../../database/db.ts';
import { auditText } from '../../security/audit.store.ts';
import type { Keyring } from '../../security/keyring.ts';
import {
  type AuditRow,
  lastLink,
  notedHead,
  rowsAfter,
  rowsWithoutLink,
  takeSealersLease,
  writeLinks,
} from './store.ts';

// Rows are linked after they were committed. A link is its number, counted from 1 in eight bytes,
// and a MAC over the link before, the number and the row; no bytes stand for 'no link yet'.

const CONTEXT = 'audit.chain';
const SEALED_AT_ONCE = 500;
const READ_AT_ONCE = 1_000;
const MOST_UNLINKED = 10_000;
const MOST_FINDINGS = 100;

/**
 * Links rows to the chain in the order in which they were committed, one sealer at a time. The
 * head is kept beside the trail too, so that a trail that was cut off at its end is noticed.
 */
export async function sealAudit(
  database: Pick<Database, 'inTransaction'>,
  keyring: Keyring,
): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await database.inTransaction((tx) => sealBatch(tx, keyring));
    sealed += count;
    if (count < SEALED_AT_ONCE) return sealed;
  }
}

async function sealBatch(tx: Tx, keyring: Keyring): Promise<number> {
  if (!(await takeSealersLease(tx))) return 0;
  const rows = await rowsWithoutLink(tx, SEALED_AT_ONCE);
  if (rows.length === 0) return 0;
  const links: Uint8Array[] = [];
  let link = await lastLink(tx);
  for (const row of rows) {
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(numberOf(link) + 1n);
    const mac = keyring.mac(CONTEXT, chained(link, numberOf(number), row));
    link = Buffer.concat([number, mac]);
    links.push(link);
  }
  await writeLinks(tx, rows, links);
  return rows.length;
}

export interface AuditReport {
  readonly rows: number;
  /** Rows that the sealer has not linked yet. */
  readonly unlinked: number;
  /** A sentence for each thing that is not as it was written; none is a trail as it should be. */
  readonly findings: readonly string[];
  /** The last link, to be noted elsewhere and compared. */
  readonly head: string;
}

/** Reads the whole trail and says what was changed, taken out, put in or moved. */
export async function verifyAudit(
  { db }: Pick<Database, 'db'>,
  keyring: Keyring,
): Promise<AuditReport> {
  const findings: string[] = [];
  let rows = 0;
  let link: Uint8Array = new Uint8Array();
  for (;;) {
    const batch = await rowsAfter(db, link, READ_AT_ONCE);
    for (const row of batch) {
      const chain = row.chain ?? new Uint8Array();
      findings.push(...findingsOf(keyring, row, chain, link));
      link = chain;
    }
    rows += batch.length;
    if (batch.length < READ_AT_ONCE) break;
  }
  const head = numberOf(await notedHead(db));
  if (head > numberOf(link))
    findings.push(
      `The rows after number ${numberOf(link)} are missing: the sealer had come to ${head}.`,
    );
  const unlinked = await rowsWithoutLink(db, MOST_UNLINKED);
  findings.push(...unlinked.flatMap((row) => changed(keyring, row)));
  return {
    rows: rows + unlinked.length,
    unlinked: unlinked.length,
    findings: findings.slice(0, MOST_FINDINGS),
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

function changed(keyring: Keyring, row: AuditRow): string[] {
  const { id, at, actor, action, subject, details, mac } = row;
  const isUntouched = keyring.vouches(
    'audit',
    auditText({ at, actor, action, subject, details }),
    mac,
  );
  return isUntouched ? [] : [`Row ${id} was changed after it was written.`];
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const numberOf = (link: Uint8Array): bigint =>
  link.length < 8 ? 0n : Buffer.from(link).readBigUInt64BE(0);

/** What the MAC of a link is taken of. */
const chained = (before: Uint8Array, number: bigint, { id, mac }: AuditRow): string =>
  `${number}:${hex(before)}:${id}:${hex(mac)}`;
