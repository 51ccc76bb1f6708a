import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { readAnnouncement } from './announcement.store.ts';
import { availabilityNow } from './availability.ts';
import { type AvailabilityWatch, availabilityWatch } from './availability-watch.ts';

export type AvailabilityParts = Pick<Platform, 'database' | 'emr' | 'realtime' | 'log'>;

export function registerAvailability(app: FastifyInstance, parts: AvailabilityParts): void {
  route(app, calls.recordsStatus, async () => {
    const now = await availabilityNow(parts);
    const status = now.kind === 'online';
    const message = now.kind === 'announced' ? now.announcement.message : null;
    return { success: status, status, ...(message === null ? {} : { extras: { message } }) };
  });
}

/** Patients who are connected hear that the clinic goes offline, and that it is back. */
export function watchAvailability(parts: AvailabilityParts): AvailabilityWatch {
  const { database, realtime, log } = parts;
  const watch = availabilityWatch({
    look: async () => (await availabilityNow(parts)).kind,
    isAnnounced: async () => (await readAnnouncement(database.db)) !== null,
    onCommit: (listener) => database.onCommit(listener),
    tell: (event) => realtime.say(event),
    log,
  });
  realtime.onAudience(watch.start, watch.stop);
  return watch;
}
