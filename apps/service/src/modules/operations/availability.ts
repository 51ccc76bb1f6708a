import type { EpochSeconds } from '@clinic/domain';

import { type Db, type Tx, batched } from '../../database/db.ts';
import { readFact, removeFact, writeFact } from '../../database/installation.store.ts';
import { lockWord } from '../../database/shared-names.store.ts';
import { failureOf } from '../../database/sqlstate.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import type { Refusal } from '../../server/refusal.ts';
import { type FormHeaders, overtaken } from '../../server/version.ts';
import { emrHealth } from '../emr/index.ts';

const KEY = 'maintenance';
const SUBJECT = `installation:${KEY}`;

/** Announced maintenance: its time, and a message to patients, or null. */
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
  /** Nothing can be booked, and pages show the state as of `asOf`: the EMR is silent, or refuses us. */
  | {
      readonly kind: 'bookingPaused';
      readonly why: 'silent' | 'refused';
      readonly asOf: EpochSeconds;
    }
  | { readonly kind: 'announced'; readonly announcement: Announcement };

type Ports = Pick<Platform, 'database' | 'clock'>;

/** How long booking is paused while the EMR cannot be followed, before the clinic goes offline too. */
const PAUSED_SECONDS = 3_600;

/** Whether patients can book now. An announcement takes precedence over the state of the EMR. */
export async function availabilityNow({ database, clock }: Ports): Promise<Availability> {
  const now = clock.now();
  try {
    const announcement = await announcementOf(database.db);
    if (announcement) return { kind: 'announced', announcement };
    const { kind, isBookingPaused, isFollowed, since, asOf } = await emrHealth(database.db, now);
    if (!isBookingPaused) return { kind: 'online' };
    if (!isFollowed && now - since >= PAUSED_SECONDS) return { kind: 'recordsOffline' };
    return { kind: 'bookingPaused', why: kind === 'refused' ? 'refused' : 'silent', asOf };
  } catch (error) {
    if (failureOf(error)?.kind === 'unavailable') return { kind: 'recordsOffline' };
    throw error;
  }
}

type AnnouncePorts = Pick<Platform, 'database' | 'appendAudit'>;

/** Every browser signs out and shows the maintenance message. A second call replaces the message. */
export async function announceMaintenance(
  { database, appendAudit }: AnnouncePorts,
  { actor, now, message }: Who & { readonly message: string | null },
  form: FormHeaders = {},
): Promise<Refusal | null> {
  return database.inTransaction(async (tx) => {
    const refused = await announcementOvertaken(tx, form, { since: now, message });
    if (refused !== null) return refused;
    await writeFact(tx, KEY, JSON.stringify({ since: now, message } satisfies Announcement));
    await appendAudit(tx, { actor, action: 'maintenance announced', subject: SUBJECT, at: now });
    return null;
  });
}

/** What the form of maintenance is made of. */
export const maintenanceForm = (announced: Announcement | null) => ({
  maintenance: announced && { message: announced.message },
});

async function announcementOvertaken(tx: Tx, form: FormHeaders, wanted: Announcement | null) {
  // Of two changes at once the second finds what the first has made.
  await lockWord(SUBJECT, tx);
  return overtaken(form, maintenanceForm(await announcementOf(tx)), maintenanceForm(wanted));
}

/** Ends announced maintenance; false when none was announced. */
export async function endMaintenance(
  { database, appendAudit }: AnnouncePorts,
  { actor, now }: Who,
  form: FormHeaders = {},
): Promise<boolean | Refusal> {
  return database.inTransaction(async (tx) => {
    const refused = await announcementOvertaken(tx, form, null);
    if (refused !== null) return refused;
    if (!(await removeFact(tx, KEY))) return false;
    await appendAudit(tx, { actor, action: 'maintenance ended', subject: SUBJECT, at: now });
    return true;
  });
}

/** Looks that must fail in a row: the database may miss one, and nobody is to be signed out for that. */
const LOOKS_BEFORE_OFFLINE = 3;

/** Tells the pages of connected patients when the clinic goes offline and when it is back. */
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
 * Tells browsers when booking is paused, when maintenance is announced or the records are offline, and when
 * that ends. An announcement counts at once, offline records count after three looks. Call `look` every few
 * seconds.
 */
export function availabilityWatch(parts: {
  readonly look: () => Promise<Availability>;
  /** The cheap part of `look`, for after each commit. */
  readonly isAnnounced: () => Promise<boolean>;
  /** Calls the listener soon after each commit of any process on this database. */
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
  const look = batched<'inTurn' | 'afterCommit', void>(async (asked) => {
    const answers = asked.map(() => undefined);
    if (!isWatching) return answers;
    const inTurn = asked.includes('inTurn');
    // Commits are many: after one, a full look is taken only for an announcement or to end what was told.
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
      // A page that connects asks for the availability itself: only later changes are told.
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
