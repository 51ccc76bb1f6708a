import type { EpochSeconds } from '@clinic/domain';

import type { Db, Tx } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import {
  type OverlappedAppointment,
  type StandingOnDay,
  TICKLER_TO_EMR,
  overlappedAppointments,
  standingOnDays,
} from '../../appointments/index.ts';
import { type SyncState, lastSync } from './sync-state.ts';

/** Each overlap is reported once; after a move it counts as another. */
const nameOf = ({ id, start }: OverlappedAppointment) => `${id} ${start}`;

/** Puts new overlaps on the trail, and queues a tickler about each. Returns all that there are. */
export async function noteOverlaps(
  { appendAudit, outbox, log }: Pick<Platform, 'appendAudit' | 'outbox' | 'log'>,
  tx: Tx,
  last: SyncState,
  now: EpochSeconds,
): Promise<readonly string[]> {
  const overlapped = await overlappedAppointments(tx, now);
  for (const each of overlapped) {
    const { id, providerId: provider, start } = each;
    const isNew = !last.overlapped.includes(nameOf(each));
    if (isNew) {
      const entry = { action: 'appointment overlapped', details: { provider, start } };
      const subject = `appointment:${id}`;
      await appendAudit(tx, { actor: 'clinic:emr', subject, ...entry, at: now });
      log.event('emr-overlap');
    }
    if (isNew || last.untold.includes(nameOf(each)))
      await outbox.enqueue(tx, TICKLER_TO_EMR, { about: 'overlap', appointmentId: id, start }, now);
  }
  return overlapped.map(nameOf);
}

/** An appointment that does not stand in the EMR as here. */
export interface Differing extends StandingOnDay {
  /** 'lacking': no entry there has its key. */
  readonly why: 'overlapped' | 'lacking';
  /** When what overlaps it is. */
  readonly other: Pick<OverlappedAppointment, 'start' | 'end'> | null;
}

/** The appointments ahead that do not stand in the EMR as here. */
export async function differingInEmr(db: Db, now: EpochSeconds): Promise<readonly Differing[]> {
  const [overlapped, { lacking }] = await Promise.all([
    overlappedAppointments(db, now),
    lastSync(db),
  ]);
  const over = new Map(overlapped.map((each) => [each.id, each]));
  const ids = [...new Set([...over.keys(), ...lacking])];
  const standing = ids.length === 0 ? [] : await standingOnDays(db, now, { ids });
  return standing.map((each) => {
    const other = over.get(each.id);
    return other === undefined
      ? { ...each, why: 'lacking', other: null }
      : { ...each, why: 'overlapped', other: { start: other.otherStart, end: other.otherEnd } };
  });
}

/** By the list of the sync state: the subject, the action on the trail, and the event in the log. */
const NOTED = {
  lacking: ['appointment', 'appointment lacking in the EMR', 'emr-lacks-appointment'],
  kept: ['appointment', 'ended appointment kept in the EMR', 'emr-keeps-appointment'],
  unread: ['day', 'day unread in the EMR', 'emr-day-unread'],
  outside: [
    'appointment',
    'appointment outside of the schedule of the EMR',
    'emr-closed-over-appointment',
  ],
} as const;

/**
 * Puts on the trail, each once, booked appointments that the EMR does not know or over which its schedule has
 * closed, ended ones that it still has, and days that it cannot read.
 */
export async function noteNew(
  { appendAudit, log }: Pick<Platform, 'appendAudit' | 'log'>,
  tx: Tx,
  before: Pick<SyncState, keyof typeof NOTED>,
  found: Pick<SyncState, keyof typeof NOTED>,
  at: EpochSeconds,
): Promise<void> {
  for (const what of ['lacking', 'kept', 'unread', 'outside'] as const) {
    const [subject, action, event] = NOTED[what];
    for (const id of found[what].filter((each) => !before[what].includes(each))) {
      await appendAudit(tx, { actor: 'clinic:emr', action, subject: `${subject}:${id}`, at });
      log.event(event);
    }
  }
}
