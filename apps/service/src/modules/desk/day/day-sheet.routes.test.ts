import { toInstant } from '@clinic/domain';
import type { Attendance, StaffRole } from '@clinic/domain';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import {
  aStaffMember,
  askDesk,
  deskClinic,
  deskSession,
  mailsOfActs,
} from '../../../../testing/desk.ts';
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
import {
  appointment,
  appointmentStep,
  appointmentType,
  busySpan,
  closing,
  providerType,
} from '../../../schema.ts';
import { LOCK_AFTER } from '../../staff/sessions.store.ts';

const TODAY = '2026-11-21';
const MONDAY = '2026-11-23';
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

const as = async (role: StaffRole, over = {}) =>
  deskSession(clinic, await aStaffMember(clinic, role, over));
const day = (date = TODAY, who = cookie, headers = {}) =>
  askDesk(clinic, 'deskDay', { cookie: who, params: { date }, headers });
const sheetOf = async (date = TODAY, who = cookie) => (await day(date, who)).answer().extras;
const openAppointment = (id: string, who = cookie, body = {}) =>
  askDesk(clinic, 'deskOpenAppointment', { cookie: who, params: { id }, body });
const note = (id: string, to: Attendance, who = cookie, from?: Attendance) =>
  askDesk(clinic, 'deskNoteAttendance', {
    cookie: who,
    params: { id },
    body: { to, ...(from && { from }) },
  });
const cancel = (id: string, body: object = { wantedBy: 'clinic' }) =>
  askDesk(clinic, 'deskCancelAppointment', { cookie, params: { id }, body });
const trail = async (action: string) =>
  (await clinic.trail(action)).map(({ subject, details }) => ({ subject, details }));
const stepsOf = (id: string) =>
  clinic.database.db.$count(appointmentStep, eq(appointmentStep.appointmentId, id));

/** Books as the patient does; gives the id. */
async function booked(date = TODAY, time = '11:00', doctor = '101', patient = casey) {
  const start = toInstant(date, time);
  const token = await signIn(clinic, patient);
  const slot = { start, end: start + 300, doctor, selectedType: 'O' };
  await ask(clinic, 'placeHold', { token, body: slot });
  const made = await ask(clinic, 'createBooking', { token, body: { ...slot, reason: 'A cough' } });
  made.answer();
  const [row] = await clinic.database.db
    .select()
    .from(appointment)
    .where(and(eq(appointment.start, start), eq(appointment.state, 'booked')));
  return row?.id ?? '';
}

