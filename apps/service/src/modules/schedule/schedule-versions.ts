import type { ClinicDate } from '@clinic/domain';

import { together } from '../../server/together.ts';

/** What has changed in the schedule since a database snapshot. */
export interface ScheduleChanges {
  /** The snapshot at which this was looked up: `pg_current_snapshot()` as text. */
  readonly snapshot: string;
  /** Clinic dates on which an appointment changed. */
  readonly days: readonly ClinicDate[];
  /** Templates, providers or their policy changed: every day may differ. */
  readonly everything: boolean;
}

export interface ScheduleVersions {
  /**
   * Numbers for the days, from a look at the database that began after this call did. Equal numbers
   * mean that no commit between the two looks touched those days.
   */
  of(days: readonly ClinicDate[]): Promise<string>;
}

/**
 * For the look of others, which the database may not answer. Looks that overlap see a change twice at
 * most, and number its day twice.
 */
const LOOK_PATIENCE_MS = 1_000;

/**
 * Versions of schedule days that no commit can outrun, whichever process made it: each look asks
 * the database which days were touched by transactions invisible to the look before. Calls that
 * arrive while a look is under way share the next one, so that many readers cost one statement.
 */
export function scheduleVersions(
  changesSince: (snapshot: string | null) => Promise<ScheduleChanges>,
): ScheduleVersions {
  const versions = new Map<ClinicDate, number>();
  let epoch = 0;
  let snapshot: string | null = null;

  async function look(): Promise<void> {
    const changes = await changesSince(snapshot);
    snapshot = changes.snapshot;
    if (changes.everything) {
      epoch++;
      versions.clear();
    }
    for (const day of changes.days) versions.set(day, (versions.get(day) ?? 0) + 1);
  }

  const freshLook = together<void, void>(async (asked) => {
    await look();
    return asked;
  }, LOOK_PATIENCE_MS);

  return {
    async of(days) {
      await freshLook();
      return `${epoch}:${days.map((day) => versions.get(day) ?? 0).join(',')}`;
    },
  };
}
