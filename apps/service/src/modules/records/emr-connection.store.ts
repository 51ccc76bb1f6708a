import type { EpochSeconds } from '@clinic/domain';
import { eq } from 'drizzle-orm';

import { putRows } from '../../database/put-rows.ts';
import type { Platform } from '../../platform.ts';
import { emrConnection } from './schema.ts';

type ConnectionPorts = Pick<Platform, 'database' | 'keyring'>;

const contextOf = (id: string) => `emr_connection.credentials:${id}`;

/** The credentials for the EMR of this name, parsed; null when it is not connected. */
export async function readConnection(
  { database, keyring }: ConnectionPorts,
  id: string,
): Promise<unknown> {
  const [row] = await database.db.select().from(emrConnection).where(eq(emrConnection.id, id));
  return row ? JSON.parse(keyring.open(contextOf(id), row.credentials)) : null;
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
