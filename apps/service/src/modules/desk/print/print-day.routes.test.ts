import { toInstant } from '@clinic/domain';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { aStaffMember, askDesk, deskClinic, deskSession } from '../../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  type TestAppOptions,
  aPatient,
  aProvider,
  ask,
  datesFromToday,
  scheduleFor,
  signIn,
} from '../../../../testing/index.ts';
import { appointment, busySpan } from '../../../schema.ts';

const TODAY = '2026-11-21';
let clinic: TestApp;
let casey: PatientRow;
let cookie: string;

async function open(over: TestAppOptions = {}) {
  ({ clinic, casey, cookie } = await deskClinic('receptionist', over));
  await aProvider(clinic, { id: '102', firstName: 'Noah', lastName: 'Reyes' });
  await scheduleFor(clinic, '102', datesFromToday(10), { O: ['10:00-11:00'] });
}
beforeEach(() => open());
afterEach(() => clinic.close());

const print = (date = TODAY, who = cookie, body = {}) =>
  askDesk(clinic, 'deskPrintDay', { cookie: who, params: { date }, body });
const printed = async (date = TODAY, who = cookie) =>
  (await print(date, who)).answer().extras.providers;
const trail = async () =>
  (await clinic.trail('day sheet printed')).map(({ subject, details }) => ({ subject, details }));

async function booked(date = TODAY, time = '11:00', doctor = '101', patient = casey) {
  const start = toInstant(date, time);
  const token = await signIn(clinic, patient);
  const body = { start, end: start + 300, doctor, selectedType: 'O', reason: 'A cough' };
  (await ask(clinic, 'createBooking', { token, body })).answer();
  const [row] = await clinic.database.db
    .select()
    .from(appointment)
    .where(and(eq(appointment.start, start), eq(appointment.state, 'booked')));
  return row?.id ?? '';
}

describe('A day on paper (S-18)', () => {
  // Shows: S-18
  test('says of each appointment who comes, how to reach them, why, the fee and the alerts', async () => {
    const id = await booked();
    const params = { id: casey.id };
    const note = (body: object) =>
      askDesk(clinic, 'deskNoteOnCard', {
        cookie,
        params: { ...params, entryId: crypto.randomUUID() },
        body,
      });
    (await note({ kind: 'alert', text: 'Deaf in the left ear.' })).answer();
    (await note({ kind: 'note', text: 'Likes mornings.' })).answer();
    const contact = { kind: 'home', whose: 'Pat', preferred: true, mayLeaveMessage: false };
    (
      await askDesk(clinic, 'deskNoteContact', {
        cookie,
        params: { ...params, entryId: crypto.randomUUID() },
        body: { ...contact, number: '604-555-0177' },
      })
    ).answer();
    expect(await printed()).toEqual([
      {
        id: '101',
        name: 'Dr. A. Stone',
        busy: [],
        appointments: [
          {
            id,
            start: toInstant(TODAY, '11:00'),
            end: toInstant(TODAY, '11:05'),
            description: 'In-person visit',
            patient: 'Morgan, Casey',
            age: 42,
            phones: ['+16045550177', '+16045550100'],
            reason: 'A cough',
            attendance: 'expected',
            fee: 'none',
            feeCents: 0,
            linkUntil: null,
            isFirst: true,
            alerts: ['Deaf in the left ear.'],
          },
        ],
      },
    ]);
  });

  // Shows: S-18
  test('is one row of the trail, which names whom it showed', async () => {
    await booked();
    const other = await aPatient(clinic);
    await booked(TODAY, '10:30', '102', other);
    await printed();
    expect(await trail()).toMatchObject([
      {
        subject: `day:${TODAY}`,
        details: { providers: ['102', '101'], found: [other.recordId, casey.recordId] },
      },
    ]);
  });

  // Shows: S-18
  test('has of a clinician their own patients alone, and is refused who may open no appointment', async () => {
    await booked();
    const other = await aPatient(clinic);
    await booked(TODAY, '10:30', '102', other);
    const clinician = await deskSession(clinic, await aStaffMember(clinic, 'clinician'));
    expect((await printed(TODAY, clinician)).map(({ id }) => id)).toEqual(['101']);
    expect(await trail()).toMatchObject([{ details: { found: [casey.recordId] } }]);
    const auditor = await deskSession(clinic, await aStaffMember(clinic, 'auditor'));
    expect((await print(TODAY, auditor)).code()).toBe('notAllowed');
  });

  test('has neither a hold nor what was cancelled, nor who has nobody', async () => {
    const id = await booked();
    const start = toInstant(TODAY, '11:30');
    const body = { start, end: start + 300, doctor: '101', selectedType: 'O' };
    const token = await signIn(clinic, await aPatient(clinic));
    (await ask(clinic, 'placeHold', { token, body })).answer();
    const wanted = { wantedBy: 'clinic' };
    (
      await askDesk(clinic, 'deskCancelAppointment', { cookie, params: { id }, body: wanted })
    ).answer();
    expect(await printed()).toEqual([]);
  });

  test('is not the first visit of whom the clinic has seen, and is of who did not come', async () => {
    const first = async () =>
      (await printed()).flatMap(({ appointments }) => appointments)[0]?.isFirst;
    const before = await booked('2026-11-22', '08:00');
    await booked();
    const become = (state: 'completed' | 'no-show') =>
      clinic.database.inTransaction((tx) =>
        tx
          .update(appointment)
          .set({
            state,
            clinicDate: '2026-11-20',
            start: toInstant('2026-11-20', '08:00'),
            end: toInstant('2026-11-20', '08:05'),
          })
          .where(eq(appointment.id, before)),
      );
    await become('completed');
    expect(await first()).toBe(false);
    await become('no-show');
    expect(await first()).toBe(true);
  });

  test('says with an EMR what it alone knows to be taken, and nothing of a first visit', async () => {
    await booked();
    const span = { start: toInstant(TODAY, '10:15'), end: toInstant(TODAY, '10:30') };
    await clinic.database.inTransaction((tx) =>
      tx.insert(busySpan).values({
        ...span,
        id: crypto.randomUUID(),
        sourceId: 'emr-1',
        providerId: '101',
        clinicDate: TODAY,
      }),
    );
    Object.assign(clinic.platform, { emr: fakeEmr() });
    expect(await printed()).toMatchObject([{ busy: [span], appointments: [{ isFirst: false }] }]);
  });

  // Shows: R-133
  test.each([
    ['2026-11-19', true],
    ['2026-11-20', false],
    ['2026-11-28', false],
    ['2026-11-29', true],
  ])('%s: needs a reason (%s)', async (date, isNeeded) => {
    const { statusCode } = await print(date);
    expect(statusCode).toBe(isNeeded ? 422 : 200);
    expect(await trail()).toHaveLength(isNeeded ? 0 : 1);
    (await print(date, cookie, { lookReason: 'record' })).answer();
    expect((await trail()).at(-1)).toMatchObject({ details: { lookReason: 'record' } });
  });
});
