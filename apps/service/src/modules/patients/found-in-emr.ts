import {
  type EpochSeconds,
  isBcHealthNumber,
  isProvince,
  normaliseCardNumber,
  patientQuery,
  whyCardRefused,
} from '@clinic/domain';
import type { Db, Tx } from '../../database/db.ts';
import { lockWord } from '../../database/shared-names.store.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import { sealedCard } from '../../security/keyring.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { type Chart, EmrOffline, type RecordId } from '../records/emr.ts';
import {
  chartOf,
  correctRecord,
  insertRecord,
  recordOfChart,
  takeChart,
  timeoutAsOffline,
} from '../records/index.ts';
import { emrHealth } from '../emr/index.ts';
import type { Card } from './correct-details.ts';
import { type PatientFound, ofCharts } from './find-patients.store.ts';
import { decideChart } from './decide-chart.ts';
import { type Described, type LikelyPerson, likelyOf } from './likely.store.ts';
import { cardIndexes, lockPerson, personOf } from '../accounts/index.ts';
import { noteOpened } from './new-patient.ts';

// People whom only the EMR has: staff find them, and a record is made here for the chart that
// they choose, so that it can be booked.

/** The most charts that one search shows. */
const MOST_FOUND = 20;

interface ChartFound extends Chart {
  /** Who they are here, if they are known. */
  readonly known: PatientFound | null;
}

interface ChartsFound {
  readonly charts: readonly ChartFound[];
  readonly hasMore: boolean;
  /** The EMR was not asked: too little was typed. */
  readonly isTooLittle: boolean;
}

/** Nobody waits for an EMR that is known to be away. */
async function refuseSilent(db: Db, now: EpochSeconds): Promise<void> {
  if ((await emrHealth(db, now)).kind === 'silent') throw new EmrOffline('The EMR is silent');
}

/** Finds in the EMR who matches what was typed. Nobody where there is no EMR. */
export async function findCharts(
  { database, emr }: Pick<Platform, 'database' | 'emr'>,
  typed: string,
  now: EpochSeconds,
): Promise<ChartsFound> {
  const query = patientQuery(typed);
  if (emr === null) return { charts: [], hasMore: false, isTooLittle: false };
  if (query !== null) await refuseSilent(database.db, now);
  const found = query && (await timeoutAsOffline(emr.searchCharts(query, MOST_FOUND)));
  if (found === null) return { charts: [], hasMore: false, isTooLittle: true };
  const known = await ofCharts(
    database.db,
    found.charts.flatMap(({ numbers }) => numbers),
  );
  const charts = found.charts.map((chart) => {
    const here = chart.numbers.flatMap((number) => known.get(number) ?? []);
    return { ...chart, known: preferred(here) };
  });
  return { charts, hasMore: found.hasMore, isTooLittle: false };
}

/** Somebody with an account before somebody without. */
const preferred = (people: readonly PatientFound[]): PatientFound | null =>
  people.find(({ patientId }) => patientId !== null) ?? people[0] ?? null;

interface Chosen {
  /** A number of the EMR. */
  readonly chart: string;
  /** The account or record here that staff say to be the same person. */
  readonly same: string | null;
  /** The records that staff were shown and say are of somebody else. */
  readonly apartFrom: readonly string[];
}

/** The person of a chart, as they are booked for; or who may be them, and staff have not said yet. */
type OfChart =
  | { readonly person: string; readonly recordId: string }
  | { readonly likely: readonly LikelyPerson[] };

/**
 * The account or record of the person whose chart staff chose. Where nobody here has the chart, a record is
 * made for it; nothing is made while somebody may be the same person, and staff have not said who they are.
 */
export async function openChart(
  platform: Platform,
  { chart, same, apartFrom }: Chosen,
  who: Who,
): Promise<OfChart | Refusal> {
  const { database, emr } = platform;
  await refuseSilent(database.db, who.now);
  const found = emr && (await timeoutAsOffline(emr.chart(chart)));
  if (found === null) return refuse('chartGone');
  if (found.state !== 'active') return refuse('chartNotActive');
  if (found.birthDate === '') return refuse('chartNotDated');
  if (same !== null) return openForSame(platform, found, same, who);
  return database.inTransaction((tx) => openIn(platform, tx, found, apartFrom, who));
}

/** Gives the chart to somebody who is known here, unless they have one. */
async function openForSame(
  platform: Platform,
  { id: emrId }: Chart,
  same: string,
  who: Who,
): Promise<OfChart | Refusal> {
  const { db } = platform.database;
  const person = await personOf(db, same);
  if (person === null || (person.account !== null && person.account.closedAt !== null))
    return refuse('notFound');
  const { recordId, account } = person;
  const own = { person: account?.id ?? recordId, recordId };
  if ((await chartOf(db, recordId)) !== null || account === null) return own;
  const decided = await decideChart(platform, account.id, { chosen: emrId, apartFrom: [] }, who);
  return decided instanceof Refusal ? decided : own;
}

async function openIn(
  { keyring, ids, config, appendAudit }: Platform,
  tx: Tx,
  found: Chart,
  apartFrom: readonly string[],
  who: Who,
): Promise<OfChart> {
  const { now } = who;
  const { id: emrId, numbers, firstName, lastName, birthDate } = found;
  const { province, number } = cardOf(found);
  const card = cardIndexes(keyring, province, number);
  // Another who chooses this chart, or makes a record of this person, waits here and then sees this one.
  await lockPerson(tx, { birthDate, card });
  await lockWord(`emr:${emrId}`, tx);
  const details = { firstName, lastName, birthDate, cardProvince: province };
  const here = await ofCharts(tx, numbers);
  const known = preferred(numbers.flatMap((each) => here.get(each) ?? []));
  if (known !== null) {
    const { recordId, patientId } = known;
    // What is kept of a record without an account is a copy, and may be old.
    if (patientId === null)
      await correctRecord(tx, recordId, {
        ...details,
        ...sealedCard(keyring, recordId, number).record,
      });
    return { person: patientId ?? recordId, recordId };
  }
  // The record of an account that was closed is theirs again.
  const before = await recordOfChart(tx, emrId);
  const fresh = `W${ids.uuid().replaceAll('-', '').slice(0, 15).toUpperCase()}`;
  const recordId = (before ?? fresh) as RecordId;
  const person: Described = { recordId, firstName, lastName, birthDate, card };
  const [likely = []] = await likelyOf(tx, [person]);
  if (likely.some((each) => !apartFrom.includes(each.recordId))) return { likely };
  const providerId = config.familyDoctorIds.no;
  await insertRecord(tx, keyring, { ...details, id: recordId, cardNumber: number, providerId });
  if (before === null) await takeChart(tx, { recordId, chart: emrId }, now);
  await noteOpened({ appendAudit }, tx, { recordId, likely, emrId }, who);
  return { person: recordId, recordId };
}

/**
 * The card of a chart. EMRs say BC of people without a card, too, so that a province counts beside a number
 * alone; a number that is none of the province's is not kept.
 */
function cardOf({ card }: Chart): Card {
  const typed = card?.number.replaceAll(/[^0-9A-Za-z]/g, '') ?? '';
  const named = card?.province || (isBcHealthNumber(typed) ? 'BC' : '');
  if (typed === '' || !isProvince(named)) return { province: 'Other', number: '' };
  const number = normaliseCardNumber(named, typed);
  return { province: named, number: whyCardRefused(named, number) === null ? number : '' };
}
