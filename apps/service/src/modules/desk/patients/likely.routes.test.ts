import { validBcNumber } from '@clinic/practice/accounts.ts';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SomeStaff, askDesk, deskClinic } from '../../../../testing/desk.ts';
import { type PatientRow, type TestApp, aPatient, ask, signIn } from '../../../../testing/index.ts';
import { emrRecord, patient, patientRecord } from '../../../schema.ts';
import { looksAt } from '../../../security/audit.store.ts';
import { foldNames } from '../../patients/index.ts';
import type { RecordId } from '../../records/emr.ts';

const CARD = validBcNumber(99_100);
let clinic: TestApp;
let casey: PatientRow;
let cookie: string;
let robin: SomeStaff;
beforeEach(async () => {
  const patient = { cardNumber: CARD };
  ({ clinic, casey, robin, cookie } = await deskClinic('manager', { patient }));
});
afterEach(() => clinic.close());

const SAME = { firstName: 'CASEY', lastName: 'Mórgan', birthDate: '1984-05-17' };
const look = async (over: object = {}) =>
  (await askDesk(clinic, 'deskLikelyPatients', { cookie, body: { ...SAME, ...over } })).answer()
    .extras.patients;
const add = (over: object = {}, requestId: string = crypto.randomUUID()) =>
  askDesk(clinic, 'deskAddPatient', { cookie, body: { requestId, ...SAME, ...over } });
const records = async () => (await clinic.database.db.select().from(patientRecord)).length;
const trail = async (action: string) =>
  (await clinic.trail(action)).map(({ actor, subject, details }) => ({ actor, subject, details }));
const waiting = async () => {
  await foldNames(clinic.platform);
  const answer = await askDesk(clinic, 'deskPatientsWaiting', { cookie, body: {} });
  return (answer.answer().extras.pairs ?? []).map(({ one, other }) =>
    [one.recordId, other.recordId].toSorted(),
  );
};
const tellApart = (one: string, other: string) =>
  askDesk(clinic, 'deskTellApart', { cookie, body: { one, other } });

// Shows: S-18
describe('Before a record is made at the desk', () => {
  test('who has such a name and the birth date is shown, and that is a look', async () => {
    const { id: patientId, recordId, birthDate } = casey;
    const shown = { patientId, recordId, name: 'Morgan, Casey', birthDate, hasCard: false };
    expect(await look()).toEqual([shown]);
    expect(await look({ firstName: 'Morgan', lastName: 'Casey' })).toEqual([shown]);
    expect(await look({ birthDate: '1984-05-18' })).toEqual([]);
    expect(await look({ firstName: 'Kim' })).toEqual([]);
    const row = { actor: `staff:${robin.id}`, subject: 'patients:all' };
    const looks = [[recordId], [recordId], [], []].map((found) => ({
      ...row,
      details: { found, session: expect.any(String) as string },
    }));
    expect(await trail('likely patients shown')).toEqual(looks);
    const whose = { patientId, recordIds: [recordId], things: [] };
    expect(await looksAt(clinic.database.db, whose)).toHaveLength(2);
  });

  test('so is who has the phone number and a like first name, and the number is kept on the card', async () => {
    const bob = { firstName: 'Robert', lastName: 'Ode', birthDate: '1950-01-01' };
    const first = (await add({ ...bob, phone: '604-555-0177' })).answer().extras.recordId;
    const again = { firstName: 'Bob', lastName: 'Hale', birthDate: '1950-01-10' };
    const phoned = { ...again, phone: '+1 (604) 555 0177' };
    expect(await look(phoned)).toMatchObject([{ recordId: first, hasCard: false }]);
    expect(await look(again)).toEqual([]);
    expect(await look({ ...phoned, firstName: 'Kim' })).toEqual([]);
    expect((await add(phoned)).code()).toBe('likelyKnown');
    expect((await add({ ...phoned, apartFrom: [first] })).statusCode).toBe(200);
    expect((await add({ ...bob, phone: '555' })).refusal().errors).toMatchObject([
      { field: 'phone' },
    ]);
  });

  test('at most five are shown, and are all to be told apart', async () => {
    const person = { firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02' };
    const apartFrom: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { recordId } = (await add({ ...person, apartFrom })).answer().extras;
      apartFrom.push(recordId);
    }
    expect(await look(person)).toHaveLength(5);
  });

  test('so is who has the card, whatever their name', async () => {
    const card = { province: 'BC', number: CARD };
    const kim = { firstName: 'Kim', lastName: 'Ode', birthDate: '1950-01-01', card };
    expect(await look(kim)).toMatchObject([{ recordId: casey.recordId, hasCard: true }]);
    expect((await add(kim)).refusal().errors).toMatchObject([{ field: 'card.number' }]);
  });

  test('without that look none is opened, and with it there is another all the same', async () => {
    expect((await add()).code()).toBe('likelyKnown');
    expect((await add({ apartFrom: ['somebody'] })).code()).toBe('likelyKnown');
    expect(await records()).toBe(1);
    const requestId = crypto.randomUUID();
    const apartFrom = (await look()).map(({ recordId }) => recordId);
    const { recordId } = (await add({ apartFrom }, requestId)).answer().extras;
    // Sent again after a lost answer, whatever was said of others.
    expect((await add({}, requestId)).answer().extras).toEqual({ recordId });
    expect(await records()).toBe(2);
    expect(await trail('record opened by the clinic')).toMatchObject([
      { subject: `record:${recordId}`, details: { apart: apartFrom } },
    ]);
    expect(await waiting()).toEqual([]);
    expect((await add({ apartFrom })).code()).toBe('likelyKnown');
  });
});

