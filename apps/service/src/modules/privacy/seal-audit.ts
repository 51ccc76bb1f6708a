import { sql } from 'drizzle-orm';

import type { Database, Db, Tx } from '../../platform/db.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { installation } from '../../platform/schema.ts';
import { run } from '../../platform/statement.ts';
import { NO_LINK, type Link, linkOf, nextLink } from './audit-chain.ts';

const BATCH = 500;
/** Only the database knows this number: one sealer at a time over all processes. */
const SEALERS_LEASE = 7_318_214;
const HEAD = 'audit-head';

/**
 * S-14: links rows to the chain in the order in which they were committed, one sealer at a time. The
 * head is kept beside the trail too, so that a trail that was cut off at its end is noticed.
 */
export async function sealAudit(
  database: Pick<Database, 'inTransaction'>,
  keyring: Pick<Keyring, 'mac'>,
): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await database.inTransaction((tx) => sealBatch(tx, keyring));
    sealed += count;
    if (count < BATCH) return sealed;
  }
}

async function sealBatch(tx: Tx, keyring: Pick<Keyring, 'mac'>): Promise<number> {
  const [lease] = await run<{ mine: boolean }>(
    tx,
    { name: '', text: `select pg_try_advisory_xact_lock(${SEALERS_LEASE}) as mine` },
    [],
  );
  if (lease?.mine !== true) return 0;
  const rows = await run<{ id: number; mac: Uint8Array }>(
    tx,
    {
      name: 'audit-unchained',
      text: `select id::int8 as id, mac from audit where chain is null order by id limit ${BATCH}`,
    },
    [],
  );
  if (rows.length === 0) return 0;
  let link = await lastLink(tx);
  const links: Link[] = [];
  for (const { id, mac } of rows) {
    link = nextLink(keyring, link, { id, mac });
    links.push(link);
  }
  await run(
    tx,
    {
      name: 'audit-chain',
      text: `update audit set chain = link.chain
               from unnest($1::bigint[], $2::bytea[]) as link(id, chain)
              where audit.id = link.id`,
    },
    [rows.map(({ id }) => id), links.map(({ bytes }) => bytes)],
  );
  const value = Buffer.from(link.bytes).toString('hex');
  await tx
    .insert(installation)
    .values({ key: HEAD, value })
    .onConflictDoUpdate({ target: installation.key, set: { value: sql`excluded.value` } });
  return rows.length;
}

async function lastLink(tx: Tx): Promise<Link> {
  const [row] = await run<{ chain: Uint8Array }>(
    tx,
    {
      name: 'audit-last',
      text: 'select chain from audit where chain is not null order by chain desc limit 1',
    },
    [],
  );
  return row ? linkOf(row.chain) : NO_LINK;
}

/** The link that the sealer noted last, or none. */
export async function notedHead(db: Db): Promise<Link> {
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(sql`${installation.key} = ${HEAD}`);
  return row ? linkOf(Buffer.from(row.value, 'hex')) : NO_LINK;
}
