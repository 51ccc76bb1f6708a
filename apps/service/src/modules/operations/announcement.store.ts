import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { installation } from '../../schema.ts';

/** Maintenance that somebody announced: since when, and a sentence to patients if there is one. */
export interface Announcement {
  readonly since: number;
  readonly message: string | null;
}

const KEY = 'maintenance';

export async function readAnnouncement(db: Db): Promise<Announcement | null> {
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, KEY));
  return row ? (JSON.parse(row.value) as Announcement) : null;
}

export async function writeAnnouncement(tx: Tx, announcement: Announcement): Promise<void> {
  const value = JSON.stringify(announcement);
  await tx
    .insert(installation)
    .values({ key: KEY, value })
    .onConflictDoUpdate({ target: installation.key, set: { value } });
}

/** Whether there was one. */
export async function removeAnnouncement(tx: Tx): Promise<boolean> {
  const removed = await tx
    .delete(installation)
    .where(eq(installation.key, KEY))
    .returning({ key: installation.key });
  return removed.length > 0;
}