describe('Two records that may be of one person', () => {
  // Shows: R-97
  test('such as of somebody who signed up wait at the desk, until staff say that they are of two', async () => {
    const { firstName, lastName, birthDate } = casey;
    const other = await aPatient(clinic, { firstName, lastName, birthDate });
    const pair = [casey.recordId, other.recordId].toSorted();
    expect(await waiting()).toEqual([pair]);
    expect(await trail('waiting patients shown')).toMatchObject([{ details: { found: pair } }]);
    for (let again = 0; again < 2; again++)
      (await tellApart(other.recordId, casey.recordId)).answer();
    expect(await waiting()).toEqual([]);
    expect(await trail('records told apart')).toEqual([
      {
        actor: `staff:${robin.id}`,
        subject: `record:${other.recordId}`,
        details: { record: casey.recordId },
      },
    ]);
    expect((await tellApart(other.recordId, 'nobody')).code()).toBe('notFound');
  });

  test('wait also where one card has two birth dates, and a correction made them alike', async () => {
    const other = await aPatient(clinic, {
      firstName: 'Kim',
      lastName: 'Ode',
      primaryDoctor: false,
    });
    expect(await waiting()).toEqual([]);
    await clinic.database.inTransaction((tx) =>
      tx
        .update(patient)
        .set({ firstName: 'Casey', lastName: 'Morgan' })
        .where(eq(patient.id, other.id)),
    );
    expect(await waiting()).toEqual([[casey.recordId, other.recordId].toSorted()]);
  });

  test('wait no longer once they are merged', async () => {
    const { recordId } = (await add({ firstName: 'Kim' })).answer().extras;
    await clinic.database.inTransaction((tx) =>
      tx.update(patientRecord).set({ firstName: 'Casey' }).where(eq(patientRecord.id, recordId)),
    );
    expect(await waiting()).toHaveLength(1);
    const merge = { cookie, params: { id: casey.recordId }, body: { other: recordId } };
    (await askDesk(clinic, 'deskMergePatients', merge)).answer();
    expect(await waiting()).toEqual([]);
  });
});

