import { sql } from 'drizzle-orm';

import type { Db, Tx } from '../../database/db.ts';
import { installation } from '../../schema.ts';
import { run } from '../../database/statement.ts';
import { NO_LINK, type Link, linkOf } from './audit-chain.ts';

export interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Record<string, unknown>;
  readonly mac: Uint8Array;
  readonly chain: Uint8Array | null;
}

/** Only the database knows this number: one sealer at a time over all processes. */
const SEALERS_LEASE = 7_318_214;
const HEAD = 'audit-head';
const COLUMNS = 'id, at_s as at, actor, action, subject, details, mac, chain';

/** True for one transaction at a time, until it is over. */
export async function takeSealersLease(tx: Tx): Promise<boolean> {
  const text = `select pg_try_advisory_xact_lock(${SEALERS_LEASE}) as mine`;
  const [lease] = await run<{ mine: boolean }>(tx, { name: 'audit-lease', text }, []);
  return lease?.mine === true;
}

export const rowsWithoutLink = (db: Db, most: number): Promise<AuditRow[]> =>
  run<AuditRow>(
    db,
    {
      name: 'audit-without-link',
      text: `select ${COLUMNS} from audit where chain is null order by id limit $1`,
    },
    [most],
  );

/** The next rows of the chain after a link, in its order. */
export const rowsAfter = (db: Db, { bytes }: Link, most: number): Promise<AuditRow[]> =>
  run<AuditRow>(
    db,
    {
      name: 'audit-after-link',
      text: `select ${COLUMNS} from audit where chain > $1 order by chain limit $2`,
    },
    [bytes, most],
  );

export async function lastLink(db: Db): Promise<Link> {
  const text = 'select chain from audit where chain is not null order by chain desc limit 1';
  const [row] = await run<{ chain: Uint8Array }>(db, { name: 'audit-last-link', text }, []);
  return row ? linkOf(row.chain) : NO_LINK;
}

/** Puts links to rows, and notes the last one beside the trail. */
export async function writeLinks(
  tx: Tx,
  rows: readonly Pick<AuditRow, 'id'>[],
  links: readonly Link[],
): Promise<void> {
  const text = `update audit set chain = link.chain
                  from unnest($1::bigint[], $2::bytea[]) as link(id, chain)
                 where audit.id = link.id`;
  await run(tx, { name: 'audit-write-links', text }, [
    rows.map(({ id }) => id),
    links.map(({ bytes }) => bytes),
  ]);
  const value = Buffer.from(links.at(-1)?.bytes ?? []).toString('hex');
  await tx
    .insert(installation)
    .values({ key: HEAD, value })
    .onConflictDoUpdate({ target: installation.key, set: { value: sql`excluded.value` } });
}

/** The link that the sealer noted last, or none. */
export async function notedHead(db: Db): Promise<Link> {
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(sql`${installation.key} = ${HEAD}`);
  return row ? linkOf(Buffer.from(row.value, 'hex')) : NO_LINK;
}
