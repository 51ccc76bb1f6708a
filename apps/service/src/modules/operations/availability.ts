import type { EpochSeconds } from '@clinic/domain';

import { type Db, together } from '../../database/db.ts';
import { readFact, removeFact, writeFact } from '../../database/installation.store.ts';
import { failureOf } from '../../database/sqlstate.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import { emrSilence } from '../appointments/index.ts';

const KEY = 'maintenance';
const SUBJECT = `installation:${KEY}`;

/** Maintenance that somebody announced: since when, and a sentence to patients if there is one. */
interface Announcement {
  readonly since: number;
  readonly message: string | null;
}

async function announcementOf(db: Db): Promise<Announcement | null> {
  const fact = await readFact(db, KEY);
  return fact === null ? null : (JSON.parse(fact) as Announcement);
}

export type Availability =
  | { readonly kind: 'online' | 'recordsOffline' }
  /** Nothing can be booked, and what is shown is as of then. */
  | { readonly kind: 'bookingPaused'; readonly asOf: EpochSeconds }
  | { readonly kind: 'announced'; readonly announcement: Announcement };

type Ports = Pick<Platform, 'database' | 'clock'>;

/** So long an EMR may be offline before the clinic is; until then patients look around. */
const PAUSED_SECONDS = 3_600;

/** Whether patients can book now; an announcement goes before what the EMR does. */
export async function availabilityNow({ database, clock }: Ports): Promise<Availability> {
  const now = clock.now();
  try {
    const announcement = await announcementOf(database.db);
    if (announcement) return { kind: 'announced', announcement };
    const silence = await emrSilence(database.db, now);
    if (silence === null) return { kind: 'online' };
    return now - silence.since < PAUSED_SECONDS
      ? { kind: 'bookingPaused', asOf: silence.asOf }
      : { kind: 'recordsOffline' };
  } catch (error) {
    if (failureOf(error)?.kind === 'unavailable') return { kind: 'recordsOffline' };
    throw error;
  }
}

type AnnouncePorts = Pick<Platform, 'database' | 'appendAudit'>;

/** Every browser signs out and shows the maintenance message. Again replaces the sentence. */
export async function announceMaintenance(
  { database, appendAudit }: AnnouncePorts,
  { actor, now, message }: Who & { readonly message: string | null },
): Promise<void> {
  await database.inTransaction(async (tx) => {
    await writeFact(tx, KEY, JSON.stringify({ since: now, message } satisfies Announcement));
    await appendAudit(tx, { actor, action: 'maintenance announced', subject: SUBJECT, at: now });
  });
}

/** Whether maintenance had been announced. */
export async function endMaintenance(
  { database, appendAudit }: AnnouncePorts,
  { actor, now }: Who,
): Promise<boolean> {
  return database.inTransaction(async (tx) => {
    if (!(await removeFact(tx, KEY))) return false;
    await appendAudit(tx, { actor, action: 'maintenance ended', subject: SUBJECT, at: now });
    return true;
  });
}

/** A database that misses one question may answer the next: nobody is signed out for that. */
const LOOKS_BEFORE_OFFLINE = 3;

/** Patients who are connected hear that the clinic goes offline, and that it is back. */
export function watchAvailability(parts: Ports & Pick<Platform, 'realtime' | 'log'>) {
  const { database, realtime, log } = parts;
  const watch = availabilityWatch({
    look: () => availabilityNow(parts),
    isAnnounced: async () => (await announcementOf(database.db)) !== null,
    onCommit: (listener) => database.onCommit(listener),
    tell: (event) => realtime.say(event),
    log,
  });
  realtime.onAudience(
    () => watch.start(),
    () => watch.stop(),
  );
  return watch;
}

/**
 * Tells browsers when booking is paused, when maintenance is announced or the clinic's records are
 * gone, and when it is over. An announcement counts at once, records that are gone after three looks.
 * `look` is for every few seconds.
 */
export function availabilityWatch(parts: {
  readonly look: () => Promise<Availability>;
  /** The cheap half of it, for after each commit. */
  readonly isAnnounced: () => Promise<boolean>;
  /** Told soon after each commit on this database, of whichever process. */
  readonly onCommit: (listener: () => void) => void;
  readonly tell: (event: 'oscarOffline' | 'oscarOnline' | 'bookingPaused') => void;
  readonly log: Pick<Platform['log'], 'error'>;
}) {
  let told: Parameters<typeof parts.tell>[0] = 'oscarOnline';
  let silentLooks = 0;
  let isWatching = false;
  let hooked = false;

  const say = (next: typeof told) => {
    if (next === told) return;
    told = next;
    parts.tell(next);
  };
  const look = together<'inTurn' | 'afterCommit', void>(async (asked) => {
    const answers = asked.map(() => undefined);
    if (!isWatching) return answers;
    const inTurn = asked.includes('inTurn');
    // Commits are many: all is looked at after one only where that may end what was told.
    const brief = !inTurn && told === 'oscarOnline';
    if (brief && !(await parts.isAnnounced())) return answers;
    const found = await parts.look();
    if (found.kind !== 'recordsOffline') silentLooks = 0;
    else if (inTurn) silentLooks += 1;
    if (found.kind === 'online') say('oscarOnline');
    else if (found.kind === 'bookingPaused') say('bookingPaused');
    else if (found.kind === 'announced' || silentLooks >= LOOKS_BEFORE_OFFLINE) say('oscarOffline');
    return answers;
  });
  const lookBriefly = () => {
    if (!isWatching) return;
    look('afterCommit').catch((error: unknown) =>
      parts.log.error('availability-not-watched', error),
    );
  };

  return {
    start() {
      if (isWatching) return;
      isWatching = true;
      // Whoever connects asks how things are; only what changes from then on is told.
      told = 'oscarOnline';
      silentLooks = 0;
      if (!hooked) parts.onCommit(lookBriefly);
      hooked = true;
      lookBriefly();
    },
    stop() {
      isWatching = false;
    },
    look: () => look('inTurn'),
  };
}