describe('A day sheet (S-18)', () => {
  test('shows by provider what is booked, with its type, length, state and fee', async () => {
    const id = await booked();
    const { providers, hours } = await sheetOf();
    expect(hours).toEqual({ start: toInstant(TODAY, '08:00'), end: toInstant(TODAY, '14:00') });
    expect(providers.map(({ name }) => name)).toEqual(['N. Reyes', 'A. Stone']);
    expect(providers[1]?.appointments).toEqual([
      {
        id,
        patient: 'Morgan, Casey',
        type: 'O',
        description: 'In-person visit',
        start: toInstant(TODAY, '11:00'),
        end: toInstant(TODAY, '11:05'),
        state: 'booked',
        attendance: 'expected',
        fee: 'none',
        next: ['arrived'],
        linkUntil: null,
        hasAccount: true,
        movesFor: casey.id,
        isCancellable: true,
        isGone: false,
        movedByClinic: false,
        patientCannotCancel: 'tooLate',
        overlap: null,
        arrivedAt: null,
        isFirst: true,
        hasAlert: false,
        labels: [],
        otherProvider: null,
      },
    ]);
  });

  test('says who arrived when, who comes for the first time, and what their card warns of', async () => {
    const earlier = await booked();
    const id = await booked(MONDAY);
    clinic.clock.set(toInstant(TODAY, '11:00'));
    cookie = await as('receptionist');
    const isFirst = async () => (await sheetOf(MONDAY)).providers[1]?.appointments[0]?.isFirst;
    expect(await isFirst()).toBe(false);
    (await note(earlier, 'noShow')).answer();
    expect(await isFirst()).toBe(true);

    for (const [kind, text] of [
      ['alert', 'Allergic to latex'],
      ['label', 'Wheelchair'],
    ]) {
      const params = { id: casey.recordId, entryId: crypto.randomUUID() };
      (await askDesk(clinic, 'deskNoteOnCard', { cookie, params, body: { kind, text } })).answer();
    }
    clinic.clock.set(toInstant(MONDAY, '10:50'));
    cookie = await as('receptionist');
    (await note(id, 'arrived')).answer();
    expect((await sheetOf(MONDAY)).providers[1]?.appointments[0]).toMatchObject({
      arrivedAt: clinic.clock.now(),
      hasAlert: true,
      labels: ['Wheelchair'],
    });
  });

  test('says where the same patient is with another provider, except to a clinician', async () => {
    await booked();
    const body = {
      type: 'O',
      providerId: '102',
      start: toInstant(TODAY, '10:00'),
      overrideReason: 'other',
    };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    (
      await askDesk(clinic, 'deskBook', { cookie, params: { id: casey.id }, headers, body })
    ).answer();
    const others = (sheet: Awaited<ReturnType<typeof sheetOf>>) =>
      sheet.providers.flatMap(({ appointments }) =>
        appointments.map(({ otherProvider }) => otherProvider?.name ?? null),
      );
    expect(others(await sheetOf())).toEqual(['A. Stone', 'N. Reyes']);
    const clinician = await as('clinician', { providerId: '101' });
    expect(others(await sheetOf(TODAY, clinician))).toEqual([null]);
  });

  test('gives a type the sign that the clinic or its place gives it, also where the one before is not offered', async () => {
    await clinic.database.inTransaction(async (tx) => {
      await tx.update(appointmentType).set({ hue: 'red' }).where(eq(appointmentType.code, 'O'));
      await tx.update(appointmentType).set({ active: false }).where(eq(appointmentType.code, 'P'));
    });
    expect((await sheetOf()).types?.slice(0, 2)).toEqual([
      { code: 'O', description: 'In-person visit', sign: { hue: 'red', shape: 'circle' } },
      {
        code: 'PP',
        description: 'Private phone consultation',
        sign: { hue: 'violet', shape: 'triangle' },
      },
    ]);
  });

  test('says which types working time is for, and which closing shut it', async () => {
    await clinic.database.inTransaction((tx) =>
      tx.insert(providerType).values({ providerId: '102', type: 'O', offers: false }),
    );
    const [reyes, stone] = (await sheetOf()).providers;
    const hours = { start: toInstant(TODAY, '10:00'), end: toInstant(TODAY, '11:00') };
    expect(reyes?.open).toEqual([{ ...hours, types: [] }]);
    expect(stone?.open?.map(({ types }) => types)).toContainEqual(['O']);

    const span = { from: toInstant(TODAY, '10:30'), to: toInstant('2026-11-22', '00:00') };
    const id = await clinic.database.inTransaction((tx) =>
      tx
        .insert(closing)
        .values({
          ...span,
          id: crypto.randomUUID(),
          requestKey: 'one',
          providerIds: ['101'],
          askedBy: 'staff:1',
          askedAt: clinic.clock.now(),
        })
        .returning({ id: closing.id }),
    );
    const closings = async () => (await sheetOf()).providers.map((each) => each.closings);
    const end = toInstant(TODAY, '14:00');
    expect(await closings()).toEqual([[], [{ id: id[0]?.id, start: span.from, end }]]);
    await clinic.database.inTransaction((tx) =>
      tx.update(closing).set({ reopenedAt: clinic.clock.now(), reopenedFrom: span.from }),
    );
    expect(await closings()).toEqual([[], []]);
  });

  test('shows a hold without a name, and not once it has lapsed', async () => {
    const start = toInstant(TODAY, '11:30');
    const token = await signIn(clinic, casey);
    const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' };
    (await ask(clinic, 'placeHold', { token, body: slot })).answer();
    expect((await sheetOf()).providers[1]?.appointments).toMatchObject([
      { state: 'held', patient: null, next: [], isCancellable: false },
    ]);
    clinic.clock.advance(LOCK_AFTER - 1);
    expect((await sheetOf()).providers[1]?.appointments).toEqual([]);
  });

  test('shows the time that is closed, and what the EMR alone knows to be taken', async () => {
    const span = { start: toInstant(TODAY, '10:15'), end: toInstant(TODAY, '10:30') };
    await clinic.database.inTransaction((tx) =>
      tx.insert(busySpan).values({
        ...span,
        id: crypto.randomUUID(),
        sourceId: 'emr-1',
        providerId: '102',
        clinicDate: TODAY,
      }),
    );
    const [reyes] = (await sheetOf()).providers;
    expect(reyes?.busy).toEqual([span]);
    expect(reyes?.closed).toEqual([
      { start: toInstant(TODAY, '08:00'), end: toInstant(TODAY, '10:00') },
      { start: toInstant(TODAY, '11:00'), end: toInstant(TODAY, '14:00') },
    ]);
  });

  test('is empty on a day on which nobody works', async () => {
    expect(await sheetOf('2027-06-01')).toEqual({
      date: '2027-06-01',
      hours: null,
      types: expect.any(Array) as unknown,
      providers: [],
    });
  });

  // Shows: S-18
  test('of a clinician is that of the provider they are', async () => {
    const theirs = await booked(TODAY, '10:00', '102');
    const clinician = await as('clinician', { providerId: '101' });
    expect((await sheetOf(TODAY, clinician)).providers.map(({ id }) => id)).toEqual(['101']);
    expect((await openAppointment(theirs, clinician)).statusCode).toBe(404);
    expect((await note(theirs, 'arrived', clinician)).statusCode).toBe(404);
    const own = await booked(TODAY, '11:00', '101', await aPatient(clinic));
    expect((await note(own, 'arrived', clinician)).statusCode).toBe(200);
  });

  // Shows: S-18
  test('is one row of the trail for each look; what a page renews by itself adds who is shown newly', async () => {
    await day();
    await day(TODAY, cookie, { 'x-background': '1' });
    expect(await trail('day sheet shown')).toMatchObject([
      { subject: `day:${TODAY}`, details: { providers: ['102', '101'], found: [] } },
    ]);
    // What is booked meanwhile is shown anew.
    await booked();
    await day(TODAY, cookie, { 'x-background': '1' });
    await booked(TODAY, '10:00', '102', await aPatient(clinic, { recordId: 'W99' }));
    await day(TODAY, cookie, { 'x-background': '1' });
    await day(TODAY, cookie, { 'x-background': '1' });
    expect((await trail('day sheet shown')).slice(1)).toMatchObject([
      { details: { found: [casey.recordId] } },
      { details: { found: ['W99'] } },
    ]);
    // Nobody has looked at that one.
    await day('2026-11-22', cookie, { 'x-background': '1' });
    expect(await trail('day sheet shown')).toHaveLength(4);
    // What is asked for without its content tells its length all the same.
    const url = '/api/desk/day/2026-11-23';
    const { statusCode, body } = await clinic.app.inject({
      method: 'HEAD',
      url,
      headers: { cookie },
    });
    expect([statusCode, body]).toEqual([200, '']);
    expect(await trail('day sheet shown')).toHaveLength(5);
  });
});

