import type { Platform } from '../../platform.ts';
import { removeAnnouncement, writeAnnouncement } from './announcement.store.ts';

type Ports = Pick<Platform, 'database' | 'appendAudit'>;

interface By {
  /** As the audit names who did it. */
  readonly actor: string;
  readonly now: number;
}

const SUBJECT = 'installation:maintenance';

/** Every browser signs out and shows the maintenance message. Again replaces the sentence. */
export async function announceMaintenance(
  { database, appendAudit }: Ports,
  { actor, now, message }: By & { readonly message: string | null },
): Promise<void> {
  await database.inTransaction(async (tx) => {
    await writeAnnouncement(tx, { since: now, message });
    await appendAudit(tx, { actor, action: 'maintenance announced', subject: SUBJECT, at: now });
  });
}

/** Whether maintenance had been announced. */
export async function endMaintenance(
  { database, appendAudit }: Ports,
  { actor, now }: By,
): Promise<boolean> {
  return database.inTransaction(async (tx) => {
    if (!(await removeAnnouncement(tx))) return false;
    await appendAudit(tx, { actor, action: 'maintenance ended', subject: SUBJECT, at: now });
    return true;
  });
}
