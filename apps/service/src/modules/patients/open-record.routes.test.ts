import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOW } from '@clinic/domain/testing';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { patient, patientRecord } from '../../schema.ts';
import type { Emr, NewChart, RecordId } from '../records/emr.ts';
import { changePatient } from './administration.ts';
import { patientsByName } from '../accounts/store.ts';

let clinic: TestApp;
let tess: PatientRow;
let token: string;
const card = { cardNumber: '9876543218', birthDate: '1984-05-17' };
beforeEach(() => openClinic());
async function openClinic(emr: Emr | null = null) {
  clinic = await testApp({ emr });
  await aClinic(clinic);
  tess = await aPatient(clinic, { ...card, primaryDoctor: false });
  token = await signIn(clinic, tess);
}
afterEach(() => clinic.close());

const open = (over: object = {}) =>
  ask(clinic, 'createDemographics', {
    token,
    body: { id: tess.id, familyDoc: '1998', hasFamilyDoc: true, ...over },
  });
const records = () => clinic.database.db.select().from(patientRecord);
const find = async () =>
  (
    await ask(clinic, 'findDemographics', {
      token,
      headers: {
        id: tess.id,
        hin: card.cardNumber,
        province: 'BC',
        year: '1984',
        month: '5',
        day: '17',
      },
    })
  ).answer().extras.code;

