import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  testApp,
} from '../../../testing/index.ts';
import { insertRecord } from '../records/index.ts';
import type { RecordId } from '../records/emr.ts';
import { audit, patient } from '../../schema.ts';

let clinic: TestApp;
let casey: PatientRow;
let cookie: string;
let staffId: string;

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  casey = await aPatient(clinic, { firstName: 'Casey', lastName: 'Morgan' });
  const robin = await aStaffMember(clinic, 'receptionist');
  staffId = robin.id;
  cookie = await deskSession(clinic, robin);
});
afterEach(() => clinic.close());

const find = async (text: string) =>
  (await askDesk(clinic, 'deskFindPatients', { cookie, body: { text } })).answer().extras;
const named = async (text: string) => (await find(text)).patients.map(({ name }) => name);
const trail = (action: string) =>
  clinic.database.db.select().from(audit).where(eq(audit.action, action));

/** Somebody whom the clinic knows without an account. */
const aRecord = (over: { id: string; firstName: string; lastName: string; cardNumber?: string }) =>
  clinic.database.inTransaction((tx) =>
    insertRecord(tx, clinic.keyring, {
      birthDate: '1951-03-02',
      cardProvince: 'BC',
      cardNumber: '',
      providerId: '-1',
      ...over,
      id: over.id as RecordId,
    }),
  );

describe('Finding a patient (S-18)', () => {
  test('is by the beginnings of names, a birth date, the end of a phone number or a record', async () => {
    await aPatient(clinic, { firstName: 'Zoë', lastName: 'Morgan-Roy', birthDate: '1990-01-02' });
    expect(await find('mor cas')).toEqual({
      patients: [
        {
          patientId: casey.id,
          recordId: casey.recordId,
          name: 'Morgan, Casey',
          birthDate: casey.birthDate,
        },
      ],
      hasMore: false,
    });
    expect(await named('zoe roy')).toEqual(['Morgan-Roy, Zoë']);
    expect(await named('Morgan 1990-01-02')).toEqual(['Morgan-Roy, Zoë']);
    expect(await named(casey.recordId)).toEqual(['Morgan, Casey']);
    expect(await named(casey.phone.slice(-4))).toContain('Morgan, Casey');
    expect(await named('organ')).toEqual([]);
    expect(await named('m')).toEqual([]);
  });

  test('finds by card who has no account, and of a closed account the record', async () => {
    await aRecord({ id: 'P-1', firstName: 'Ida', lastName: 'Kern', cardNumber: '9123456782' });
    expect((await find('9123 456 782')).patients).toEqual([
      { patientId: null, recordId: 'P-1', name: 'Kern, Ida', birthDate: '1951-03-02' },
    ]);
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ closedAt: clinic.clock.now() }).where(eq(patient.id, casey.id)),
    );
    expect((await find('Morgan')).patients).not.toContainEqual(
      expect.objectContaining({ patientId: casey.id }),
    );
  });

  // Shows: S-18
  test('is one row of the trail, which says who was shown and not what was typed', async () => {
    await find('Morgan');
    expect(await trail('patients searched')).toMatchObject([
      { actor: `staff:${staffId}`, details: { found: [casey.recordId] } },
    ]);
  });
});
