import { type DeskCallId, deskCalls } from '@clinic/contract';
import { addDays, may, startOfDay } from '@clinic/domain';
import { and, eq, gt, inArray, max } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { writeFact } from '../src/database/installation.store.ts';
import { closeTime } from '../src/modules/closings/index.ts';
import type { RecordId } from '../src/modules/records/emr.ts';
import { audit } from '../src/schema.ts';
import {
  type DeskOptions,
  type SomeStaff,
  aStaffMember,
  askDesk,
  deskSession,
} from '../testing/desk.ts';
import { ask } from '../testing/index.ts';
import type { SyncState } from '../testing/on-oscar.ts';
import { deskRequests } from './desk-requests.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';

const everyDeskCall = Object.values(deskCalls);
const idsOf = (shows: string) =>
  everyDeskCall.filter((call) => call.shows === shows).map(({ id }) => id);

const DAY = '2026-11-25';
const wholeDay = (date: string) => ({
  providerIds: ['101'],
  from: startOfDay(date),
  to: startOfDay(addDays(date, 1)),
});
const NO_WORK = '_'.repeat(288);

let clinic: TwoPatients;
let morgan: SomeStaff;
let stone: SomeStaff;
let requests: Readonly<Record<DeskCallId, () => DeskOptions>>;
beforeAll(async () => {
  clinic = await twoPatients();
  const { firstName, lastName, birthDate } = clinic.other.row;
  const who = { actor: 'clinic:operator', now: clinic.clock.now() };
  const time = { ...wholeDay('2026-11-26'), requestKey: 'looks' };
  const closed = await closeTime(clinic.platform, time, who);
  const id = closed.kind === 'closed' ? closed.id : '';
  const turn = { outside: [clinic.other.appointment] } satisfies Partial<SyncState>;
  await clinic.database.inTransaction((tx) => writeFact(tx, 'emr-sync', JSON.stringify(turn)));
  requests = {
    ...(await deskRequests(clinic)),
    // What these show of the other patient stands on that day.
    deskDay: () => ({ params: { date: DAY } }),
    deskOwnDay: () => ({ params: { date: DAY } }),
    deskPrintDay: () => ({ params: { date: DAY } }),
    deskFindPatients: () => ({ body: { text: lastName } }),
    deskFindCharts: () => ({ body: { text: lastName } }),
    deskOpenChart: () => ({ body: { chart: clinic.other.row.recordId } }),
    deskLikelyPatients: () => ({ body: { firstName, lastName, birthDate } }),
    deskForeseeClosing: () => ({ body: wholeDay(DAY) }),
    deskForeseenPatients: () => ({ body: { ...wholeDay(DAY), page: 1 } }),
    deskClosing: () => ({ params: { id } }),
    deskSaveWeek: () => ({
      params: { providerId: '101' },
      body: { validFrom: '2026-11-23', week: ['O'.repeat(288), ...Array<string>(6).fill(NO_WORK)] },
    }),
    deskSaveDay: () => ({
      params: { providerId: '101', date: DAY },
      body: { codes: NO_WORK },
    }),
  };
  morgan = await aStaffMember(clinic, 'manager');
  stone = await aStaffMember(clinic, 'clinician');
});
afterAll(() => clinic.close());

/** What the other's data is known by in an answer that has no word of `secrets`. */
const SHOWN: Partial<Record<DeskCallId, string>> = {
  deskOpenSuggestion: 'Larger print',
  deskReadAttachment: '{"a":1}',
  deskOpenDocument: 'PNG',
};

/** What an open page asks for again by itself. */
const REFRESHED: readonly DeskCallId[] = [
  'deskDay',
  'deskCancelled',
  'deskProviderWeek',
  'deskOwnDay',
  'deskMoney',
  'deskClosing',
  'deskOutsideEmr',
  'deskInbox',
  'deskOpenMessage',
  'deskSuggestions',
  'deskOpenPatient',
];

/** Calls that look into an EMR, which the clinic has for these alone: it has the other's record. */
const IN_EMR: readonly DeskCallId[] = ['deskFindCharts', 'deskOpenChart'];