describe('The week of a provider (S-18)', () => {
  const week = async (providerId: string, who = cookie, date = TODAY, headers = {}) =>
    askDesk(clinic, 'deskProviderWeek', { cookie: who, params: { providerId, date }, headers });
  const daysOf = async (...asked: Parameters<typeof week>) =>
    (await week(...asked)).answer().extras.days;

  test('has seven sheets with theirs alone, each with the hours that hold all of them', async () => {
    await scheduleFor(clinic, '102', ['2026-12-03'], { O: ['13:00-16:00'] });
    const id = await booked('2026-11-30', '10:00', '102');
    await booked('2026-11-30', '11:00', '101', await aPatient(clinic));
    const days = await daysOf('102', cookie, '2026-11-30');
    const span = (date: string, from: string, to: string) => ({
      start: toInstant(date, from),
      end: toInstant(date, to),
    });
    const closed = (date: string) => {
      const { hours, providers = [] } = days.find((each) => each.date === date) ?? {};
      expect(hours).toEqual(span(date, '10:00', '16:00'));
      return providers.map((each) => [each.id, each.closed, each.appointments.map((of) => of.id)]);
    };
    const [monday, tuesday, thursday] = ['2026-11-30', '2026-12-01', '2026-12-03'] as const;
    expect(closed(monday)).toEqual([['102', [span(monday, '11:00', '16:00')], [id]]]);
    expect(closed(tuesday)).toEqual([['102', [span(tuesday, '10:00', '16:00')], []]]);
    expect(closed(thursday)).toEqual([['102', [span(thursday, '10:00', '13:00')], []]]);
    expect(days).toHaveLength(7);
    for (const { hours, providers } of await daysOf('102', cookie, '2027-06-07'))
      expect([hours?.start, providers[0]?.name]).toEqual([hours?.end, 'N. Reyes']);
  });

  // Shows: S-18
  test('is one row of the trail that names whom it showed; a clinician’s is their own', async () => {
    await booked();
    await daysOf('101');
    await daysOf('101', cookie, TODAY, { 'x-background': '1' });
    expect(await trail('week shown')).toMatchObject([
      {
        subject: `days:${TODAY}`,
        details: { to: '2026-11-27', providers: ['101'], found: [casey.recordId] },
      },
    ]);
    const clinician = await as('clinician', { providerId: '101' });
    expect(await daysOf('101', clinician)).toHaveLength(7);
    expect((await week('102', clinician)).statusCode).toBe(404);
    expect((await week('999')).statusCode).toBe(404);
  });
});

