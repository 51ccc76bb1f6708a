import { formatAppointment, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Db, Tx } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import {
  type Emr,
  EmrOffline,
  EmrOutcomeUnknown,
  type ProviderId,
  type RecordId,
  isOfEmr,
} from '../../records/emr.ts';
import { inTime } from '../../records/index.ts';
import {
  type OverlappedAppointment,
  type StandingOnDay,
  overlappedAppointments,
  standingOnDays,
} from '../../appointments/index.ts';
import { type KeptTurn, type Turn, lastTurn } from './sync-turn.ts';

/** Each overlap is told of once; after a move it counts as another. */
const nameOf = ({ id, start }: OverlappedAppointment) => `${id} ${start}`;

/** Puts new overlaps on the trail. Returns all there are, and which of them are new. */
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
    lastTurn(db),
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

/** By the list of a turn: the subject, the action on the trail, and the event in the log. */
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
  before: Pick<Turn, keyof typeof NOTED>,
  found: Pick<Turn, keyof typeof NOTED>,
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

interface Untold {
  readonly keep: KeptTurn['keep'];
  /** Names of overlaps. Those that were told of are taken out. */
  readonly untold: Set<string>;
}

/**
 * Has the EMR tell providers of what is still overlapped, each at most once: it is marked as told
 * before the EMR is asked, and as untold again when the EMR is offline. When the EMR refuses one, the
 * others wait for the next turn.
 */
export async function tellProviders(
  { database, log, config }: Pick<Platform, 'database' | 'log' | 'config'>,
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
        emr.addTickler(key, ticklerOf(appointment, now, config)),
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

const ticklerOf = (
  { providerId, recordId, start, doctor }: OverlappedAppointment,
  now: EpochSeconds,
  { ticklersTo = null }: Platform['config'],
) => ({
  providerId: (ticklersTo ?? providerId) as ProviderId,
  recordId: recordId as RecordId,
  text: `Another appointment overlaps the one that was booked online for ${formatAppointment(start)} with ${doctor}.`,
  date: toClinic(now).date,
});
