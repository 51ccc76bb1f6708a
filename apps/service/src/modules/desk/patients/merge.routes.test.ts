import { toInstant } from '@clinic/domain';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { eq } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SomeStaff, askDesk, deskClinic, deskSession } from '../../../../testing/desk.ts';
import { type PatientRow, type TestApp, aPatient, ask, signIn } from '../../../../testing/index.ts';
import { whoIsTold } from '../../../../testing/live-socket.ts';
import { violations } from '../../../database/invariants.store.ts';
import { appointment, patient, patientRecord } from '../../../schema.ts';
import { looksAt } from '../../../security/audit.store.ts';
import type { Work } from '../../../database/db.ts';
import { mergePatients } from '../../patients/index.ts';
import { UNDO_FOR, findRecord } from '../../records/index.ts';

const MONDAY = '2026-11-23';
const CARD = validBcNumber(99_000);
const LOOK = { lookReason: 'patientCalled' } as const;
let clinic: TestApp;
let casey: PatientRow;
let cookie: string;
let robin: SomeStaff;
/** Whose open pages were told of a change since it was asked last. */
let told: () => Promise<string[]>;

beforeEach(async () => {
  ({ clinic, casey, robin, cookie } = await deskClinic('manager'));
  told = await whoIsTold(clinic.database);
});
afterEach(() => clinic.close());

async function aRecord(over: object = {}): Promise<string> {
  const who = { firstName: 'Cass', lastName: 'Morgan', birthDate: '1984-05-17' };
  const person = { ...who, ...over };
  const look = await askDesk(clinic, 'deskLikelyPatients', { cookie, body: person });
  const apartFrom = look.answer().extras.patients.map(({ recordId }) => recordId);
  const body = { requestId: crypto.randomUUID(), ...person, apartFrom };
  return (await askDesk(clinic, 'deskAddPatient', { cookie, body })).answer().extras.recordId;
}
const withCard = { card: { province: 'BC', number: CARD } };
const book = async (id: string, time: string, date = MONDAY, headers = {}) => {
  const place = { providerId: '101', start: toInstant(date, time), overrideReason: 'other' };
  const asked = { cookie, params: { id }, headers, body: { type: 'O', ...place } };
  return (await askDesk(clinic, 'deskBook', asked)).answer().extras.id;
};
const foresee = (id: string, other: string) =>
  askDesk(clinic, 'deskForeseeMerge', { cookie, params: { id }, body: { other } });
const merge = (id: string, other: string) =>
  askDesk(clinic, 'deskMergePatients', { cookie, params: { id }, body: { other } });
const merged = async (id: string, other: string) =>
  (await merge(id, other)).answer().extras.recordId;
const undo = (id: string) => askDesk(clinic, 'deskUndoMerge', { cookie, params: { id } });
const opened = async (id: string) =>
  (await askDesk(clinic, 'deskOpenPatient', { cookie, params: { id }, body: LOOK })).answer()
    .extras;
const found = async (text: string) =>
  (await askDesk(clinic, 'deskFindPatients', { cookie, body: { text } }))
    .answer()
    .extras.patients.map(({ recordId }) => recordId);
const rows = async () =>
  (await clinic.database.db.select().from(appointment).orderBy(appointment.start)).map(
    ({ id, patientId, recordId, onceADay, beyondLimits }) => ({
      id,
      patientId,
      recordId,
      onceADay,
      beyondLimits,
    }),
  );
const own = async () => {
  const token = await signIn(clinic, casey);
  return (await ask(clinic, 'listAppointments', { token })).answer().appointments;
};
const broken = () => violations(clinic.database.db, clinic.clock.now());

