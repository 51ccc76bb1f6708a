import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type PatientRow,
  type TestApp,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { pharmacyRows } from '@clinic/practice/clinic-rows.ts';
import { pharmacy } from './schema.ts';

let clinic: TestApp;
let patient: PatientRow;
let token: string;
beforeEach(async () => {
  clinic = await testApp();
  await clinic.database.inTransaction((tx) => tx.insert(pharmacy).values(pharmacyRows()));
  patient = await aPatient(clinic);
  token = await signIn(clinic, patient);
});
afterEach(() => clinic.close());

describe('GET /pharmacy/all (R-73)', () => {
  // Shows: 3.pharmacy.1, 7.pharmacy.1, R-73
  test('lists every pharmacy by name, for anybody', async () => {
    const list = (await ask(clinic, 'listPharmacies')).answer();
    expect(list).toHaveLength(30);
    const names = list.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(list.find(({ id }) => id === 'ph-01')).toEqual({
      id: 'ph-01',
      name: 'Harbour Light Pharmacy',
      address: { address: '118 Cordova Quay, Vancouver, BC V6B 1A1' },
      fax: '778-555-0100',
      phone1: '604-555-0100',
    });
  });

  // Shows: 7.pharmacy.1
  test('is not sent again to who has it, until it changes', async () => {
    const first = await clinic.app.inject('/api/pharmacy/all');
    const tag = String(first.headers.etag);
    expect(first.headers['cache-control']).toBe('no-cache');
    const askAgain = () =>
      clinic.app.inject({ url: '/api/pharmacy/all', headers: { 'if-none-match': `"x", ${tag}` } });
    const second = await askAgain();
    expect([second.statusCode, second.body, second.headers.etag]).toEqual([304, '', tag]);
    await clinic.database.inTransaction((tx) =>
      tx.insert(pharmacy).values({ id: 'new', name: 'New', address: '1 Way', fax: '', phone: '' }),
    );
    const third = await askAgain();
    expect([third.statusCode, third.json<unknown[]>().length]).toEqual([200, 31]);
    expect(third.headers.etag).not.toBe(tag);
  });

  test('has no tag when it is refused', async () => {
    const refused = await clinic.app.inject({ url: '/api/me', headers: { 'if-none-match': '*' } });
    expect([refused.headers.etag, refused.headers['cache-control']]).toEqual([
      undefined,
      'no-store',
    ]);
  });
});

describe('POST /pharmacy/addPreferredPharmacy (R-73)', () => {
  const prefer = (body: object) => ask(clinic, 'addPreferredPharmacy', { token, body });
  const preferred = async () => (await ask(clinic, 'getMe', { token })).answer().preferredPharmacy;

  // Shows: 7.pharmacy.2, R-73
  test('makes it the preferred one, by its id or as the list gives it', async () => {
    const demographicNo = patient.recordId;
    expect(await preferred()).toBeNull();
    const byId = await prefer({ demographicNo, pharmacy: 'ph-07' });
    expect(byId.answer().extras.payload.name).toBe('Commercial Lane Drugs');
    expect(await preferred()).toBe('ph-07');
    const [listed] = (await ask(clinic, 'listPharmacies')).answer();
    expect((await prefer({ demographicNo, pharmacy: listed })).statusCode).toBe(200);
    expect(await preferred()).toBe(listed?.id);
    const trail = await clinic.trail();
    expect(trail.at(-1)?.action).toBe('preferred pharmacy chosen');
  });

  // Shows: 7.pharmacy.2
  test("of another's number, and an unknown pharmacy, are the same 404 (R-7)", async () => {
    const other = await aPatient(clinic);
    const foreign = await prefer({ demographicNo: other.recordId, pharmacy: 'ph-07' });
    const unknown = await prefer({ demographicNo: patient.recordId, pharmacy: 'ph-99' });
    expect([foreign.statusCode, unknown.statusCode]).toEqual([404, 404]);
    expect(foreign.body).toBe(unknown.body);
    expect(await preferred()).toBeNull();
  });
});
