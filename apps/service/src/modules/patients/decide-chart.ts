import { type EpochSeconds, type UnsureChart, whyUnsure } from '@clinic/domain';
import type { Db, Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { type Who, ofPatient } from '../../security/audit.store.ts';
import type { Look } from '../../server/audited-reads.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { versionOfContent } from '../../server/version.ts';
import { aheadInEmr, appointments, moveToRecord } from '../appointments/index.ts';
import { followToChart } from '../emr/index.ts';
import type { Chart, Emr, LikelyChart } from '../records/emr.ts';
import {
  chartOfRecord,
  endUnclear,
  leaveChart,
  lockForChart,
  takeChart,
  unclearInEmr,
} from '../records/index.ts';
import {
  type Decider,
  NO_DECIDER,
  type OwnDetails,
  accountOfChart,
  accountsOfRecords,
  enqueueAccountEmail,
  findPatient,
  likelyCharts,
  ownDetails,
  recordOfAnother,
  refusedByStanding,
} from '../accounts/index.ts';

// Which chart of the EMR is a patient's, where only staff can tell: one way for the desk and the commands.

/** A chart beside the account whose it may be. */
export interface ComparedChart extends LikelyChart {
  /** The record of another open account that has the chart, or one that was merged into it. */
  readonly recordOfAnother: string | null;
}

export type ChartsOfPatient = Exclude<Awaited<ReturnType<typeof chartsOfPatient>>, Refusal>;

/** What a decision about a record's chart is made of. */
const versionOfChart = async (db: Db, recordId: string): Promise<string> => {
  const { apart, waitsSince } = await unclearInEmr(db, recordId);
  return versionOfContent([await chartOfRecord(db, recordId), waitsSince, ...apart.toSorted()]);
};

/** A patient beside the EMR's charts that may be theirs, and beside the one with the number `asked`. */
export async function chartsOfPatient(
  platform: Platform,
  patientId: string,
  asked: string | null,
  now: EpochSeconds,
) {
  const { database, emr } = platform;
  const { db } = database;
  const known = await findPatient(db, patientId);
  if (known === null) return refuse('notFound');
  const own = await ownDetails(platform, known.id);
  const { recordId } = own;
  const seen = await versionOfChart(db, recordId);
  const number = await chartOfRecord(db, recordId);
  const stands = number === null ? null : ((await emr?.chart(number)) ?? null);
  const { apart, waitsSince, why } = await unclearInEmr(db, recordId);
  const found = await likelyCharts(platform, own);
  const more = asked === null ? null : ((await emr?.chart(asked)) ?? null);
  if (asked !== null && more === null) return refuse('noSuchChart', { values: { chart: asked } });
  const rest = found.filter(({ id }) => !apart.includes(id) && id !== stands?.id);
  const isNew = more && more.id !== stands?.id && rest.every(({ id }) => id !== more.id);
  const compared = async (chart: LikelyChart): Promise<ComparedChart> => ({
    ...chart,
    recordOfAnother: await recordOfAnother(db, chart, recordId),
  });
  const likely = await Promise.all(rest.map(compared));
  const toCompare = isNew ? [await compared({ ...more, hasCard: sameCard(more, own) })] : [];
  return {
    own,
    /** The chart that the account has; null also where the EMR has it no more. */
    present: stands && (await compared({ ...stands, hasCard: sameCard(stands, own) })),
    presentNumber: number,
    /** Those that may be theirs, without those that are said to be of others; with the one asked for. */
    likely: [...likely, ...toCompare],
    /** The appointments under the present chart that lie ahead. */
    ahead: number === null ? [] : (await aheadInEmr(db, recordId, now)).map(({ id }) => id),
    waitsSince,
    why: waitsSince === null ? null : why === 'merged' ? why : whyOf(likely),
    /** Sent along with the decision: it changes with what is decided. */
    seen,
  };
}

/** What staff saw of these, for the trail. */
export const lookAtCharts = ({ own, present, likely }: ChartsOfPatient): Look => {
  const shown = [...(present ? [present] : []), ...likely];
  return {
    action: 'charts in the EMR shown',
    subject: `record:${own.recordId}`,
    records: [own.recordId, ...shown.flatMap(({ recordOfAnother }) => recordOfAnother ?? [])],
    details: { charts: shown.map(({ id }) => id) },
  };
};

const whyOf = (charts: readonly ComparedChart[]): UnsureChart =>
  whyUnsure(charts.map((each) => ({ ...each, isOfAnother: each.recordOfAnother !== null })));

const digits = (number: string) => number.replaceAll(/\W/g, '');
const sameCard = ({ card }: Chart, { cardNumber }: OwnDetails): boolean =>
  card !== null && cardNumber !== '' && digits(card.number) === digits(cardNumber);

export interface ChartDecision {
  /** A number of the EMR's; null where none of those that staff were shown is theirs. */
  readonly chosen: string | null;
  /** The charts that are then said to be of others. */
  readonly apartFrom: readonly string[];
  /** The version that who decides has seen; a decision about what has changed since is refused. */
  readonly seen?: string | undefined;
  /** Where the account has a chart already: whether what is booked ahead goes along to the other. */
  readonly appointments?: 'move' | 'stay' | undefined;
  /** Only a manager who has shown a factor gives an account another chart than it has. */
  readonly by?: Decider;
}

export interface DecidedChart {
  /** The chart that stands: another than the chosen one where that was merged. Null where it has none yet. */
  readonly chart: Chart | null;
  /** How many of the coming appointments follow to it. */
  readonly moved: number;
}

/**
 * Staff say which of the EMR's charts is a patient's, for the first time or anew; or that none of those that
 * they were shown is, so that the patient may have a new one. The same decision again changes nothing.
 */
export async function decideChart(
  platform: Platform,
  patientId: string,
  decision: ChartDecision,
  { actor, now }: Who,
): Promise<DecidedChart | Refusal> {
  const { database, emr, parts, appendAudit } = platform;
  const patient = await findPatient(database.db, patientId);
  if (patient === null) return refuse('notFound');
  if (patient.closedAt !== null) return refuse('accountClosed');
  const { recordId, birthDate } = patient;
  // The EMR is not asked inside of a transaction.
  const chosen =
    decision.chosen === null ? null : await readChosen(emr, database.db, decision.chosen, recordId);
  if (chosen instanceof Refusal) return chosen;
  if (chosen !== null && chosen.chart.birthDate !== birthDate) return refuse('bornOtherwise');
  return database.inTransaction<DecidedChart | Refusal>(async (tx, rollBack) => {
    await appointments.lockPatient(tx, parts, patient.id);
    const present = await chartOfRecord(tx, recordId);
    const { apart, waitsSince, why } = await unclearInEmr(tx, recordId);
    const isOther =
      decision.seen !== undefined && decision.seen !== (await versionOfChart(tx, recordId));
    const trail = { ...ofPatient(patientId, '', now), actor, subject: `record:${recordId}` };
    if (chosen === null) {
      if (present !== null) return refuse('hasOtherChart', { values: { chart: present } });
      const isSaid = decision.apartFrom.every((each) => apart.includes(each));
      if (waitsSince === null && isSaid) return { chart: null, moved: 0 };
      if (isOther || waitsSince === null) return refuse('changedMeanwhile');
      await endUnclear(tx, recordId, decision.apartFrom, now);
      const details = { inEmr: [...decision.apartFrom] };
      await appendAudit(tx, { ...trail, action: 'records told apart', details });
      await tellPatient(platform, tx, patientId, now);
      return { chart: null, moved: 0 };
    }
    const { chart } = chosen;
    if (present === chart.id && waitsSince === null) return { chart, moved: 0 };
    if (isOther || present !== chosen.before) return refuse('changedMeanwhile');
    const isAnother = present !== null && chosen.standsBefore !== chart.id;
    if (isAnother) {
      const refused = refusedAnother(decision, present);
      if (refused !== null) return refused;
    }
    await lockForChart(tx, { recordId, chart: chart.id });
    const taken = await takeFromClosed(tx, chart.id, recordId, now);
    if (taken !== null) return taken;
    const refused = await refusedByStanding(tx, patientId, 'join', now);
    if (refused !== null) return rollBack(refused);
    if (!(await takeChart(tx, { recordId, chart: chart.id }, now)))
      return rollBack(refuse('chartOfAnother'));
    await endUnclear(tx, recordId, [], now);
    // What the clinic booked for the chart before it had an account is the account's from now on.
    if ((await accountsOfRecords(tx, [chart.id])).length === 0)
      await moveToRecord(tx, chart.id, { recordId, patientId });
    const ahead =
      isAnother && decision.appointments === 'move' ? await aheadInEmr(tx, recordId, now) : [];
    if (ahead.length > 0) await followToChart(platform, tx, recordId, now);
    const details = {
      emrId: chart.id,
      ...(isAnother && { before: present, appointments: decision.appointments }),
    };
    await appendAudit(tx, { ...trail, action: 'record matched', details });
    if (waitsSince !== null && why !== 'merged') await tellPatient(platform, tx, patientId, now);
    return { chart, moved: ahead.length };
  });
}

/** The chosen chart, beside the one that the account had as the EMR was asked and the one that stands for it. */
async function readChosen(emr: Emr | null, db: Db, chosen: string, recordId: string) {
  const chart = await emr?.chart(chosen);
  if (!emr || !chart) return refuse('noSuchChart', { values: { chart: chosen } });
  const before = await chartOfRecord(db, recordId);
  const stands = before === null || before === chart.id ? null : await emr.chart(before);
  return { chart, before, standsBefore: stands?.id ?? before };
}

/** An account that has a chart gets another only from who says what becomes of its appointments. */
function refusedAnother({ appointments: what, by = NO_DECIDER }: ChartDecision, present: string) {
  if (what === undefined) return refuse('hasOtherChart', { values: { chart: present } });
  if (!by.mayDecide) return refuse('managerChoosesChart');
  return by.isFactorRecent ? null : refuse('factorNeeded');
}

/** A chart that only a closed account has is free again, once it is sure that nobody disputes the account. */
async function takeFromClosed(
  tx: Tx,
  chart: string,
  recordId: string,
  now: EpochSeconds,
): Promise<Refusal | null> {
  const account = await accountOfChart(tx, chart);
  if (account === null || account.recordId === recordId) return null;
  if (account.closedAt === null) return refuse('chartOfAnother');
  const refused = await refusedByStanding(tx, account.id, 'account', now);
  if (refused === null) await leaveChart(tx, account.recordId);
  return refused;
}

/** Mails a patient who could not book until staff decided that they can. */
const tellPatient = ({ outbox }: Platform, tx: Tx, patientId: string, at: EpochSeconds) =>
  enqueueAccountEmail(outbox, tx, { email: 'chartDecided', patientId, at });