describe('POST /demographics/create (R-36)', () => {
  // Shows: 7.demographics.2, 9.family-doctor.1, R-36
  test.each([
    [true, '1998'],
    [false, '1999'],
  ])('after the answer %s opens a chart with the id %s', async (hasFamilyDoc, providerId) => {
    expect(await find()).toBe('noEntryFound');
    expect((await open({ familyDoc: providerId, hasFamilyDoc })).answer()).toEqual({
      success: true,
    });
    expect(await find()).toBe('entryFound');
    const [record, ...more] = await records();
    expect([record?.id, record?.providerId, more]).toEqual([tess.recordId, providerId, []]);
    expect(Buffer.from(record?.cardSealed ?? []).toString('latin1')).not.toContain('9876543218');
    const me = (await ask(clinic, 'getMe', { token })).answer();
    expect(me.familyDoc).toBe(hasFamilyDoc);
    expect((await ask(clinic, 'checkNoPcp', { token })).answer().noPCP).toBe(!hasFamilyDoc);
  });

  test('is audited without a name, and says which id the client got wrong (R-8)', async () => {
    await open({ familyDoc: 1999, id: tess.recordId });
    expect((await clinic.trail()).at(-1)).toMatchObject({
      action: 'record opened',
      subject: `record:${tess.recordId}`,
      details: { familyDoctor: true, ignored: ['familyDoc'] },
    });
    expect((await records())[0]?.providerId).toBe('1998');
  });

  // Shows: 7.demographics.2
  test('asked for again leaves the chart as it was', async () => {
    await open();
    expect((await open({ hasFamilyDoc: false, familyDoc: null })).statusCode).toBe(200);
    expect(await records()).toMatchObject([{ providerId: '1998' }]);
    expect((await clinic.trail()).filter(({ action }) => action === 'record opened')).toHaveLength(
      1,
    );
  });

  test('twice at once opens one', async () => {
    const answers = await Promise.all([open(), open()]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await records()).toHaveLength(1);
    expect((await clinic.trail()).filter(({ action }) => action === 'record opened')).toHaveLength(
      1,
    );
  });

  // Shows: 7.demographics.2
  test("for another's id and for nobody's is the same 403 (R-7)", async () => {
    const other = await aPatient(clinic, { primaryDoctor: false });
    const foreign = await open({ id: other.id });
    const unknown = await open({ id: 'nobody' });
    expect([foreign.statusCode, foreign.refusal().extras.code]).toEqual([403, 'notYourData']);
    expect(foreign.body).toBe(unknown.body);
    expect(await records()).toEqual([]);
  });

  test('without the answer to the question is a 422', async () => {
    expect((await open({ hasFamilyDoc: null })).statusCode).toBe(422);
  });

  test('where the clinic has an EMR opens it there, and answers from there', async () => {
    const emr = fakeEmr();
    await clinic.close();
    await openClinic(emr);
    expect(await find()).toBe('noEntryFound');
    expect((await open()).statusCode).toBe(200);
    expect(await find()).toBe('entryFound');
    expect(await emr.responsibleProvider(tess.recordId as RecordId)).toBe('1998');
    expect(await records()).toEqual([]);
    expect((await clinic.trail()).filter(({ action }) => action === 'record opened')).toHaveLength(
      1,
    );
  });

  test('where the clinic has an EMR writes what the patient said of themselves', async () => {
    const emr = fakeEmr();
    await clinic.close();
    await openClinic(emr);
    const said = {
      sex: 'Female',
      address: '2130 West 41st Avenue',
      city: 'Vancouver',
      province: 'BC',
      postal: 'V6M 1Z1',
    };
    await clinic.database.db.update(patient).set({
      ...said,
      phone: '6045550142',
      mobilePhone: '',
      internationalPhone: '442079460018',
      internationalPhoneE164: '+442079460018',
    });
    const asked: NewChart[] = [];
    emr.createPatient = async (record) => {
      asked.push(record);
      return 'created';
    };
    await open();
    expect(asked.map(({ contact }) => contact)).toEqual([
      {
        ...said,
        phone: '604-555-0142',
        mobilePhone: '',
        internationalPhone: '+442079460018',
        email: tess.email,
      },
    ]);
  });

  test('where only staff can tell who it is in the EMR opens none, and says to call', async () => {
    const emr = fakeEmr();
    await clinic.close();
    await openClinic(emr);
    emr.createPatient = async () => 'unclear';
    const refused = await open();
    expect([refused.statusCode, refused.refusal().extras.code]).toEqual([409, 'recordUnclear']);
    expect((await clinic.trail()).filter(({ action }) => action === 'record opened')).toEqual([]);
  });

  test('where the EMR has the card is not open until it is the patient’s own there', async () => {
    const { firstName, lastName } = tess;
    const before = { id: 'e7' as RecordId, firstName, lastName, providerId: '101' };
    const emr = fakeEmr({
      records: [{ ...before, ...card, cardProvince: 'BC' }],
    });
    await clinic.close();
    await openClinic(emr);
    expect(await find()).toBe('noEntryFound');
    await open();
    expect(await find()).toBe('entryFound');
  });

  test('where the clinic has an EMR names the doctor that it has, who is changed there alone', async () => {
    const emr = fakeEmr();
    await clinic.close();
    await openClinic(emr);
    await open();
    emr.responsibleProvider = async () => '101';
    const asked = { token, params: { demographicNo: tess.recordId } };
    const { demographic, provider } = (await ask(clinic, 'getPatientRecord', asked)).answer();
    expect([demographic.providerNo, provider.enabled]).toEqual(['101', true]);
    const desk = { actor: 'clinic:desk', now: NOW };
    const everybody = { text: null, blocked: false, bounced: false, limit: 1 };
    const [found] = await patientsByName(clinic.database.db, everybody);
    if (!found) throw new Error('There is a patient');
    const change = changePatient(clinic.platform, found, { providerId: null }, desk);
    expect(await change).toMatchObject({ code: 'changedInEmr' });
  });

  test('while the records are offline is a 503, and nothing is written', async () => {
    const emr = fakeEmr();
    await clinic.close();
    await openClinic(emr);
    emr.faults.offline = true;
    const refused = await open();
    expect([refused.statusCode, refused.refusal().extras.code]).toEqual([503, 'clinicUnreachable']);
    expect((await ask(clinic, 'getMe', { token })).answer().familyDoc).toBe(false);
  });
});
