import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { datesOf } from '@clinic/domain';
import type { ClinicDate, DateSpan, EpochSeconds } from '@clinic/domain';

import { scheduleAnswer } from './schedule-answer.ts';
import type { ProviderDayRow, StandingHold, TakenSteps } from './schedule-answer.ts';
import type { ScheduleVersions } from './schedule-versions.ts';

const compress = promisify(gzip);

/** What is taken of a range of days. */
export interface TakenFacts {
  readonly taken: readonly TakenSteps[];
  readonly holds: readonly StandingHold[];
}

/** What a schedule answer is made of, read after the version that it is kept under. */
export interface ScheduleFacts extends TakenFacts {
  readonly rows: readonly ProviderDayRow[];
}

export type ReadSchedule = (
  range: DateSpan,
  providerId: string | null,
  now: EpochSeconds,
) => Promise<ScheduleFacts>;

export interface ReadyAnswer {
  readonly json: () => Buffer;
  readonly gzipped: () => Promise<Buffer>;
}

interface Loaded extends ReadyAnswer {
  /** From then on a hold among the facts no longer stands. */
  readonly lapsesAt: EpochSeconds;
  readonly facts: ScheduleFacts;
}

interface Kept {
  readonly days: readonly ClinicDate[];
  readonly version: string;
  readonly loaded: Promise<Loaded>;
}

export interface ScheduleCache {
  answer(
    range: DateSpan,
    providerId: string | null,
    viewer: string,
    now: EpochSeconds,
  ): Promise<ReadyAnswer>;
}

const MOST_KEPT = 200;
/** As fast as level 1 on these texts, and a third smaller. */
const GZIP_LEVEL = 3;

/** Ready answers by range and provider; one is used only while its version still holds. */
export function scheduleCache(versions: ScheduleVersions, read: ReadSchedule): ScheduleCache {
  const kept = new Map<string, Kept>();

  function load(
    key: string,
    version: string,
    days: readonly ClinicDate[],
    facts: Promise<ScheduleFacts>,
  ): Promise<Loaded> {
    const loaded = facts.then((known) => ({
      lapsesAt: Math.min(...known.holds.map((hold) => hold.expiresAt)),
      facts: known,
      ...ready(days, known, null),
    }));
    const entry = { days, version, loaded };
    kept.delete(key);
    kept.set(key, entry);
    loaded.catch(() => kept.get(key) === entry && kept.delete(key));
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string);
    return loaded;
  }

  return {
    async answer(range, providerId, viewer, now) {
      const key = `${range.from}/${range.to}/${providerId ?? ''}`;
      const days = kept.get(key)?.days ?? datesOf(range);
      const version = await versions.of(days);
      const fresh = () => load(key, version, days, read(range, providerId, now));
      const entry = kept.get(key);
      let found = await (entry?.version === version ? entry.loaded : fresh());
      if (now >= found.lapsesAt) found = await fresh();
      const own = found.facts.holds.find((hold) => hold.patientId === viewer);
      return own ? ready(days, found.facts, own) : found;
    },
  };
}

function ready(
  days: readonly ClinicDate[],
  facts: ScheduleFacts,
  own: StandingHold | null,
): ReadyAnswer {
  let json: Buffer | undefined;
  let gzipped: Promise<Buffer> | undefined;
  const text = () => (json ??= Buffer.from(scheduleAnswer(days, facts.rows, facts.taken, own)));
  return {
    json: text,
    gzipped: () => (gzipped ??= compress(text(), { level: GZIP_LEVEL })),
  };
}
