import { toClinic } from '@clinic/domain';
import { expandSchedule } from './adapters/clinic-records-postgres/expand-schedule.ts';
import type { Database } from './platform/db.ts';
import type { Log } from './platform/log.ts';
import type { Clock } from './ports/clock.ts';

const LOOK_EVERY_MS = 60_000;

/** Keeps the expanded schedule 91 days ahead: now, and whenever a new clinic day begins. */
export function scheduleJob(database: Database, clock: Clock, log: Log) {
  let expandedFor = '';
  async function expand(): Promise<void> {
    const today = toClinic(clock.now()).date;
    if (today === expandedFor) return;
    await expandSchedule(database, today);
    expandedFor = today;
  }
  const timer = setInterval(() => {
    expand().catch((error: unknown) => log.trouble('schedule-not-expanded', error));
  }, LOOK_EVERY_MS);
  timer.unref();
  return { expand, stop: () => clearInterval(timer) };
}
