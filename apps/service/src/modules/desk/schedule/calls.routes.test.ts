import { type CallOutcome, addDays, startOfDay, toInstant } from '@clinic/domain';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskSession } from '../../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../../../testing/index.ts';
import { closingCall, closingEntry, patient, recordMerge } from '../../../schema.ts';
import { retention } from '../../privacy/index.ts';
import { appointments } from '../../appointments/index.ts';
import { workOnClosing } from '../../closings/index.ts';
import { emrBook } from '../../emr/index.ts';
import { mergePatients, undoMerge } from '../../patients/index.ts';

const MONDAY = '2026-11-23';
let clinic: TestApp;
let robin: string;
let sam: string;
let cards = 88_000;

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  await clinic.app.stopJob('closings');
  robin = await deskSession(
    clinic,
    await aStaffMember(clinic, 'receptionist', { name: 'Robin Lee' }),
  );
  sam = await deskSession(clinic, await aStaffMember(clinic, 'receptionist', { name: 'Sam Hill' }));
});
afterEach(() => clinic.close());

/** The number of the record of somebody without an account. */
async function aRecord(firstName = 'Ola'): Promise<string> {
  cards += 1;
  const body = {
    requestId: crypto.randomUUID(),
    firstName,
    lastName: 'Berg',
    birthDate: addDays('1951-03-02', cards % 1_000),
    card: { province: 'BC', number: validBcNumber(cards) },
  };
  return (await askDesk(clinic, 'deskAddPatient', { cookie: robin, body })).answer().extras
    .recordId;
}
async function noteNumber(id: string, number: string) {
  const contact = { kind: 'home' as const, whose: '', preferred: true, mayLeaveMessage: true };
  const noted = await askDesk(clinic, 'deskNoteContact', {
    cookie: robin,
    params: { id, entryId: crypto.randomUUID() },
    body: { ...contact, number },
  });
  noted.answer();
}
const book = async (id: string, time: string, date = MONDAY) =>
  (
    await askDesk(clinic, 'deskBook', {
      cookie: robin,
      params: { id },
      body: { type: 'O', providerId: '101', start: toInstant(date, time) },
    })
  ).answer().extras.id;

/** Closes Monday, whose appointments are cancelled. */
async function closeMonday(works = true): Promise<string> {
  clinic.clock.advance(1);
  const body = {
    providerIds: ['101'],
    from: startOfDay(MONDAY),
    to: startOfDay(addDays(MONDAY, 1)),
  };
  const closed = await askDesk(clinic, 'deskCloseTime', { cookie: robin, body });
  const { id } = closed.answer().extras;
  if (works) await workOnClosing({ ...clinic.platform, appointments, emrBook });
  clinic.clock.advance(1);
  return id;
}
const entriesOf = async (id: string, cookie = robin) =>
  (await askDesk(clinic, 'deskClosing', { cookie, params: { id } })).answer().extras.entries;
const entryOf = async (id: string, appointmentId: string) =>
  (await entriesOf(id)).find((each) => each.appointmentId === appointmentId);
const note = (
  id: string,
  appointmentId: string,
  outcome: CallOutcome,
  { cookie = robin, callId = crypto.randomUUID() }: { cookie?: string; callId?: string } = {},
) =>
  askDesk(clinic, 'deskNoteCall', {
    cookie,
    params: { id, callId },
    body: { appointmentId, outcome },
  });
const takeBack = (id: string, callId: string, cookie = robin) =>
  askDesk(clinic, 'deskTakeBackCall', { cookie, params: { id, callId }, body: {} });

