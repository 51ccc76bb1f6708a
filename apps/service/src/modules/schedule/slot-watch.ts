import type { SlotChange } from '@clinic/contract';
import {
  type EpochSeconds,
  NOT_WORKING,
  STEPS_PER_DAY,
  STEP_SECONDS,
  WINDOW_DAYS,
  addDays,
  dayRuler,
  stepAt,
  stepStart,
  toClinic,
} from '@clinic/domain';
import type { Platform } from '../../platform.ts';
import { batched } from '../../database/db.ts';
import { keyOfDay } from '../records/index.ts';
import { type ProviderDayRow, type TakenTime, readDays, slotChangesSince } from './store.ts';

/**
 * Tells open grids, while anybody looks at one, what is taken and freed, and what of the schedule is
 * closed and opened, always after the commit. Each look asks the database what has become visible since
 * the look before, so that nothing is told twice, early or not at all. It looks after each commit, and
 * now and then in case the note of a commit was lost with a connection or a process.
 */
export function watchSlots(
  { database, clock, log, realtime }: Pick<Platform, 'database' | 'clock' | 'log' | 'realtime'>,
  takenTime: TakenTime,
) {
  let snapshot: string | null = null;
  let days: OpenDays | null = null;
  let isWatching = false;

  const look = batched<void, void>(async (asked) => {
    if (!isWatching) return asked;
    const now = clock.now();
    const changes = await slotChangesSince(database.db, takenTime, snapshot, now);
    snapshot = changes.snapshot;
    const before = days;
    if (before === null || changes.hasScheduleMoved) {
      const from = toClinic(now).date;
      days = byDay(await readDays(database.db, { from, to: addDays(from, WINDOW_DAYS) }));
    }
    const known = days ?? new Map<string, ProviderDayRow>();
    const slots = [
      ...(before === null || before === known ? [] : openings(before, known, now)),
      ...changes.slots.filter((each) => each.state === 'taken' || isOpen(known, each)),
    ];
    if (slots.length > 0) realtime.say('slots', slots);
    return asked;
  });
  const lookNow = () => {
    if (isWatching) look().catch((error: unknown) => log.error('slots-not-watched', error));
  };
  database.onCommit(lookNow);
  /** Begins to watch: everything committed after it has resolved is told. */
  const start = async () => {
    if (!isWatching) {
      isWatching = true;
      snapshot = null;
      days = null;
    }
    if (days === null) await look();
  };
  realtime.onAudience(start, () => (isWatching = false));
  return { look: () => look() };
}

/** The expanded days by date and provider. */
type OpenDays = ReadonlyMap<string, ProviderDayRow>;

const byDay = (rows: readonly ProviderDayRow[]): OpenDays =>
  new Map(rows.map((row) => [keyOfDay({ ...row, clinicDate: row.date }), row]));

/** Whether the provider works then: time freed on a closed day is offered to nobody. */
function isOpen(days: OpenDays, { doctor, start }: SlotChange): boolean {
  const { date } = toClinic(start);
  const step = stepAt(dayRuler(date), start);
  const codes = days.get(keyOfDay({ clinicDate: date, providerId: doctor }))?.codes;
  return step !== null && codes !== undefined && codes[step] !== NOT_WORKING;
}

/** The spans ahead that were closed or opened from one look to the next. */
function openings(before: OpenDays, after: OpenDays, now: EpochSeconds): SlotChange[] {
  return [...new Map([...before, ...after])].flatMap(([key, { date, providerId }]) => {
    const [was, is] = [before.get(key)?.codes ?? '', after.get(key)?.codes ?? ''];
    if (was === is) return [];
    const ruler = dayRuler(date);
    const found: { doctor: string; start: number; end: number; state: SlotChange['state'] }[] = [];
    for (let step = 0; step < STEPS_PER_DAY; step++) {
      const [worked, works] = [was, is].map(
        (codes) => (codes[step] ?? NOT_WORKING) !== NOT_WORKING,
      );
      const start = stepStart(ruler, step);
      if (worked === works || start === null || start <= now) continue;
      const [state, end] = [works ? ('freed' as const) : ('taken' as const), start + STEP_SECONDS];
      const last = found.at(-1);
      if (last?.end === start && last.state === state) last.end = end;
      else found.push({ doctor: providerId, start, end, state });
    }
    return found;
  });
}
