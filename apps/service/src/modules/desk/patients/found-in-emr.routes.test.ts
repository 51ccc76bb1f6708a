import { toInstant } from '@clinic/domain';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import type { FakeRecord } from '@clinic/practice/emr/fake-records.ts';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SomeStaff, askDesk, deskClinic } from '../../../../testing/desk.ts';
import { type PatientRow, type TestApp, aPatient } from '../../../../testing/index.ts';
import { emrRecord, patientRecord } from '../../../schema.ts';
import { looksAt } from '../../../security/audit.store.ts';
import { writeSyncState, lastSync } from '../../emr/sync/sync-state.ts';
import type { Chart, RecordId } from '../../records/emr.ts';

const CARD = validBcNumber(36_001);
const THEIRS = validBcNumber(36_002);

const chart = (id: string, over: Partial<FakeRecord> = {}): FakeRecord => ({
  id: id as RecordId,
  firstName: 'Linh',
  lastName: 'Nguyen',
  birthDate: '1990-02-13',
  providerId: '101',
  cardProvince: 'BC',
  cardNumber: '',
  ...over,
});

let clinic: TestApp;
let casey: PatientRow;
let robin: SomeStaff;
let cookie: string;
let emr: FakeEmr;
beforeEach(async () => {
  emr = fakeEmr({
    days: null,
    records: [
      chart('21', { cardNumber: CARD, phone: '604-555-0142' }),
      chart('22', { firstName: 'Minh', mergedInto: '21' as RecordId }),
      chart('23', { firstName: 'Anh', state: 'inactive' }),
      chart('24', { firstName: 'Bao', state: 'deceased' }),
      chart('25', { firstName: 'Kim', lastName: 'Ode', birthDate: '' }),
      chart('26', {
        firstName: 'Casey',
        lastName: 'Morgan',
        birthDate: '1984-05-17',
        cardNumber: THEIRS,
      }),
    ],
  });
  const patient = { cardNumber: THEIRS, primaryDoctor: false as const };
  ({ clinic, casey, robin, cookie } = await deskClinic('receptionist', { patient, emr }));
});
afterEach(() => clinic.close());

const find = (text: string) => askDesk(clinic, 'deskFindCharts', { cookie, body: { text } });
const found = async (text: string) => (await find(text)).answer().extras;
const open = (body: object) => askDesk(clinic, 'deskOpenChart', { cookie, body });
const opened = async (body: object) => (await open(body)).answer().extras;
const here = async (text: string) =>
  (await askDesk(clinic, 'deskFindPatients', { cookie, body: { text } })).answer().extras;
const records = () => clinic.database.db.select().from(patientRecord);
const LINH = {
  chart: '21',
  name: 'Nguyen, Linh',
  birthDate: '1990-02-13',
  state: 'active',
  known: null,
};

// Shows: S-18
describe('Whom the EMR has and nobody here knows', () => {
  test.each(['nguyen linh', '1990-02-13 linh', CARD, '5550142', '21', 'minh'])(
    'is found there by %s, and not here',
    async (typed) => {
      expect(await here(typed)).toMatchObject({ patients: [], hasEmr: true });
      expect(await found(typed)).toEqual({ charts: [LINH], hasMore: false, isTooLittle: false });
    },
  );

  test('is listed once, with the state that keeps a chart from being booked', async () => {
    const { charts } = await found('nguyen');
    expect(charts.map(({ chart: no, state }) => [no, state])).toEqual([
      ['21', 'active'],
      ['23', 'inactive'],
      ['24', 'deceased'],
    ]);
    expect((await open({ chart: '23' })).code()).toBe('chartNotActive');
    expect((await open({ chart: '24' })).code()).toBe('chartNotActive');
    expect((await open({ chart: '25' })).code()).toBe('chartNotDated');
    expect((await open({ chart: '99' })).code()).toBe('chartGone');
    expect(await records()).toEqual([]);
  });

  test('is on the trail as a look, which the patient finds once they are known here', async () => {
    await found('nguyen linh');
    expect(await clinic.trail('charts in the EMR searched')).toMatchObject([
      { actor: `staff:${robin.id}`, subject: 'patients:all', details: { found: ['21'] } },
    ]);
    const { person } = await opened({ chart: '21' });
    const about = { cookie, body: { recordId: person } };
    expect((await askDesk(clinic, 'deskAuditTrail', about)).statusCode).toBe(403);
    const whose = { patientId: '-', recordIds: ['21', person ?? ''], things: [] };
    expect((await looksAt(clinic.database.db, whose)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['charts in the EMR searched', 'chart in the EMR chosen']),
    );
    await found(CARD);
    expect(JSON.stringify(await clinic.trail('charts in the EMR searched'))).not.toMatch(
      new RegExp(`${CARD}|nguyen`, 'i'),
    );
  });

  test('is not said to be nobody while the EMR is away, and whom we know is found', async () => {
    emr.faults.offline = true;
    expect((await find('nguyen')).code()).toBe('clinicUnreachable');
    expect((await open({ chart: '21' })).code()).toBe('clinicUnreachable');
    expect((await here('morgan')).patients).toHaveLength(1);
  });

  test('is not asked for while the EMR is known to be silent, so that nobody waits', async () => {
    let asked = 0;
    emr.searchCharts = async () => {
      asked += 1;
      return { charts: [], hasMore: false };
    };
    const now = clinic.clock.now();
    const turn = await lastSync(clinic.database.db);
    await clinic.database.inTransaction((tx) =>
      writeSyncState(tx, {
        ...turn,
        failures: 2,
        silentSince: now - 60,
        answeredAt: now - 90,
        until: now,
      }),
    );
    expect((await find('nguyen')).code()).toBe('clinicUnreachable');
    expect(asked).toBe(0);
  });

  test('is found by nobody where there is no EMR', async () => {
    clinic = await clinic.again({ emr: null });
    expect(await here('nguyen')).toMatchObject({ hasEmr: false });
    expect((await found('nguyen')).charts).toEqual([]);
    expect((await open({ chart: '21' })).code()).toBe('chartGone');
  });
});

