import type { EpochSeconds } from '@clinic/domain';
import { lockFact, writeFact } from '../../database/installation.store.ts';
import type { Platform } from '../../platform.ts';
import { emrHealth } from '../emr/index.ts';
import { type Emr, isOfEmr } from '../records/emr.ts';
import {
  chartOfRecord,
  endUnclear,
  timeoutAsOffline,
  unclearInEmr,
  waitUnclear,
} from '../records/index.ts';
import { recordOfAnother } from '../accounts/index.ts';
import { chartsToLookAt } from './likely.store.ts';

// Nothing in an EMR tells that staff merged two charts. Where both are of accounts, the account whose chart no
// longer stands waits for staff, until one account is closed, the charts are parted, or it has another chart.

const FACT = 'emr-merged-charts';
const EVERY_SECONDS = 60;

interface Round {
  readonly lookedAt: EpochSeconds;
  readonly after: string;
}

/** Looks at the charts of some accounts, at all of them within a day. What is not answered waits for the next round. */
export async function watchMergedCharts(platform: Platform, now: EpochSeconds): Promise<void> {
  const { database, emr } = platform;
  if (emr === null || (await emrHealth(database.db, now)).kind !== 'answers') return;
  const due = await database.inTransaction(async (tx) => {
    const first = JSON.stringify({ lookedAt: 0, after: '' } satisfies Round);
    const round = JSON.parse(await lockFact(tx, FACT, first)) as Round;
    if (now - round.lookedAt < EVERY_SECONDS) return [];
    const found = await chartsToLookAt(tx, round.after);
    const after = found.findLast(({ isNext }) => isNext)?.recordId ?? '';
    await writeFact(tx, FACT, JSON.stringify({ lookedAt: now, after } satisfies Round));
    return found;
  });
  try {
    for (const each of due) await look(platform, emr, each, now);
  } catch (error) {
    if (!isOfEmr(error)) throw error;
  }
}

async function look(
  { database, appendAudit, realtime }: Platform,
  emr: Emr,
  { recordId, chart }: Awaited<ReturnType<typeof chartsToLookAt>>[number],
  now: EpochSeconds,
): Promise<void> {
  const stands = await timeoutAsOffline(emr.chart(chart));
  const isMerged =
    stands !== null &&
    stands.id !== chart &&
    (await recordOfAnother(database.db, stands, recordId)) !== null;
  const isChanged = await database.inTransaction(async (tx) => {
    if ((await chartOfRecord(tx, recordId)) !== chart) return false;
    if (!isMerged) {
      const { waitsSince, why } = await unclearInEmr(tx, recordId);
      return waitsSince !== null && why === 'merged' && endUnclear(tx, recordId, [], now);
    }
    if (!(await waitUnclear(tx, recordId, 'merged', now))) return false;
    const entry = { action: 'record waits for staff', details: { why: 'merged' } };
    await appendAudit(tx, {
      ...entry,
      actor: 'system:emr',
      subject: `record:${recordId}`,
      at: now,
    });
    return true;
  });
  if (isChanged) realtime.sayToDesk();
}
