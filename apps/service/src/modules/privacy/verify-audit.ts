import { auditText } from '../../security/audit.ts';
import type { Database } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { NO_LINK, type Link, isLink, linkOf, numberOf } from './audit-chain.ts';
import { type AuditRow, notedHead, rowsAfter, rowsWithoutLink } from './audit-rows.store.ts';

export interface AuditReport {
  readonly rows: number;
  /** Rows that the sealer has not linked yet. */
  readonly unlinked: number;
  /** A sentence for each thing that is not as it was written; none is a trail as it should be. */
  readonly findings: readonly string[];
  /** The last link, to be noted elsewhere and compared. */
  readonly head: string;
}

const BATCH = 1_000;
const MOST_UNLINKED = 10_000;
const MOST_FINDINGS = 100;

/** S-14: reads the whole trail and says what was changed, taken out, put in or moved. */
export async function verifyAudit(
  { db }: Pick<Database, 'db'>,
  keyring: Pick<Keyring, 'vouches'>,
): Promise<AuditReport> {
  const findings: string[] = [];
  let rows = 0;
  let link: Link = NO_LINK;
  for (;;) {
    const batch = await rowsAfter(db, link, BATCH);
    for (const row of batch) {
      findings.push(...findingsOf(keyring, row, link));
      link = linkOf(row.chain ?? new Uint8Array());
    }
    rows += batch.length;
    if (batch.length < BATCH) break;
  }
  const head = await notedHead(db);
  if (head.number > link.number)
    findings.push(
      `The rows after number ${link.number} are missing: the sealer had come to ${head.number}.`,
    );
  const unlinked = await rowsWithoutLink(db, MOST_UNLINKED);
  for (const row of unlinked) if (!isUntouched(keyring, row)) findings.push(changed(row));
  return {
    rows: rows + unlinked.length,
    unlinked: unlinked.length,
    findings: findings.slice(0, MOST_FINDINGS),
    head: Buffer.from(link.bytes).toString('hex'),
  };
}

function findingsOf(keyring: Pick<Keyring, 'vouches'>, row: AuditRow, before: Link): string[] {
  const { chain, id } = row;
  if (chain === null) return [];
  const found = isUntouched(keyring, row) ? [] : [changed(row)];
  const expected = before.number + 1n;
  if (numberOf(chain) !== expected)
    found.push(`Number ${expected} of the chain is missing before row ${id}.`);
  else if (!isLink(keyring, before, { ...row, chain }))
    found.push(`Row ${id} does not belong at number ${expected}: it was moved or replaced.`);
  return found;
}

const changed = ({ id }: AuditRow) => `Row ${id} was changed after it was written.`;

function isUntouched(keyring: Pick<Keyring, 'vouches'>, row: AuditRow): boolean {
  const { at, actor, action, subject, details, mac } = row;
  return keyring.vouches('audit', auditText({ at, actor, action, subject, details }), mac);
}