describe('An account whose chart the EMR may have already', () => {
  const card = { cardNumber: CARD, primaryDoctor: false as const };
  const RECORD = { firstName: 'Casey', lastName: 'Morgan', birthDate: '1984-05-17' };
  let emr: FakeEmr;
  let token: string;
  beforeEach(async () => {
    await clinic.close();
    const chart = { ...RECORD, cardProvince: '', cardNumber: '', providerId: '101' };
    emr = fakeEmr({ records: [{ ...chart, id: '12' as RecordId }] });
    const before = { ...emr };
    // As OSCAR's adapter: whoever is likely, and not said to be another, is left to staff.
    emr.createPatient = async (record, apartFrom = []) =>
      (await before.likelyCharts(record)).some(({ id }) => !apartFrom.includes(id))
        ? 'unclear'
        : before.createPatient(record);
    ({ clinic, casey, robin, cookie } = await deskClinic('receptionist', { patient: card, emr }));
    token = await signIn(clinic, casey);
  });
  const open = () =>
    ask(clinic, 'createDemographics', {
      token,
      body: { id: casey.id, familyDoc: '1998', hasFamilyDoc: true },
    });
  const unclear = async () =>
    (await askDesk(clinic, 'deskPatientsWaiting', { cookie, body: {} })).answer().extras.unclear;
  const decide = (chart: string | null, apartFrom: string[] = []) =>
    askDesk(clinic, 'deskDecideChart', {
      cookie,
      params: { id: casey.id },
      body: { chart, apartFrom },
    });

  test('waits at the desk, with both before who decides, and learns nothing of the chart', async () => {
    for (let again = 0; again < 2; again++) {
      const refused = await open();
      expect([refused.statusCode, refused.refusal().extras]).toEqual([
        409,
        {
          code: 'recordUnclear',
          message:
            'The clinic’s front desk looks at your account before you can book online. It has been told, and emails you as soon as you can. If it is urgent, please call the clinic.',
        },
      ]);
    }
    expect(await unclear()).toMatchObject([
      { patientId: casey.id, name: 'Morgan, Casey', why: 'alike' },
    ]);
    expect(await trail('record waits for staff')).toHaveLength(1);
    const params = { id: casey.id };
    const both = await askDesk(clinic, 'deskLikelyCharts', { cookie, params, body: {} });
    expect(both.answer().extras).toMatchObject({
      name: 'Morgan, Casey',
      birthDate: '1984-05-17',
      hasCard: true,
      account: { card: { province: 'BC', number: `*******${CARD.slice(-3)}` }, email: casey.email },
      present: null,
      ahead: [],
      why: 'alike',
      charts: [
        {
          chart: '12',
          name: 'Morgan, Casey',
          birthDate: '1984-05-17',
          hasCard: false,
          state: 'active',
          isOfAnother: false,
          card: null,
        },
      ],
    });
    expect(JSON.stringify(both.answer())).not.toContain(CARD);
    expect(await trail('charts in the EMR shown')).toMatchObject([
      { details: { found: [casey.recordId], charts: ['12'] } },
    ]);
  });

  test('has the chart that staff choose, and no other', async () => {
    await open();
    expect((await decide('13')).code()).toBe('noSuchChart');
    for (let again = 0; again < 2; again++) (await decide('12')).answer();
    expect(await unclear()).toEqual([]);
    const kept = await clinic.database.db.select().from(emrRecord);
    expect(kept).toMatchObject([{ recordId: casey.recordId, emrId: '12' }]);
    expect(await trail('record matched')).toMatchObject([{ actor: `staff:${robin.id}` }]);
    const other = await aPatient(clinic, { ...card, cardNumber: validBcNumber(99_101) });
    const params = { id: other.id };
    const body = { chart: '12', apartFrom: [] };
    expect((await askDesk(clinic, 'deskDecideChart', { cookie, params, body })).code()).toBe(
      'chartOfAnother',
    );
  });

  test('has no chart of somebody who was born on another day', async () => {
    await open();
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ birthDate: '1984-05-18' }),
    );
    expect((await decide('12')).code()).toBe('bornOtherwise');
    expect(await unclear()).toHaveLength(1);
  });

  test('has a new chart where none of those that staff were shown is theirs', async () => {
    await open();
    for (let again = 0; again < 2; again++) (await decide(null, ['12'])).answer();
    expect(await unclear()).toEqual([]);
    expect(await trail('records told apart')).toMatchObject([{ details: { inEmr: ['12'] } }]);
    expect((await open()).statusCode).toBe(200);
    expect(await emr.responsibleProvider(casey.recordId as RecordId)).toBe('1998');
  });

  test('waits while the EMR does not answer, and nothing is decided', async () => {
    await open();
    emr.faults.offline = true;
    expect((await decide('12')).code()).toBe('clinicUnreachable');
    expect(await unclear()).toHaveLength(1);
  });
});