describe('Opening an appointment (S-18)', () => {
  // Shows: S-18
  test('says who comes, how to reach them and why, and stands on the trail', async () => {
    const id = await booked();
    expect((await openAppointment(id)).answer().extras).toMatchObject({
      patient: {
        name: 'Casey Morgan',
        birthDate: '1984-05-17',
        email: casey.email,
        phone: '6045550100',
      },
      reason: 'A cough',
      arrivedAt: null,
    });
    expect(await trail('appointment opened')).toMatchObject([
      { subject: `appointment:${id}`, details: { found: [casey.recordId] } },
    ]);
  });

  // Shows: S-18
  test('needs a reason when the patient has no appointment within a day', async () => {
    const id = await booked('2026-11-24');
    expect((await openAppointment(id)).code()).toBe('lookReasonMissing');
    expect(await trail('appointment opened')).toEqual([]);
    (await openAppointment(id, cookie, { lookReason: 'patientCalled' })).answer();
    expect(await trail('appointment opened')).toMatchObject([
      { details: { lookReason: 'patientCalled' } },
    ]);
    await booked('2026-11-22', '08:00');
    (await openAppointment(id)).answer();
  });

  test('is refused of a hold and of what there is not', async () => {
    const token = await signIn(clinic, casey);
    const start = toInstant(TODAY, '11:30');
    const body = { start, end: start + 300, doctor: '101', selectedType: 'O' };
    const { extras } = (await ask(clinic, 'placeHold', { token, body })).answer();
    expect((await openAppointment(extras.hold.id)).statusCode).toBe(404);
    expect((await openAppointment(crypto.randomUUID())).statusCode).toBe(404);
  });
});

