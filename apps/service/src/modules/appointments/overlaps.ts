import { formatAppointment, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import {
  type Emr,
  EmrOffline,
  EmrOutcomeUnknown,
  type ProviderId,
  type RecordId,
  inTime,
  isOfEmr,
} from '../records/emr.ts';
import { type OverlappedAppointment, overlappedAppointments } from './busy.store.ts';
import type { KeptTurn, Turn } from './sync-turn.ts';

/** An overlap that was found once is told of once, unless the appointment is moved. */
const nameOf = ({ id, start }: OverlappedAppointment) => `${id} ${start}`;

/** Puts on the trail what has been overlapped since the turn before; gives all, and those. */
export async function noteOverlaps(
  { appendAudit }: Pick<Platform, 'appendAudit'>,
  tx: Tx,
  turn: Turn,
  now: EpochSeconds,
): Promise<{ readonly all: readonly string[]; readonly found: readonly string[] }> {
  const overlapped = await overlappedAppointments(tx, now);
  const known = new Set(turn.overlapped);
  const found = overlapped.filter((each) => !known.has(nameOf(each)));
  for (const { id, providerId: provider, start } of found) {
    const subject = `appointment:${id}`;
    const entry = { action: 'appointment overlapped', subject, details: { provider, start } };
    await appendAudit(tx, { actor: 'clinic:emr', ...entry, at: now });
  }
  return { all: overlapped.map(nameOf), found: found.map(nameOf) };
}

interface Lacking {
  readonly before: readonly string[];
  readonly now: readonly string[];
}

/** Puts on the trail which booked appointments the EMR has been found not to know, each once. */
export async function noteLacking(
  { appendAudit, log }: Pick<Platform, 'appendAudit' | 'log'>,
  tx: Tx,
  lacking: Lacking,
  at: EpochSeconds,
): Promise<void> {
  for (const id of lacking.now.filter((each) => !lacking.before.includes(each))) {
    const entry = { action: 'appointment lacking in the EMR', subject: `appointment:${id}` };
    await appendAudit(tx, { actor: 'clinic:emr', ...entry, at });
    log.event('emr-lacks-appointment');
  }
}

interface Untold {
  readonly keep: KeptTurn['keep'];
  /** Loses whoever was told. */
  readonly untold: Set<string>;
}

/**
 * Has the EMR tell providers of what still is overlapped, once at most: each is kept as told before
 * the EMR is asked, and as untold again where that is offline. What it does not take ends nothing but
 * this turn's telling.
 */
export async function tellProviders(
  { database, log }: Pick<Platform, 'database' | 'log'>,
  emr: Emr,
  { keep, untold }: Untold,
  now: EpochSeconds,
): Promise<void> {
  if (untold.size === 0) return;
  const overlapped = await overlappedAppointments(database.db, now);
  const standing = new Map(overlapped.map((each) => [nameOf(each), each]));
  for (const name of untold) {
    untold.delete(name);
    const appointment = standing.get(name);
    if (!appointment) continue;
    await keep({ untold: [...untold] });
    const key = `overlap:${name}`;
    try {
      const told = await inTime(
        emr.addTickler(key, ticklerOf(appointment, now)),
        () => new EmrOutcomeUnknown(key),
      );
      if (told === 'noRecord') log.event('emr-tickler-lost');
    } catch (error) {
      if (!isOfEmr(error)) throw error;
      if (error instanceof EmrOffline) untold.add(name);
      else log.event('emr-tickler-lost');
      return;
    }
  }
}

const ticklerOf = ({ providerId, recordId, start }: OverlappedAppointment, now: EpochSeconds) => ({
  providerId: providerId as ProviderId,
  recordId: recordId as RecordId,
  text: `Another appointment overlaps the one that was booked online for ${formatAppointment(start)}.`,
  date: toClinic(now).date,
});
