import { keepUntil, toClinic } from '@clinic/domain';

import type { Platform } from '../../platform.ts';
import { type LastEntry, erasePatient, nextLastEntries } from './retention.store.ts';

export interface Due {
  readonly patientId: string;
  readonly lastEntry: string;
  readonly keptUntil: string;
}

export interface RetentionReport {
  readonly patients: number;
  readonly due: readonly Due[];
}

/**
 * S-15: whose records may go: 16 years after the last entry, or after age 19. Without `apply`
 * nothing is touched. Agreements and the trail stay: they hold a random id and no name.
 */
export async function retention(
  { database, appendAudit }: Pick<Platform, 'database' | 'appendAudit'>,
  { now, actor, apply }: { readonly now: number; readonly actor: string; readonly apply: boolean },
): Promise<RetentionReport> {
  const today = toClinic(now).date;
  const due: Due[] = [];
  let patients = 0;
  for (let after: string | null = null; ;) {
    const batch = await nextLastEntries(database.db, after);
    patients += batch.length;
    for (const entry of batch) {
      const found = dueOf(entry);
      if (found.keptUntil >= today) continue;
      due.push(found);
      if (apply) await erase(entry, found);
    }
    after = batch.at(-1)?.patientId ?? null;
    if (after === null) return { patients, due };
  }

  async function erase({ patientId, recordId }: LastEntry, { lastEntry, keptUntil }: Due) {
    await database.inTransaction(async (tx) => {
      await erasePatient(tx, patientId, recordId);
      await appendAudit(tx, {
        actor,
        action: 'records erased',
        subject: `patient:${patientId}`,
        details: { lastEntry, keptUntil },
        at: now,
      });
    });
  }
}

function dueOf({ patientId, birthDate, lastEntryAt }: LastEntry): Due {
  const lastEntry = toClinic(lastEntryAt).date;
  return { patientId, lastEntry, keptUntil: keepUntil(birthDate, lastEntry) };
}