function emrFor(id: DeskCallId) {
  if (!IN_EMR.includes(id)) return null;
  const { recordId, firstName, lastName, birthDate } = clinic.other.row;
  const whose = { id: recordId as RecordId, firstName, lastName, birthDate };
  return fakeEmr({
    records: [{ ...whose, providerId: null, cardProvince: '', cardNumber: '' }],
  });
}

/** What an answer has of the other that the request did not name. */
async function shownBy(id: DeskCallId, options: DeskOptions) {
  const asked = JSON.stringify(requests[id]());
  Object.assign(clinic.platform, { emr: emrFor(id) });
  const { statusCode, body } = await askDesk(clinic, id, { ...requests[id](), ...options });
  const words = [...clinic.secrets, SHOWN[id] ?? clinic.other.row.id];
  return {
    statusCode,
    words: words.filter((word) => body.includes(word) && !asked.includes(word)),
  };
}

/** A manager, or a clinician where managers may not look. */
function whoLooks(id: DeskCallId): SomeStaff {
  const { access } = deskCalls[id];
  return access === 'public' || may('manager', access.staff) ? morgan : stone;
}

/** The rows of the trail that a request leaves. */
async function rowsLeft(who: SomeStaff, work: () => Promise<unknown>) {
  const { db } = clinic.database;
  const [last] = await db.select({ id: max(audit.id) }).from(audit);
  await work();
  return db
    .select()
    .from(audit)
    .where(and(gt(audit.id, last?.id ?? 0), eq(audit.actor, `staff:${who.id}`)));
}

const namesOther = (details: unknown) =>
  (details as { found?: readonly string[] }).found?.includes(clinic.other.row.recordId) === true;

describe('Whose data the front desk shows (S-14, S-18)', () => {
  // Shows: S-14, S-18
  test.each(idsOf('patients'))('%s: is in one row of the trail', async (id) => {
    const who = whoLooks(id);
    const cookie = await deskSession(clinic, who);
    const rows = await rowsLeft(who, async () => {
      const { statusCode, words } = await shownBy(id, { cookie });
      expect({ statusCode, isShown: words.length > 0 }).toEqual({ statusCode: 200, isShown: true });
    });
    expect(rows).toHaveLength(1);
    expect(rows.map(({ details }) => namesOther(details))).toEqual([true]);
    // Of a refresh the trail gets what this session was not shown yet.
    const headers = { 'x-background': '1' };
    const again = await rowsLeft(who, () => shownBy(id, { cookie, headers }));
    expect(again).toHaveLength(REFRESHED.includes(id) ? 0 : 1);
    const another = await deskSession(clinic, who);
    const first = await rowsLeft(who, () => shownBy(id, { cookie: another, headers }));
    expect(first.map(({ details }) => namesOther(details))).toEqual([true]);
  });

  // Shows: S-14, S-18
  test('stands in the patient’s copy of data', async () => {
    const { db } = clinic.database;
    const rows = await db
      .select()
      .from(audit)
      .where(
        inArray(
          audit.actor,
          [morgan, stone].map(({ id }) => `staff:${id}`),
        ),
      )
      .orderBy(audit.id);
    const actions = rows.filter(({ details }) => namesOther(details)).map(({ action }) => action);
    const { rawPayload } = await ask(clinic, 'exportData', { token: clinic.other.token });
    const json = unzipSync(rawPayload)['my-data.json'] ?? new Uint8Array();
    const { looksByStaff } = JSON.parse(strFromU8(json)) as {
      readonly looksByStaff: readonly { readonly by: string; readonly what: string }[];
    };
    const told = looksByStaff
      .filter(({ by }) => by === 'manager' || by === 'clinician')
      .map(({ what }) => what);
    expect(told).toEqual(actions);
    expect(new Set(actions).size).toBe(idsOf('patients').length);
  });

  // Shows: S-14, S-18
  test.each(idsOf('noPatient'))('%s: nobody’s', async (id) => {
    const cookie = await deskSession(clinic, whoLooks(id));
    expect((await shownBy(id, { cookie })).words).toEqual([]);
  });
});
