import type { EpochSeconds } from '@clinic/domain';
import { eq, ne } from 'drizzle-orm';

import type { Db } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import type { Platform } from '../../platform.ts';
import { emrConnection } from './schema.ts';

type ConnectionPorts = Pick<Platform, 'database' | 'keyring'>;

/** The row of credentials for which a provider has not yet given consent. */
export const ASKING = 'oscar-asking';

const contextOf = (id: string) => `emr_connection.credentials:${id}`;

/** The credentials for the EMR of this name, parsed; null when it is not connected. */
export async function readConnection(
  { database, keyring }: ConnectionPorts,
  id: string,
): Promise<unknown> {
  const [row] = await database.db.select().from(emrConnection).where(eq(emrConnection.id, id));
  return row ? JSON.parse(keyring.open(contextOf(id), row.credentials)) : null;
}

/** Whether an EMR is connected, whatever this process speaks to. */
export async function isEmrConnected(db: Db): Promise<boolean> {
  return (await db.$count(emrConnection, ne(emrConnection.id, ASKING))) > 0;
}

export const keepConnection = (
  { database, keyring, appendAudit }: ConnectionPorts & Pick<Platform, 'appendAudit'>,
  { id, credentials }: { readonly id: string; readonly credentials: object },
  { actor, now }: { readonly actor: string; readonly now: EpochSeconds },
): Promise<void> =>
  database.inTransaction(async (tx) => {
    const sealed = keyring.seal(contextOf(id), JSON.stringify(credentials));
    await putRows(tx, emrConnection, [{ id, credentials: sealed, connectedAt: now }]);
    await appendAudit(tx, { actor, action: 'EMR connected', subject: `emr:${id}`, at: now });
  });
