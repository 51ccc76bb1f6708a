import type { Database, Tx } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { type Link, nextLink } from './audit-chain.ts';
import { lastLink, rowsWithoutLink, takeSealersLease, writeLinks } from './audit-rows.store.ts';

const BATCH = 500;

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
  if (!(await takeSealersLease(tx))) return 0;
  const rows = await rowsWithoutLink(tx, BATCH);
  if (rows.length === 0) return 0;
  let link = await lastLink(tx);
  const links: Link[] = [];
  for (const row of rows) {
    link = nextLink(keyring, link, row);
    links.push(link);
  }
  await writeLinks(tx, rows, links);
  return rows.length;
}
