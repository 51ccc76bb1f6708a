import { isHold, isReleased, standsBooked } from '@clinic/domain';
import type { DateSpan, EpochSeconds } from '@clinic/domain';

import type { Platform } from '../../../platform.ts';
import type { Emr, EmrEntry, ProviderDay, ProviderId } from '../../records/emr.ts';
import { knownProviders } from '../../records/index.ts';
import {
  type BookingPorts,
  type ComparedWithEmr,
  type OwnInEmr,
  keepBusySpans,
  ownInEmr,
} from '../../appointments/index.ts';
import { alone, within } from '../asking.ts';
import { takeBack } from '../withdraw.ts';
import {
  appointmentNamedBy,
  aroundOurs,
  busySpanOf,
  changeIn,
  emrKey,
  placeInEmr,
} from '../entry.ts';
import { type Looking, forgetIn, isOlder, lookUp } from './gone.ts';
import { answered } from './schedule-changes.ts';
import { followStaff } from '../follow.ts';

type Ports = BookingPorts & Pick<Platform, 'log' | 'realtime'>;

/** Days that are read from the EMR with one question. */
export interface Part {
  readonly dates: DateSpan;
  /** Null for all of them. */
  readonly providers: readonly ProviderId[] | null;
}

interface Reading extends Looking, Part {
  readonly isWhole: boolean;
}