describe('What the front desk notes (S-18)', () => {
  const standing = async () => (await sheetOf()).providers[1]?.appointments[0];

  test('goes from arrived into the room to seen, with its times and its trail', async () => {
    const id = await booked();
    (await note(id, 'arrived')).answer();
    const arrivedAt = clinic.clock.now();
    clinic.clock.advance(300);
    (await note(id, 'inRoom')).answer();
    expect((await openAppointment(id)).answer().extras).toMatchObject({
      arrivedAt,
      inRoomAt: arrivedAt + 300,
    });
    expect(await standing()).toMatchObject({
      attendance: 'inRoom',
      next: ['completed', 'arrived'],
    });
    (await note(id, 'completed')).answer();
    expect(await standing()).toMatchObject({ state: 'completed', next: [], isCancellable: false });
    expect(await stepsOf(id)).toBe(0);
    for (const action of ['patient arrived', 'patient in the room', 'patient seen'])
      expect(await trail(action)).toHaveLength(1);
  });

  test('is taken back where it was a mistake', async () => {
    const id = await booked();
    for (const to of ['arrived', 'inRoom', 'arrived', 'expected'] as const)
      (await note(id, to)).answer();
    expect(await standing()).toMatchObject({ attendance: 'expected', state: 'booked' });
    expect((await openAppointment(id)).answer().extras).toMatchObject({
      arrivedAt: null,
      inRoomAt: null,
    });
    expect(await stepsOf(id)).toBe(1);
  });

  test('sent again does nothing more, and out of turn is refused', async () => {
    const id = await booked();
    expect((await note(id, 'completed')).code()).toBe('appointmentChanged');
    expect((await note(id, 'noShow')).code()).toBe('appointmentChanged');
    (await note(id, 'arrived')).answer();
    (await note(id, 'arrived')).answer();
    expect(await trail('patient arrived')).toHaveLength(1);
  });

  test('of one who did not come frees the time, once it has begun', async () => {
    const id = await booked();
    clinic.clock.set(toInstant(TODAY, '11:00'));
    cookie = await as('receptionist');
    (await note(id, 'noShow')).answer();
    expect(await standing()).toMatchObject({ state: 'no-show', attendance: 'noShow' });
    expect(await stepsOf(id)).toBe(0);
  });

  const missed = async (patient = casey) => {
    const id = await booked(TODAY, '11:00', '101', patient);
    clinic.clock.set(toInstant(TODAY, '11:00'));
    cookie = await as('receptionist');
    (await note(id, 'noShow', cookie, 'expected')).answer();
    return id;
  };
  const takeBack = (id: string) => note(id, 'expected', cookie, 'noShow');

  test('of one who came late is taken back until midnight, and once by two at the same time', async () => {
    const id = await missed();
    expect(await standing()).toMatchObject({ next: ['expected', 'arrived'] });
    clinic.clock.set(toInstant(TODAY, '23:59'));
    cookie = await as('receptionist');
    const both = await Promise.all([takeBack(id), takeBack(id)]);
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await standing()).toMatchObject({ state: 'booked', attendance: 'expected' });
    expect(await stepsOf(id)).toBe(1);
    expect(await trail('no-show taken back')).toEqual([
      { subject: `appointment:${id}`, details: {} },
    ]);
    for (const to of ['arrived', 'inRoom', 'completed'] as const) (await note(id, to)).answer();
  });

  test('of one who came late is noted as an arrival at once, and once by two at the same time', async () => {
    const id = await missed();
    const arrives = () => note(id, 'arrived', cookie, 'noShow');
    const both = await Promise.all([arrives(), arrives()]);
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await standing()).toMatchObject({ attendance: 'arrived' });
    expect(await stepsOf(id)).toBe(1);
    for (const action of ['no-show taken back', 'patient arrived'])
      expect(await trail(action)).toMatchObject([{ subject: `appointment:${id}` }]);
  });

  test('of one who did not come stands from midnight on', async () => {
    const id = await missed();
    clinic.clock.set(toInstant('2026-11-22', '00:00'));
    cookie = await as('receptionist');
    expect(await standing()).toMatchObject({ next: [] });
    expect((await takeBack(id)).code()).toBe('appointmentChanged');
  });

  test.each([
    ['waits', [], 'noShowStands'],
    ['was seen', ['arrived', 'inRoom', 'completed'], 'noShowStands'],
  ] as const)('stands where somebody else %s in its time', async (_, notes, code) => {
    const id = await missed();
    const walkIn = await aPatient(clinic, { firstName: 'Ola', lastName: 'Berg' });
    const { id: theirs } = (
      await askDesk(clinic, 'deskBook', {
        cookie,
        params: { id: walkIn.id },
        headers: { 'idempotency-key': crypto.randomUUID() },
        body: {
          type: 'O',
          providerId: '101',
          start: toInstant(TODAY, '11:00'),
          overrideReason: 'walkIn',
        },
      })
    ).answer().extras;
    for (const to of notes) (await note(theirs, to)).answer();
    expect((await takeBack(id)).code()).toBe(code);
    expect([await stepsOf(id), await trail('no-show taken back')]).toEqual([0, []]);
  });

  test('is taken back beside another appointment of that patient on the day', async () => {
    const id = await missed();
    const other = await booked(TODAY, '11:45');
    (await takeBack(id)).answer();
    expect(await Promise.all([id, other].map(stepsOf))).toEqual([1, 1]);
  });

  test('is not taken back by a press that meant another note', async () => {
    const id = await missed();
    for (const from of [undefined, 'arrived'] as const)
      expect((await note(id, 'expected', cookie, from)).code()).toBe('appointmentChanged');
    expect(await standing()).toMatchObject({ attendance: 'noShow' });
    (await takeBack(id)).answer();
    (await note(id, 'arrived')).answer();
    (await note(id, 'inRoom')).answer();
    // Staff who saw them expected note an arrival; the way back from the room is another press.
    expect((await note(id, 'arrived', cookie, 'expected')).code()).toBe('appointmentChanged');
  });

  test('is noted once of two who press at the same time', async () => {
    const id = await booked();
    const both = await Promise.all([note(id, 'arrived'), note(id, 'arrived')]);
    expect(both.map(({ statusCode }) => statusCode)).toContain(200);
    expect(await trail('patient arrived')).toHaveLength(1);
  });

  test('belongs into the EMR where the clinic has one', async () => {
    const id = await booked();
    clinic = await clinic.again({ emr: fakeEmr() });
    expect((await note(id, 'arrived')).code()).toBe('attendanceInEmr');
    expect(await standing()).toMatchObject({ next: [], movesFor: casey.id, isCancellable: true });
  });

  test.each([
    ['is received there', { movesFor: null, isCancellable: false }, 'arrived'],
    ['is missed there', { movesFor: null, isCancellable: false }, 'noShow'],
    ['cancels it while the EMR does not answer', { movesFor: null, isCancellable: true }, null],
  ] as const)('offers nothing that is refused where a patient %s', async (_, offered, noted) => {
    const emr = fakeEmr({ days: null });
    await clinic.close();
    await open({ emr });
    const id = await booked(MONDAY);
    if (noted === null) emr.faults.offline = true;
    else emr.staff.note(`claim:${id}`, noted);
    const token = await signIn(clinic, casey);
    const params = { id };
    await ask(clinic, 'cancelAppointment', { token, params });
    expect((await sheetOf(MONDAY)).providers.at(-1)?.appointments).toMatchObject([
      { next: [], ...offered },
    ]);
    expect((await cancel(id)).statusCode).toBe(offered.isCancellable ? 200 : 409);
    const { appointments } = (await ask(clinic, 'listAppointments', { token })).answer();
    const isOffered = appointments.map((each) => each.isEditable && each.bookingId !== null);
    expect(isOffered).toEqual([false]);
  });
});