// Shows: S-18, R-98
describe('A chart that staff choose', () => {
  const bookFor = (id: string) =>
    askDesk(clinic, 'deskBook', {
      cookie,
      params: { id },
      body: { type: 'O', providerId: '101', start: toInstant('2026-11-23', '11:00') },
    });

  test('has a record of ours, once, which is found and booked from then on', async () => {
    const asked = await Promise.all([opened({ chart: '21' }), opened({ chart: '22' })]);
    const { person } = asked[0];
    expect(asked).toEqual([
      { person, likely: [] },
      { person, likely: [] },
    ]);
    expect(await records()).toMatchObject([
      {
        id: person,
        firstName: 'Linh',
        lastName: 'Nguyen',
        birthDate: '1990-02-13',
        cardProvince: 'BC',
      },
    ]);
    expect(await clinic.database.db.select().from(emrRecord)).toMatchObject([
      { recordId: person, emrId: '21' },
    ]);
    expect(await clinic.trail('record opened by the clinic')).toMatchObject([
      { actor: `staff:${robin.id}`, subject: `record:${person}`, details: { emrId: '21' } },
    ]);
    const known = {
      patientId: null,
      recordId: person,
      name: 'Nguyen, Linh',
      birthDate: '1990-02-13',
    };
    for (const typed of ['linh', CARD]) {
      expect((await here(typed)).patients).toEqual([known]);
      expect((await found(typed)).charts).toMatchObject([{ chart: '21', known }]);
    }
    // The fake knows only its own numbers: OSCAR's adapter keeps whose chart a record of ours has.
    emr.faults.booksOnlyRecords = false;
    expect((await bookFor(person ?? '')).answer().extras).toMatchObject({ isTold: false });
    expect(emr.busy()).toHaveLength(1);
  });

  test('is read anew, where its name or card changed in the EMR', async () => {
    const { person } = await opened({ chart: '21' });
    const before = emr.chart.bind(emr);
    emr.chart = async (number) => {
      const read = await before(number);
      const card = { province: 'BC', number: validBcNumber(36_003) };
      return read && { ...read, lastName: 'Tran', card };
    };
    expect(await opened({ chart: '21' })).toEqual({ person, likely: [] });
    expect(await records()).toMatchObject([{ id: person, lastName: 'Tran' }]);
    expect((await here(validBcNumber(36_003))).patients).toMatchObject([{ recordId: person }]);
  });

  test('is of whoever here may be the same person, once staff say so', async () => {
    const { likely } = await opened({ chart: '26' });
    const { id: patientId, recordId, birthDate } = casey;
    expect(likely).toEqual([
      { patientId, recordId, name: 'Morgan, Casey', birthDate, hasCard: true },
    ]);
    expect(await records()).toEqual([]);
    for (let again = 0; again < 2; again++)
      expect(await opened({ chart: '26', same: casey.id })).toEqual({
        person: casey.id,
        likely: [],
      });
    expect(await clinic.trail('record matched')).toHaveLength(1);
    expect((await found('morgan')).charts).toMatchObject([
      { chart: '26', known: { patientId: casey.id } },
    ]);
    expect(await opened({ chart: '26' })).toEqual({ person: casey.id, likely: [] });
  });

  test('is of somebody else, where staff say so', async () => {
    const { likely } = await opened({ chart: '26' });
    const apartFrom = likely.map(({ recordId }) => recordId);
    expect(await opened({ chart: '26', apartFrom: ['somebody'] })).toMatchObject({ person: null });
    const { person } = await opened({ chart: '26', apartFrom });
    expect(person).not.toBe(casey.recordId);
    expect(await records()).toMatchObject([{ id: person, firstName: 'Casey' }]);
  });

  test('is never given to somebody who has another, or was born on another day', async () => {
    await opened({ chart: '26', same: casey.id });
    expect(await opened({ chart: '21', same: casey.id })).toEqual({ person: casey.id, likely: [] });
    const other = await aPatient(clinic, { birthDate: '1990-02-14', primaryDoctor: false });
    expect((await open({ chart: '21', same: other.id })).code()).toBe('bornOtherwise');
    expect(await clinic.trail('record matched')).toHaveLength(1);
  });

  test('without a card, or with a number that is none, pays as somebody without one', async () => {
    const province = async (card: Chart['card']) => {
      const before = emr.chart.bind(emr);
      emr.chart = async (number) => {
        const read = await before(number);
        return read && { ...read, card };
      };
      const { person } = await opened({ chart: '21' });
      emr.chart = before;
      const [row] = (await records()).filter(({ id }) => id === person);
      return [row?.cardProvince, row?.cardIndex !== null];
    };
    expect(await province(null)).toEqual(['Other', false]);
    expect(await province({ province: '', number: CARD })).toEqual(['BC', true]);
    expect(await province({ province: 'BC', number: '9123 456 789' })).toEqual(['BC', false]);
    expect(await province({ province: 'Other', number: 'X1' })).toEqual(['Other', false]);
  });
});