describe('Calling whom a closing has cancelled (R-124)', () => {
  // Shows: R-124
  test('keeps what came of each call, by whom and when, the newest first', async () => {
    const appointmentId = await book(await aRecord(), '11:00');
    const id = await closeMonday();
    (await note(id, appointmentId, 'noAnswer')).answer();
    clinic.clock.advance(60);
    (await note(id, appointmentId, 'reached', { cookie: sam })).answer();
    const now = clinic.clock.now();
    expect((await entryOf(id, appointmentId))?.calls).toMatchObject([
      { outcome: 'reached', by: 'Sam Hill', at: now, takenBack: null },
      { outcome: 'noAnswer', by: 'Robin Lee', at: now - 60, takenBack: null },
    ]);
    expect(await clinic.trail('closing call noted')).toMatchObject([
      { subject: `appointment:${appointmentId}`, details: { closing: id, outcome: 'noAnswer' } },
      { subject: `appointment:${appointmentId}`, details: { closing: id, outcome: 'reached' } },
    ]);
  });

  // Shows
  test('is noted once under its id, and never as another call', async () => {
    const [first, second] = [
      await book(await aRecord(), '11:00'),
      await book(await aRecord('Kim'), '11:30'),
    ];
    const id = await closeMonday();
    const callId = crypto.randomUUID();
    (await note(id, first, 'reached', { callId })).answer();
    (await note(id, first, 'reached', { callId })).answer();
    expect((await note(id, first, 'noAnswer', { callId })).code()).toBe('requestReused');
    expect((await note(id, second, 'reached', { callId })).code()).toBe('requestReused');
    expect(await clinic.database.db.select().from(closingCall)).toHaveLength(1);
    expect(await clinic.trail('closing call noted')).toHaveLength(1);
  });

  // Shows: R-124
  test('is taken back by a row of its own, once, and both stay known', async () => {
    const appointmentId = await book(await aRecord(), '11:00');
    const id = await closeMonday();
    const callId = crypto.randomUUID();
    (await note(id, appointmentId, 'reached', { callId })).answer();
    clinic.clock.advance(60);
    (await takeBack(id, callId, sam)).answer();
    (await takeBack(id, callId)).answer();
    const at = clinic.clock.now();
    expect((await entryOf(id, appointmentId))?.calls).toMatchObject([
      { id: callId, outcome: 'reached', by: 'Robin Lee', takenBack: { by: 'Sam Hill', at } },
    ]);
    expect(await clinic.database.db.select().from(closingCall)).toHaveLength(2);
    expect(await clinic.trail('closing call taken back')).toHaveLength(1);
    const [, back] = await clinic.database.db
      .select()
      .from(closingCall)
      .orderBy(closingCall.position);
    for (const [closing, call] of [
      [id, crypto.randomUUID()],
      [crypto.randomUUID(), callId],
      [id, back?.id ?? ''],
    ] as const)
      expect((await takeBack(closing, call)).code()).toBe('notFound');
  });

  test('is refused about what still stands, and about what the closing does not have', async () => {
    const appointmentId = await book(await aRecord(), '11:00');
    const other = await book(await aRecord('Kim'), '11:00', addDays(MONDAY, 1));
    const id = await closeMonday(false);
    for (const each of [appointmentId, other])
      expect((await note(id, each, 'reached')).code()).toBe('notFound');
    expect(await clinic.database.db.select().from(closingCall)).toEqual([]);
  });

  test('shows the numbers on the cards of 21 patients who have no account', async () => {
    const numbers: string[] = [];
    for (let at = 0; at < 21; at += 1) {
      const recordId = await aRecord();
      const number = `604555${String(1_000 + at)}`;
      numbers.push(`+1${number}`);
      await noteNumber(recordId, number);
      const minutes = at % 12;
      const hour = at < 12 ? '08' : '11';
      await book(recordId, `${hour}:${String(minutes * 5).padStart(2, '0')}`);
    }
    const id = await closeMonday();
    expect((await entriesOf(id)).map(({ email, phones }) => [email, phones])).toEqual(
      numbers.map((number) => ['call', [{ number, keptIn: ['card'] }]]),
    );
  });

  test('shows the record, the type and every number of each, once where card and account have it', async () => {
    const casey = await aPatient(clinic, { firstName: 'Casey' });
    const own = {
      mobilePhone: '6045550101',
      phone: '6045550102',
      internationalPhone: '4930123456',
    };
    await clinic.database.inTransaction((tx) => tx.update(patient).set(own));
    for (const number of ['604-555-0102', '604-555-0103']) await noteNumber(casey.id, number);
    await book(casey.id, '11:00');
    const id = await closeMonday();
    expect(await entriesOf(id)).toMatchObject([
      {
        recordId: casey.recordId,
        type: 'O',
        phones: [
          { number: '+16045550102', keptIn: ['card', 'account'] },
          { number: '+16045550103', keptIn: ['card'] },
          { number: '+16045550101', keptIn: ['account'] },
          { number: '+4930123456', keptIn: ['account'] },
        ],
      },
    ]);
  });
});

