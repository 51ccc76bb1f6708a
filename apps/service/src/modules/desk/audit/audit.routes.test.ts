import { parse } from 'csv-parse/sync';
import { desc } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOW } from '@clinic/domain/testing';
import { toClinic } from '@clinic/domain';
import {
  type SomeStaff,
  aStaffMember,
  askDesk,
  deskClinic,
  deskSession,
} from '../../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  aPatient,
  ask,
  signIn,
  unlimitedRates,
} from '../../../../testing/index.ts';
import { audit } from '../../../schema.ts';
import { RECENT_FACTOR } from '../../staff/authorize-staff.ts';

let clinic: TestApp;
let casey: PatientRow;
let robin: SomeStaff;
let cookie: string;
let avery: string;
let manager: string;

beforeEach(async () => {
  const config = { rates: unlimitedRates() };
  ({ clinic, casey, robin, cookie } = await deskClinic('receptionist', { config }));
  const auditor = await aStaffMember(clinic, 'auditor', { name: 'Avery Quinn' });
  avery = await deskSession(clinic, auditor);
  manager = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
});
afterEach(() => clinic.close());

const asked = (body: object = {}, headers = {}) =>
  askDesk(clinic, 'deskAuditTrail', { cookie: avery, body, headers });
const trail = async (body: object = {}, headers = {}) =>
  (await asked(body, headers)).answer().extras;
const actions = async (body: object = {}) =>
  (await trail(body)).entries.map(({ action }) => action);
const write = async (patient: PatientRow, message = 'My knee') => {
  const token = await signIn(clinic, patient);
  const sent = await ask(clinic, 'startMessage', { token, body: { message } });
  return sent.answer().extras.message.id;
};
const day = (date: string) =>
  askDesk(clinic, 'deskDay', { cookie, params: { date } }).then((response) => response.answer());

describe('The audit trail at the front desk (S-14, S-18)', () => {
  // Shows: S-14, S-18
  test('names who did what to whom, the newest first, and the look itself is on it', async () => {
    const id = await write(casey);
    clinic.clock.advance(1);
    await askDesk(clinic, 'deskOpenMessage', { cookie, params: { id } });
    const { entries } = await trail();
    expect(entries.slice(0, 2)).toMatchObject([
      {
        actor: { kind: 'staff', name: 'Robin Lee' },
        action: 'message read',
        subject: { kind: 'message', id, name: 'Morgan, Casey' },
        details: [{ name: 'found', value: 'Morgan, Casey' }, { name: 'session' }],
      },
      { actor: { kind: 'patient', name: 'Morgan, Casey' }, action: 'message started' },
    ]);
    clinic.clock.advance(1);
    const again = await trail();
    expect(again.entries[0]).toMatchObject({
      actor: { name: 'Avery Quinn' },
      action: 'audit trail shown',
    });
    // Whatever is said of who asks: no page of ours asks for the trail by itself.
    await trail({}, { 'x-background': '1' });
    expect(await actions()).toHaveLength(again.entries.length + 2);
  });

  // Shows: S-18
  test('by patient has what they did, what was done, and who looked, and nothing of others', async () => {
    const other = await aPatient(clinic, { firstName: 'Zoë', lastName: 'Roy' });
    await write(other);
    const id = await write(casey);
    await askDesk(clinic, 'deskOpenMessage', { cookie, params: { id } });
    await askDesk(clinic, 'deskFindPatients', { cookie, body: { text: 'Morgan' } });
    await askDesk(clinic, 'deskInbox', { cookie });
    await askDesk(clinic, 'deskBookingOptions', { cookie, params: { id: casey.id } });
    await day('2026-11-21');
    expect((await actions({ patientId: casey.id })).toSorted()).toEqual([
      'booking begun at the desk',
      'message read',
      'message started',
      'messages shown',
      'patients searched',
    ]);
    const ofOther = (await trail({ patientId: other.id })).entries;
    expect(ofOther.map(({ action }) => action).toSorted()).toEqual([
      'message started',
      'messages shown',
    ]);
    expect(JSON.stringify(ofOther)).not.toContain('Morgan');
    expect((await asked({ patientId: crypto.randomUUID() })).statusCode).toBe(404);
  });

  test('by colleague and by day', async () => {
    await day('2026-11-21');
    const kim = await aStaffMember(clinic, 'receptionist', { name: 'Kim Park' });
    const theirs = await deskSession(clinic, kim);
    await askDesk(clinic, 'deskFindPatients', { cookie: theirs, body: { text: 'Morgan' } });
    expect(await actions({ staffId: robin.id })).toEqual(['day sheet shown']);
    expect(await actions({ staffId: kim.id })).toEqual(['patients searched']);
    const today = toClinic(NOW).date;
    expect(await actions({ staffId: kim.id, from: today, to: today })).toHaveLength(1);
    expect(await actions({ staffId: kim.id, to: '2026-11-20' })).toEqual([]);
    expect(await actions({ staffId: kim.id, from: '2026-11-22' })).toEqual([]);
    const { staff } = (await askDesk(clinic, 'deskAuditStaff', { cookie: avery })).answer().extras;
    expect(staff.map(({ name }) => name)).toContain('Kim Park');
  });

  // Shows: S-18
  test('goes on where a page ended, whatever is added meanwhile', async () => {
    for (let n = 0; n < 60; n++) await day('2026-11-21');
    const first = await trail({ staffId: robin.id });
    expect(first.entries).toHaveLength(50);
    await day('2026-11-22');
    const second = await trail({ staffId: robin.id, after: first.next ?? '' });
    expect(second.entries).toHaveLength(10);
    expect(second.next).toBeNull();
    const ids = [...first.entries, ...second.entries].map(({ id }) => id);
    expect(new Set(ids).size).toBe(60);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect((await asked({ after: 'nowhere' })).code()).toBe('invalidInput');
    expect((await asked({ to: '9999-12-31' })).code()).toBe('invalidInput');
  });

  // Shows: S-17, S-18
  test('is taken as a CSV file by a manager with a code of the last minutes, and that is on it', async () => {
    await clinic.database.inTransaction((tx) =>
      clinic.platform.appendAudit(tx, {
        actor: 'clinic:=cmd',
        action: 'command run',
        subject: 'command:x',
        at: NOW,
      }),
    );
    const take = (as = manager) =>
      askDesk(clinic, 'deskExportAudit', { cookie: as, body: { from: '2026-11-21' } });
    expect((await take(avery)).code()).toBe('notAllowed');
    const { name, csv } = (await take()).answer().extras;
    expect(name).toBe('audit-trail-2026-11-21.csv');
    const [header, row] = parse(csv, { bom: true });
    expect(header?.slice(0, 6)).toEqual([
      'time',
      'clinic time',
      'actor',
      'actor id',
      'actor name',
      'action',
    ]);
    expect(row?.[3]).toBe("'=cmd");
    const [last] = await clinic.database.db.select().from(audit).orderBy(desc(audit.id)).limit(1);
    expect(last).toMatchObject({
      action: 'audit trail exported',
      details: { from: '2026-11-21', rows: 1 },
    });
    clinic.clock.advance(RECENT_FACTOR);
    expect((await take()).code()).toBe('factorNeeded');
  });
});
