import { type UnsureChart, whyUnsure } from '@clinic/domain';
import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Chart } from '../records/emr.ts';
import { apartInEmr, chartOfRecord, recordOfChart } from '../records/index.ts';
import { newRecordOf } from './open-patient.ts';
import { accountsOfRecords } from './store.ts';

/** The open account whose chart it is; null where it is nobody's. */
export async function accountOfChart(db: Db, chart: string) {
  const [account] = await accountsOfRecords(db, [(await recordOfChart(db, chart)) ?? chart]);
  if (account === undefined) return null;
  // An older account has the chart's number for its record, unless staff chose another chart for it.
  return (await chartOfRecord(db, account.recordId)) === chart ? account : null;
}

/** The record of another open account that has the chart, or one that was merged into it. */
export async function recordOfAnother(
  db: Db,
  { numbers }: Pick<Chart, 'numbers'>,
  recordId: string,
): Promise<string | null> {
  for (const number of numbers) {
    const account = await accountOfChart(db, number);
    if (account !== null && account.closedAt === null && account.recordId !== recordId)
      return account.recordId;
  }
  return null;
}

export const isChartOfAnother = async (db: Db, chart: string, recordId: string): Promise<boolean> =>
  (await recordOfAnother(db, { numbers: [chart] }, recordId)) !== null;

/** Whether staff gave the account that has this number of the EMR's for its record another chart. */
export const isChartGivenUp = async (db: Db, recordId: string): Promise<boolean> =>
  /^\d+$/.test(recordId) && (await chartOfRecord(db, recordId)) !== recordId;

/** The charts of the EMR that may be the person's. */
export const likelyCharts = async (
  { emr, config }: Pick<Platform, 'emr' | 'config'>,
  own: OwnRecord,
) => (emr === null ? [] : emr.likelyCharts(newRecordOf(own, config.familyDoctorIds.no)));
type OwnRecord = Parameters<typeof newRecordOf>[0];

/** Why it is not sure which chart is that of somebody who has none yet; null where the EMR does not say. */
export async function whyItIsUnsure(
  platform: Pick<Platform, 'emr' | 'config'> & {
    readonly database: Pick<Platform['database'], 'db'>;
  },
  own: OwnRecord,
): Promise<UnsureChart | null> {
  const { db } = platform.database;
  const apart = await apartInEmr(db, own.recordId);
  const found = await likelyCharts(platform, own).catch(() => null);
  if (found === null) return null;
  const likely = await Promise.all(
    found
      .filter(({ id }) => !apart.includes(id))
      .map(async (chart) => ({
        ...chart,
        isOfAnother: (await recordOfAnother(db, chart, own.recordId)) !== null,
      })),
  );
  return whyUnsure(likely);
}