describe('Whoever was rebooked after a closing (R-124)', () => {
  const NEXT = addDays(MONDAY, 1);
  const rebookedIn = async (id: string) => (await entriesOf(id)).map(({ rebooked }) => rebooked);

  // Shows: R-124
  test('is told by their appointment itself: moved it is the newer, and cancelled there is none', async () => {
    const ola = await aRecord();
    await book(ola, '11:00');
    // What they had besides is nothing that they were rebooked to, and stays so when it is moved.
    const besides = await book(ola, '11:30', addDays(MONDAY, 5));
    const id = await closeMonday();
    const move = async (appointment: string, date: string) =>
      (
        await askDesk(clinic, 'deskMoveAppointment', {
          cookie: robin,
          params: { id: appointment },
          body: { providerId: '101', start: toInstant(date, '08:00') },
        })
      ).answer().extras.id;
    await move(besides, addDays(MONDAY, 6));
    expect(await rebookedIn(id)).toEqual([null]);
    const anew = await book(ola, '11:15', NEXT);
    expect(await rebookedIn(id)).toEqual([
      {
        appointmentId: anew,
        providerId: '101',
        description: expect.any(String) as string,
        start: toInstant(NEXT, '11:15'),
        isHeld: false,
      },
    ]);
    const moved = await move(await move(anew, addDays(MONDAY, 2)), addDays(MONDAY, 3));
    expect(await rebookedIn(id)).toMatchObject([{ appointmentId: moved }]);
    await askDesk(clinic, 'deskCancelAppointment', {
      cookie: robin,
      params: { id: moved },
      body: { wantedBy: 'patient' },
    });
    expect(await rebookedIn(id)).toEqual([null]);
  });

  test('of two appointments needs two', async () => {
    const ola = await aRecord();
    await book(ola, '11:00');
    const override = { overrideReason: 'clinician' };
    const twice = { type: 'O', providerId: '101', start: toInstant(MONDAY, '11:30'), ...override };
    (
      await askDesk(clinic, 'deskBook', { cookie: robin, params: { id: ola }, body: twice })
    ).answer();
    const id = await closeMonday();
    const first = await book(ola, '11:15', NEXT);
    expect(await rebookedIn(id)).toMatchObject([{ appointmentId: first }, null]);
    const second = await book(ola, '11:15', addDays(MONDAY, 2));
    expect(await rebookedIn(id)).toMatchObject([
      { appointmentId: first },
      { appointmentId: second },
    ]);
  });

  // Shows
  test('beyond a rule, for which the clinic is the reason, is on the trail with it', async () => {
    const ola = await aRecord();
    await book(ola, '11:00');
    await closeMonday();
    await book(ola, '11:15', NEXT);
    const start = toInstant(NEXT, '11:00');
    const again = (over = {}) =>
      askDesk(clinic, 'deskBook', {
        cookie: robin,
        params: { id: ola },
        body: { type: 'O', providerId: '101', start, ...over },
      });
    expect((await again()).code()).toBe('oneEachDay');
    (await again({ overrideReason: 'clinicMoved' })).answer();
    expect(await clinic.trail('rules overridden')).toMatchObject([
      { details: { rules: ['oneEachDay'], reason: 'clinicMoved' } },
    ]);
  });
});

describe('What is kept of calls (R-124)', () => {
  let casey: PatientRow;
  beforeEach(async () => {
    casey = await aPatient(clinic, { firstName: 'Casey' });
  });

  test('goes with the appointment to the record that stays after a merge, and back when that is undone', async () => {
    const [stays, goes] = [await aRecord(), await aRecord('Kim')];
    const appointmentId = await book(goes, '11:00');
    const id = await closeMonday();
    (await note(id, appointmentId, 'messageLeft')).answer();
    const who = { actor: 'clinic:operator', now: clinic.clock.now() };
    await mergePatients(clinic.platform, stays, goes, who);
    const calls = [{ outcome: 'messageLeft' }];
    expect(await entriesOf(id)).toMatchObject([{ recordId: stays, calls }]);
    const [merge] = await clinic.database.db.select().from(recordMerge);
    await undoMerge(clinic.platform, merge?.id ?? '', who);
    expect(await entriesOf(id)).toMatchObject([{ recordId: goes, calls }]);
  });

  test('stands in the patient’s copy of their data, with what the caller is and not who', async () => {
    const appointmentId = await book(casey.id, '11:00');
    const id = await closeMonday();
    (await note(id, appointmentId, 'reached')).answer();
    const token = await signIn(clinic, casey);
    const { rawPayload } = await ask(clinic, 'exportData', { token });
    const json = strFromU8(unzipSync(rawPayload)['my-data.json'] ?? new Uint8Array());
    expect(JSON.parse(json)).toMatchObject({
      appointments: [{ calls: [{ outcome: 'reached', by: 'receptionist' }] }],
    });
    expect(json).not.toContain('Robin');
  });

  test('is erased with the person', async () => {
    const [own, others] = [await book(casey.id, '11:00'), await book(await aRecord(), '11:30')];
    const id = await closeMonday();
    for (const each of [own, others]) (await note(id, each, 'reached')).answer();
    const now = clinic.clock.now() + 40 * 366 * 86_400;
    await retention(clinic.platform, { now, actor: 'clinic:operator', apply: true });
    expect(await clinic.database.db.select().from(closingCall)).toEqual([]);
    expect(await clinic.database.db.select().from(closingEntry)).toEqual([]);
  });
});
