import { auditText } from '../../platform/audit.ts';
import type { Database } from '../../platform/db.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { run } from '../../platform/statement.ts';
import { NO_LINK, type Link, isLink, linkOf, numberOf } from './audit-chain.ts';
import { notedHead } from './seal-audit.ts';

interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Record<string, unknown>;
  readonly mac: Uint8Array;
  readonly chain: Uint8Array | null;
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

const BATCH = 1_000;
const MOST_FINDINGS = 100;

const COLUMNS = 'id, at_s as at, actor, action, subject, details, mac, chain';

/** S-14: reads the whole trail and says what was changed, taken out, put in or moved. */
export async function verifyAudit(
  database: Pick<Database, 'db'>,
  keyring: Pick<Keyring, 'vouches'>,
): Promise<AuditReport> {
  const findings: string[] = [];
  let rows = 0;
  let link: Link = NO_LINK;
  for (;;) {
    const batch = await run<AuditRow>(
      database.db,
      {
        name: 'audit-walk',
        text: `select ${COLUMNS} from audit where chain > $1 order by chain limit ${BATCH}`,
      },
      [link.bytes],
    );
    for (const row of batch) {
      findings.push(...findingsOf(keyring, row, link));
      link = linkOf(row.chain ?? new Uint8Array());
    }
    rows += batch.length;
    if (batch.length < BATCH) break;
  }
  const head = await notedHead(database.db);
  if (head.number > link.number)
    findings.push(
      `The rows after number ${link.number} are missing: the sealer had come to ${head.number}.`,
    );
  const unlinked = await verifyUnlinked(database, keyring, findings);
  return {
    rows: rows + unlinked,
    unlinked,
    findings: findings.slice(0, MOST_FINDINGS),
    head: Buffer.from(link.bytes).toString('hex'),
  };
}

function findingsOf(keyring: Pick<Keyring, 'vouches'>, row: AuditRow, before: Link): string[] {
  const found: string[] = [];
  const { chain, id } = row;
  if (chain === null) return found;
  if (!isUntouched(keyring, row)) found.push(`Row ${id} was changed after it was written.`);
  const expected = before.number + 1n;
  if (numberOf(chain) !== expected)
    found.push(`Number ${expected} of the chain is missing before row ${id}.`);
  else if (!isLink(keyring, before, { ...row, chain }))
    found.push(`Row ${id} does not belong at number ${expected}: it was moved or replaced.`);
  return found;
}

async function verifyUnlinked(
  { db }: Pick<Database, 'db'>,
  keyring: Pick<Keyring, 'vouches'>,
  findings: string[],
): Promise<number> {
  const waiting = await run<AuditRow>(
    db,
    {
      name: 'audit-walk-unlinked',
      text: `select ${COLUMNS} from audit where chain is null order by id limit 10000`,
    },
    [],
  );
  for (const row of waiting)
    if (!isUntouched(keyring, row))
      findings.push(`Row ${row.id} was changed after it was written.`);
  return waiting.length;
}

function isUntouched(keyring: Pick<Keyring, 'vouches'>, row: AuditRow): boolean {
  const { at, actor, action, subject, details, mac } = row;
  return keyring.vouches('audit', auditText({ at, actor, action, subject, details }), mac);
}