describe('Cancelling (S-18, R-44, R-98)', () => {
  // Shows: R-98
  test('at the wish of the patient keeps the notice that they have, or says why not', async () => {
    const wantedBy = 'patient';
    const [soon, later] = [await booked(), await booked(MONDAY)];
    expect((await cancel(soon, { wantedBy })).code()).toBe('notCancellable');
    expect(await trail('appointment cancelled')).toEqual([]);
    (await cancel(later, { wantedBy })).answer();
    (await cancel(soon, { wantedBy, overrideReason: 'clinician' })).answer();
    expect(await trail('appointment cancelled')).toMatchObject([
      { subject: `appointment:${later}`, details: { wantedBy } },
      { subject: `appointment:${soon}`, details: { wantedBy } },
    ]);
    expect(await trail('rules overridden')).toMatchObject([
      { subject: `appointment:${soon}`, details: { rules: ['tooLate'], reason: 'clinician' } },
    ]);
    expect(await stepsOf(soon)).toBe(0);
    expect((await mailsOfActs(clinic)).at(-1)?.text).not.toContain('the clinic had to cancel');
  });

  // Shows: R-98
  test('again for the other side is refused: the fee went the way of the first', async () => {
    const wantedBy = 'patient';
    const atDesk = await booked(MONDAY);
    (await cancel(atDesk, { wantedBy })).answer();
    const online = await booked(MONDAY);
    const token = await signIn(clinic, casey);
    (await ask(clinic, 'cancelAppointment', { token, params: { id: online } })).answer();
    for (const id of [atDesk, online]) {
      expect((await cancel(id, { wantedBy: 'clinic' })).code()).toBe('appointmentChanged');
      (await cancel(id, { wantedBy })).answer();
    }
    expect(await trail('appointment cancelled')).toHaveLength(2);
  });

  // Shows: R-44
  test('frees the time, tells the patient, and may be sent again', async () => {
    const id = await booked();
    await clinic.platform.outbox.drain();
    const before = clinic.mail.sent.length;
    expect((await cancel(id)).answer().extras).toMatchObject({ isSent: false });
    expect((await cancel(id)).answer().extras).toMatchObject({ isSent: false });
    expect(await stepsOf(id)).toBe(0);
    expect((await mailsOfActs(clinic)).slice(before).map(({ subject }) => subject)).toEqual([
      'Your appointment is cancelled - Test Clinic',
    ]);
    expect(await trail('appointment cancelled')).toHaveLength(1);
  });

  test('is refused of a patient who was seen', async () => {
    const id = await booked();
    for (const to of ['arrived', 'inRoom', 'completed'] as const) (await note(id, to)).answer();
    expect((await cancel(id)).code()).toBe('appointmentChanged');
  });
});