/** Brings our tables up to what stands in the EMR on these days, and follows what staff did to ours there. */
export async function syncDays(
  ports: Ports,
  emr: Emr,
  { dates, providers, isWhole, ...looking }: Reading,
  now: EpochSeconds,
): Promise<void> {
  const { database, ids } = ports;
  const { last, noted, keep } = looking;
  const missed = new Map(looking.missed.map((each) => [each.id, each]));
  await keep();
  const read = await answered(emr.entries(dates, providers ?? undefined));
  const entries = read.map((entry) => ({
    entry,
    appointmentId: entry.key === null ? null : appointmentNamedBy(entry.key),
  }));
  const named = entries.flatMap(({ appointmentId }) => appointmentId ?? []);
  // Our own appointments are read after the entries. What we book stands in the EMR first, and only
  // this sync follows moves there: an appointment of ours that stands elsewhere was moved by staff.
  const ours = await ownInEmr(database.db, named, dates, providers);
  const own = new Map(ours.map((each) => [each.id, each]));
  const readAgain = ({ providerId, date }: ProviderDay) =>
    void noted.reread.push({ providerId, date });
  /** Does it; when the answer is unclear the day is read again in the next turn, and the others go on. */
  const unlessUnclear = async (day: ProviderDay, work: () => Promise<unknown>) => {
    await keep();
    if (!(await alone(ports, work))) readAgain(day);
  };
  // A copy that staff made of an appointment of ours carries our key too, so the EMR is asked which of
  // the two stands under the key. And what has just ended here may have ended there since it was read.
  const [moved, copies] = [new Set<EmrEntry>(), new Set<EmrEntry>()];
  const [left, gone] = [new Set<EmrEntry>(), new Set<EmrEntry>()];
  for (const { entry, appointmentId } of entries) {
    const appointment = own.get(appointmentId ?? '');
    const isMoved = appointment && changeIn(appointment, entry)?.kind === 'moved';
    if (!appointment || (!isMoved && !(hasEnded(appointment) && entry.state === 'booked')))
      continue;
    const look = async () => {
      const stands = await within(appointment.id, emr.findByKey(emrKey(appointment.id)));
      const isThere = stands !== null && stands !== 'cancelled';
      if (isMoved) (isThere && stands.id !== entry.id ? copies : moved).add(entry);
      else (isThere ? left : gone).add(entry);
    };
    if (isMoved) await unlessUnclear(entry, look);
    // While that is unclear for one that ended, its time counts as taken, and what the trail names
    // stays named; the whole window asks again.
    else if (!(await alone(ports, look)) && last.kept.includes(appointment.id))
      noted.kept.add(appointment.id);
  }
  // An appointment that ended here, or whose patient did not come, takes its time as long as it stands
  // in the EMR, which would book nothing over it.
  const others = entries.filter(({ entry, appointmentId }) => {
    const appointment = own.get(appointmentId ?? '');
    if (!appointment || copies.has(entry)) return true;
    if (hasEnded(appointment)) return !gone.has(entry);
    return changeIn(appointment, entry)?.kind === 'noShow';
  });
  const spans = Map.groupBy(
    others.flatMap(({ entry }) =>
      entry.state === 'unread' ? aroundOurs(entry, ours) : busySpanOf(entry),
    ),
    ({ providerId }) => providerId,
  );
  for (const day of noted.unread) if (isAmong(day, dates, providers)) noted.unread.delete(day);
  for (const { entry } of entries)
    if (entry.state === 'unread') noted.unread.add(`${entry.providerId} ${entry.date}`);
  const whose = providers ?? (await knownProviders(database.db));
  for (const providerId of new Set([...whose, ...spans.keys()])) {
    const wanted = spans.get(providerId) ?? [];
    await database.inTransaction((tx) =>
      keepBusySpans(tx, { ...dates, providerId }, wanted, () => ids.uuid()),
    );
  }
  for (const { entry, appointmentId } of entries) {
    const appointment = own.get(appointmentId ?? '');
    if (!appointment) continue;
    if (isHold(appointment)) readAgain(entry);
    if (left.has(entry))
      await unlessUnclear(entry, () => keepOrCancel(ports, emr, appointment, noted.kept, now));
    const change = changeIn(appointment, entry);
    if (change === null || (change.kind === 'moved' && !moved.has(entry))) continue;
    await unlessUnclear(entry, () => followStaff(ports, appointment, change, now));
  }
  const found = new Set(named);
  for (const id of found) noted.lacking.delete(id);
  const back = [...found].filter((id) => missed.has(id));
  if (back.length > 0) await forgetIn(ports, back);
  for (const appointment of own.values()) {
    if (found.has(appointment.id) || appointment.start <= now) continue;
    const place = placeInEmr(appointment);
    // Nobody has been told yet that it is booked: the next turn looks at it again.
    if (isHold(appointment)) {
      readAgain(place);
      continue;
    }
    // What was missed before has a look of its own; what stands without its row is looked up with the window.
    const before = missed.get(appointment.id);
    const isLeft = before
      ? before.keptAt === null || !isWhole
      : !isWhole && isOlder(appointment, last, now) && !last.cancelled.includes(appointment.id);
    if (isLeft) continue;
    await unlessUnclear(place, () => lookUp(ports, emr, looking, appointment, now));
  }
}

const hasEnded = (own: OwnInEmr) => !isHold(own) && !standsBooked(own);

/**
 * For an appointment that ended here and stands in the EMR. If nobody was ever told that it is booked, and
 * the EMR has not ended it yet, it was written after it was given up, and is cancelled there at once. Any
 * other was put back or copied by staff: it stays theirs, and the clinic hears of it.
 */
async function keepOrCancel(
  ports: Ports,
  emr: Emr,
  { id, state, start, isLeaving, endedInEmr }: ComparedWithEmr,
  kept: Set<string>,
  now: EpochSeconds,
): Promise<void> {
  if (isReleased({ state }) && !endedInEmr) return takeBack(ports, emr, id, now);
  if (!isLeaving && start > now) kept.add(id);
}

/** Whether a day ('<provider> <date>') is among those that were read. */
function isAmong(day: string, dates: DateSpan, providers: Part['providers']): boolean {
  const [provider = '', date = ''] = day.split(' ');
  const isOf = providers === null || providers.some((each) => each === provider);
  return isOf && date >= dates.from && date <= dates.to;
}
