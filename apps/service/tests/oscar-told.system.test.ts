import { expect, test } from 'vitest';

import type { DeskCallId } from '@clinic/contract';
import { addDays, toInstant } from '@clinic/domain';
import { type AppointmentRow, bookByStaff, deleteByStaff, moveByStaff } from '@clinic/oscar/fake';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { fakeOscarCredentials } from '@clinic/practice/emr/fake-oscar.ts';

import { ask } from '../testing/ask.ts';
import { type DeskOptions, aStaffMember, askDesk, deskSession } from '../testing/desk.ts';
import { violations } from '../testing/invariants.ts';
import { oscarClinic } from '../testing/oscar-clinic.ts';
import type { PatientRow } from '../testing/rows.ts';
import { signIn } from '../testing/sign-in.ts';
import { keepConnection } from '../src/modules/records/index.ts';

const TODAY = '2026-11-23';
const TOMORROW = addDays(TODAY, 1);
const LATER = addDays(TODAY, 2);
const opening = toInstant(TODAY, '08:00');

// Shows
test('a day of a clinic on OSCAR, by phone, by web and at OSCAR’s own pages: patients and the desk read what OSCAR has, in time', async () => {
  const { clinic, fake, anAccount, passes } = await oscarClinic(TODAY, opening);
  const { memory } = fake;
  const robin = await aStaffMember(clinic, 'receptionist');
  await passes(60);

  /** Nothing happens until a minute before. */
  const until = async (time: string) => {
    clinic.clock.set(toInstant(TODAY, time) - 60);
    await passes(60);
  };
  const desk = async <Id extends DeskCallId>(id: Id, asked: DeskOptions = {}) => {
    const cookie = await deskSession(clinic, robin);
    return (await askDesk(clinic, id, { cookie, ...asked })).answer();
  };
  const web = async (who: PatientRow, date: string, time: string) => {
    const start = toInstant(date, time);
    const slot = { doctor: '101', start, end: start + 300, selectedType: 'O' };
    const body = { ...slot, reason: 'A cough' };
    return ask(clinic, 'createBooking', { token: await signIn(clinic, who), body });
  };
  const list = async (who: PatientRow) => {
    const answered = await ask(clinic, 'listAppointments', { token: await signIn(clinic, who) });
    return answered.answer().appointments.map((each) => [each.status, each.startTime]);
  };
  /** Which times of a day the patients' page shows as taken. */
  const taken = async (date: string) => {
    const query = { from: date, to: date, id: '101' };
    const token = await signIn(clinic, casey);
    const [day] = (await ask(clinic, 'doctorSchedule', { token, query })).answer().extras;
    return day?.providers[0]?.booked.map(({ start }) => start) ?? [];
  };
  const emr = async () => (await desk('deskEmr')).extras.emr;
  const toCall = async () => (await desk('deskOutsideEmr')).extras;
  const sheet = async (date: string) =>
    (await desk('deskDay', { params: { date } })).extras.providers.flatMap((each) =>
      each.appointments.map(({ start }) => start),
    );
  const rowOf = (date: string, time: string): AppointmentRow => {
    const row = memory.appointments.find(
      (each) =>
        each.date === date && each.start === toInstant(date, time) - toInstant(date, '00:00'),
    );
    if (row === undefined) throw new Error(`OSCAR has nothing on ${date} at ${time}`);
    return row;
  };
  const mails = async () => {
    const sent = await clinic.mails();
    return sent.splice(0).map(({ to, subject }) => `${to}: ${subject}`);
  };

  const [first, second, third, caller] = memory.demographics.map((each) => each.demographicNo);
  const [casey, devon, ellis] = [
    await anAccount(first ?? 0),
    await anAccount(second ?? 0),
    await anAccount(third ?? 0),
  ];
  Object.assign(memory.demographics[3] ?? {}, { hin: validBcNumber(41), hcType: 'BC' });

  // By phone: somebody whom OSCAR knows and nobody here.
  await until('08:30');
  const { charts } = (await desk('deskFindCharts', { body: { text: 'harcourt' } })).extras;
  expect(charts).toMatchObject([{ chart: String(caller), known: null }]);
  const { person } = (await desk('deskOpenChart', { body: { chart: String(caller) } })).extras;
  const phoned = { type: 'O', providerId: '101', start: toInstant(TOMORROW, '09:00') };
  const params = { id: person ?? '' };
  await desk('deskBook', { params, body: phoned });
  expect(rowOf(TOMORROW, '09:00')).toMatchObject({ demographicNo: caller, status: 't' });
  expect(await sheet(TOMORROW)).toEqual([phoned.start]);

  // By web.
  for (const [who, date, time] of [
    [casey, TOMORROW, '10:00'],
    [devon, TOMORROW, '11:00'],
    [ellis, LATER, '10:00'],
  ] as const) {
    (await web(who, date, time)).answer();
    expect(rowOf(date, time)).toMatchObject({ status: 't' });
    expect(await list(who)).toEqual([['booked', toInstant(date, time)]]);
  }
  await passes(10);
  expect(await mails()).toHaveLength(3);

  // At OSCAR's own pages: a booking, a move and a delete are told within a minute, two, and ten more.
  await until('09:00');
  const [moved, deleted] = [rowOf(TOMORROW, '10:00'), rowOf(TOMORROW, '11:00')];
  bookByStaff(memory, {
    providerNo: '101',
    date: TOMORROW,
    start: 14 * 60,
    minutes: 5,
    demographicNo: caller ?? 0,
  });
  moveByStaff(memory, moved, { providerNo: '101', date: TOMORROW, start: 15 * 60 });
  deleteByStaff(memory, deleted);
  await passes(60);
  expect(await taken(TOMORROW)).toEqual(
    expect.arrayContaining([toInstant(TOMORROW, '14:00'), toInstant(TOMORROW, '15:00')]),
  );
  expect(await taken(TOMORROW)).not.toContain(toInstant(TOMORROW, '10:00'));
  expect((await web(ellis, TOMORROW, '14:00')).refusal().extras.code).toBe('slotTaken');
  expect(await list(casey)).toEqual([['booked', toInstant(TOMORROW, '15:00')]]);
  expect(await mails()).toEqual([expect.stringContaining(casey.email)]);
  await passes(60);
  expect((await toCall()).differs).toMatchObject([
    { why: 'lacking', start: toInstant(TOMORROW, '11:00') },
  ]);
  expect(await list(devon)).toEqual([['booked', toInstant(TOMORROW, '11:00')]]);
  await passes(600);
  expect((await toCall()).differs).toEqual([]);
  expect(await list(devon)).toMatchObject([['cancelled', expect.anything()]]);
  expect(await mails()).toEqual([expect.stringContaining(devon.email)]);

  // A holiday, set at noon: nobody is cancelled by it, and the desk has whom to call.
  await until('12:00');
  memory.templates.delete(`101 ${LATER}`);
  await passes(600);
  expect((await web(devon, LATER, '14:00')).refusal().extras.code).toBe('slotNotOffered');
  expect((await toCall()).outside).toMatchObject([{ start: toInstant(LATER, '10:00') }]);
  expect(await emr()).toMatchObject({ kind: 'answers', outside: 1 });
  expect(await list(ellis)).toEqual([['booked', toInstant(LATER, '10:00')]]);
  expect(await mails()).toEqual([]);

  // A token that is revoked at two, and given anew at a quarter past.
  await until('14:00');
  const [kept] = fake.consents.access;
  if (kept === undefined) throw new Error('It has a token');
  fake.expireToken();
  await passes(300);
  expect(await emr()).toMatchObject({ kind: 'refused', refused: ['token'], isBookingPaused: true });
  const status = await ask(clinic, 'recordsStatus');
  expect(status.answer().extras).toMatchObject({ refused: true });
  expect((await web(devon, TOMORROW, '16:00')).refusal().extras.code).toBe('clinicRefuses');
  expect(await list(casey)).toEqual([['booked', toInstant(TOMORROW, '15:00')]]);
  // What staff do meanwhile is read with the login.
  memory.change(moved, { status: 'C' });
  await passes(60);
  expect(await list(casey)).toMatchObject([['cancelled', expect.anything()]]);
  expect(await mails()).toEqual([expect.stringContaining(casey.email)]);
  await until('14:15');
  const renewed = { key: 'renewed', secret: 'of the token' };
  fake.consents.access.set(renewed.key, { ...kept[1], secret: renewed.secret });
  await keepConnection(
    clinic.platform,
    { id: 'oscar', credentials: { ...fakeOscarCredentials, token: renewed } },
    { actor: 'clinic:test', now: clinic.clock.now() },
  );
  await passes(140);
  expect(await emr()).toMatchObject({ kind: 'answers', isBookingPaused: false });
  (await web(devon, TOMORROW, '16:00')).answer();
  await passes(10);
  expect(await mails()).toEqual([expect.stringContaining(devon.email)]);

  // In the evening both books say the same.
  const there = memory.appointments.filter(({ status: each }) => each !== 'C');
  expect(await sheet(TOMORROW)).toEqual(
    ['09:00', '16:00'].map((time) => toInstant(TOMORROW, time)),
  );
  expect(await sheet(LATER)).toEqual([toInstant(LATER, '10:00')]);
  expect(there.filter(({ date }) => date === TOMORROW || date === LATER)).toHaveLength(4);
  expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
});
