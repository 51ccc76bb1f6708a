import type { Platform } from '../../platform.ts';
import { failureOf } from '../../database/sqlstate.ts';
import { type Announcement, readAnnouncement } from './announcement.store.ts';

export type Availability =
  | { readonly kind: 'online' }
  | { readonly kind: 'announced'; readonly announcement: Announcement }
  | { readonly kind: 'recordsOffline' };

export type AvailabilityPorts = Pick<Platform, 'database' | 'emr'>;

/** whether patients can book now; an announcement goes before what the records say. */
export async function availabilityNow({ database, emr }: AvailabilityPorts): Promise<Availability> {
  try {
    const announcement = await readAnnouncement(database.db);
    if (announcement) return { kind: 'announced', announcement };
  } catch (error) {
    if (failureOf(error)?.kind === 'unavailable') return { kind: 'recordsOffline' };
    throw error;
  }
  return { kind: (await emr.status()) === 'online' ? 'online' : 'recordsOffline' };
}