describe('Merging two records of one person (S-18)', () => {
  // Shows: S-18
  test('is foreseen without a change: the one with an account stays', async () => {
    const cass = await aRecord(withCard);
    await book(cass, '11:00');
    const before = await rows();
    const { kept, gone } = (await foresee(cass, casey.recordId)).answer().extras;
    expect(kept).toMatchObject({ recordId: casey.recordId, hasAccount: true, appointments: 0 });
    expect(gone).toMatchObject({
      recordId: cass,
      name: 'Cass Morgan',
      hasCard: true,
      hasAccount: false,
      appointments: 1,
      upcoming: 1,
    });
    expect(await rows()).toEqual(before);
    expect(await clinic.trail('merge of records foreseen')).toMatchObject([
      { actor: `staff:${robin.id}`, details: { found: [casey.recordId, cass] } },
    ]);
    // A patient finds in a copy of their data that staff looked at them.
    const whose = { patientId: casey.id, recordIds: [casey.recordId], things: [] };
    expect(await looksAt(clinic.database.db, whose)).toMatchObject([
      { action: 'likely patients shown' },
      { action: 'merge of records foreseen' },
    ]);
  });

  // Shows: S-18
  test('gives the account all that the other has, however often it is asked', async () => {
    const cass = await aRecord(withCard);
    const ids = [await book(cass, '11:00'), await book(cass, '11:00', '2026-11-24')];
    ids.push(await book(casey.id, '11:30'), await book(casey.id, '11:30', '2026-11-24'));
    await told();
    expect(await merged(cass, casey.recordId)).toBe(casey.recordId);
    expect(await merged(cass, casey.recordId)).toBe(casey.recordId);
    expect(await merged(casey.recordId, cass)).toBe(casey.recordId);
    expect((await own()).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(await told()).toContain(`${casey.id} appointments`);
    expect(await broken()).toEqual([]);
    expect(await clinic.trail('records merged')).toMatchObject([
      {
        actor: `staff:${robin.id}`,
        subject: `record:${casey.recordId}`,
        details: { record: cass, appointments: 2 },
      },
    ]);
    // By its number and by its card the one that stays is found, and opened.
    expect(await found('Morgan')).toEqual([casey.recordId]);
    expect(await found(cass)).toEqual([casey.recordId]);
    expect(await found(CARD)).toEqual([casey.recordId]);
    expect((await opened(cass)).merges).toMatchObject([{ recordId: cass, name: 'Cass Morgan' }]);
    const card = { cardProvince: 'BC', cardNumber: CARD, birthDate: '1984-05-17' };
    expect(await findRecord(clinic.platform, card)).toMatchObject({
      kind: 'one',
      record: { id: casey.recordId },
    });
    expect((await book(cass, '11:00', '2026-11-25')).length).toBeGreaterThan(0);
    expect((await own()).length).toBe(5);
  });

  // Shows: S-18
  test('is undone within 30 days, with what was moved since', async () => {
    const cass = await aRecord(withCard);
    const first = await book(cass, '11:00');
    const second = await book(cass, '11:00', '2026-11-24');
    const ofCasey = await book(casey.id, '11:30');
    const before = await rows();
    await merged(casey.recordId, cass);
    const start = toInstant('2026-11-24', '11:30');
    const asked = { params: { id: second }, body: { providerId: '101', start } };
    const moved = await askDesk(clinic, 'deskMoveAppointment', { cookie, ...asked });
    const { id: later } = moved.answer().extras;
    const [standing] = (await opened(casey.recordId)).merges;
    const id = standing?.id ?? '';
    await told();
    expect(standing?.undoUntil).toBe(clinic.clock.now() + UNDO_FOR);
    expect((await undo(id)).answer().extras).toEqual({ recordId: cass });
    expect((await undo(id)).answer().extras).toEqual({ recordId: cass });
    expect(await told()).toContain(`${casey.id} appointments`);
    const after = await rows();
    expect(after.filter((row) => row.id !== later)).toEqual(before);
    expect(after.find((row) => row.id === later)).toMatchObject({
      recordId: cass,
      patientId: null,
    });
    expect((await opened(cass)).recordId).toBe(cass);
    expect((await own()).map((each) => each.id)).toEqual([ofCasey]);
    expect((await opened(cass)).appointments.map((each) => each.id)).toContain(first);
    expect(await clinic.trail('merge of records undone')).toHaveLength(1);
  });

  test('is not undone after 30 days, nor while the one that stays is merged itself', async () => {
    const [one, two, three] = [await aRecord(), await aRecord(), await aRecord()];
    expect(await merged(two, one)).toBe(two);
    const early = (await opened(two)).merges[0]?.id ?? '';
    expect(await merged(three, two)).toBe(three);
    expect((await opened(one)).recordId).toBe(three);
    expect((await undo(early)).code()).toBe('mergeOver');
    const late = (await opened(three)).merges[0]?.id ?? '';
    (await undo(late)).answer();
    expect((await opened(one)).recordId).toBe(two);
    clinic.clock.advance(UNDO_FOR);
    cookie = await deskSession(clinic, robin);
    expect((await opened(two)).merges).toEqual([]);
    expect((await undo(early)).code()).toBe('mergeOver');
  });

  test('is undone with all that had come before it, however many went into each other', async () => {
    // Each with a card: of two without an account the one with a card stays.
    const record = (at: number) => aRecord({ card: { province: 'BC', number: validBcNumber(at) } });
    const [one, two] = [await aRecord(withCard), await record(99_001)];
    const [three, four] = [await record(99_002), await record(99_003)];
    for (const [kept, gone] of [
      [two, one],
      [three, two],
      [four, three],
    ] as const)
      expect(await merged(kept, gone)).toBe(kept);
    const id = (await opened(four)).merges[0]?.id ?? '';
    (await undo(id)).answer();
    const card = { cardProvince: 'BC', cardNumber: CARD, birthDate: '1984-05-17' };
    expect(await findRecord(clinic.platform, card)).toMatchObject({ record: { id: three } });
    expect((await opened(one)).recordId).toBe(three);
    expect((await opened(two)).recordId).toBe(three);
  });

  test('stands on the trail of both, also once it is undone', async () => {
    const cass = await aRecord();
    await merged(casey.recordId, cass);
    (await undo((await opened(casey.recordId)).merges[0]?.id ?? '')).answer();
    for (const body of [{ recordId: cass }, { patientId: casey.id }]) {
      const asked = await askDesk(clinic, 'deskAuditTrail', { cookie, body });
      expect(asked.answer().extras.entries.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['records merged', 'merge of records undone']),
      );
    }
  });

  // Shows: S-18
  test('brings with it what was looked at of the other before, on the trail and in a copy of the data, until it is undone', async () => {
    const cass = await aRecord();
    expect(await found(cass)).toEqual([cass]);
    await opened(cass);
    const body = { patientId: casey.id };
    const looks = async () => {
      const token = await signIn(clinic, casey);
      const archive = unzipSync((await ask(clinic, 'exportData', { token })).rawPayload);
      const copy = JSON.parse(strFromU8(archive['my-data.json'] ?? new Uint8Array())) as {
        readonly looksByStaff: readonly { readonly what: string }[];
      };
      const { extras } = (await askDesk(clinic, 'deskAuditTrail', { cookie, body })).answer();
      return [
        copy.looksByStaff.map(({ what }) => what),
        extras.entries.map(({ action }) => action),
      ];
    };
    const ofOther = ['patients searched', 'patient opened'];
    await merged(casey.recordId, cass);
    for (const each of await looks()) expect(each).toEqual(expect.arrayContaining(ofOther));
    (await undo((await opened(casey.recordId)).merges[0]?.id ?? '')).answer();
    for (const each of await looks()) expect(each).not.toContain('patients searched');
  });

  test('is refused where the one that stays has gone itself, and ends no invitation', async () => {
    const [kept, gone, third] = [await aRecord(), await aRecord(), await aRecord()];
    const body = { email: 'cass@test.example' };
    (await askDesk(clinic, 'deskInvitePatient', { cookie, params: { id: gone }, body })).answer();
    const { database } = clinic;
    const overtaken = {
      ...database,
      async inTransaction<T>(work: Work<T>) {
        await merged(third, kept);
        return database.inTransaction(work);
      },
    };
    const who = { actor: 'staff:robin', now: clinic.clock.now() };
    const asked = mergePatients({ ...clinic.platform, database: overtaken }, kept, gone, who);
    expect(await asked).toMatchObject({ code: 'changedMeanwhile' });
    expect((await opened(gone)).link?.email).toBe('cass@test.example');
  });

  test('takes what was booked for both under one key', async () => {
    const cass = await aRecord();
    const headers = { 'idempotency-key': 'of-one-form' };
    await book(cass, '11:00', MONDAY, headers);
    await book(casey.id, '11:30', MONDAY, headers);
    expect(await merged(cass, casey.recordId)).toBe(casey.recordId);
    expect(await own()).toHaveLength(2);
  });

  test('leaves the number of the one that went a way to book for the one that stays', async () => {
    const [kept, gone] = [await aRecord(), await aRecord()];
    await merged(kept, gone);
    const id = await book(gone, '11:00');
    expect(await rows()).toMatchObject([{ id, recordId: kept }]);
  });

  // Shows: S-18
  test('is refused of two accounts, also of a closed one, of one record, and with an EMR', async () => {
    const other = await aPatient(clinic);
    expect((await merge(casey.recordId, other.recordId)).code()).toBe('bothHaveAccounts');
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ closedAt: clinic.clock.now() }).where(eq(patient.id, other.id)),
    );
    expect((await foresee(casey.recordId, other.recordId)).code()).toBe('bothHaveAccounts');
    expect((await merge(casey.recordId, casey.id)).code()).toBe('sameRecord');
    expect((await merge(casey.recordId, 'W000')).statusCode).toBe(404);
    const cass = await aRecord();
    clinic = await clinic.again({ emr: fakeEmr() });
    expect((await merge(casey.recordId, cass)).code()).toBe('changedInEmr');
  });

  test('into an account whose record no form has opened yet', async () => {
    const cass = await aRecord();
    await clinic.database.db.delete(patientRecord).where(eq(patientRecord.id, casey.recordId));
    expect(await merged(cass, casey.recordId)).toBe(casey.recordId);
  });

  test('of two without an account, the one with a card stays: it guards the invitation', async () => {
    const [plain, carded] = [await aRecord(), await aRecord(withCard)];
    expect(await merged(plain, carded)).toBe(carded);
    expect(await merged(plain, carded)).toBe(carded);
  });

  test('at the same moment, both ways round, is one', async () => {
    const [one, two] = [await aRecord(), await aRecord()];
    await book(one, '11:00');
    await book(two, '11:30');
    const both = await Promise.all([merge(one, two), merge(two, one)]);
    for (const each of both)
      if (each.statusCode !== 200) expect(each.code()).toBe('changedMeanwhile');
    const kept = new Set((await rows()).map(({ recordId }) => recordId));
    expect(kept.size).toBe(1);
    const records = await clinic.database.db.select().from(patientRecord);
    expect(records.filter(({ mergedInto }) => mergedInto !== null)).toHaveLength(1);
  });
});
