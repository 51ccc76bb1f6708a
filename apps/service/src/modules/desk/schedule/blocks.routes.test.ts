import { eq } from 'drizzle-orm';
import { startOfDay, toInstant } from '@clinic/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askDesk, deskClinic } from '../../../../testing/desk.ts';
import { PASSWORD, type PatientRow, type TestApp, ask, signIn } from '../../../../testing/index.ts';
import { privateAppointment } from '../../../../testing/paying.ts';
import { appointment, appointmentType, patient } from '../../../schema.ts';
import { appointments } from '../../appointments/index.ts';
import { closeTime, workOnClosing } from '../../closings/index.ts';
import { emrBook } from '../../emr/index.ts';

let clinic: TestApp;
let casey: PatientRow;
let token: string;
let cookie: string;

beforeEach(async () => {
  ({ clinic, casey, cookie } = await deskClinic());
  await clinic.app.stopJob('closings');
  token = await signIn(clinic, casey);
});
afterEach(() => clinic.close());

const at = (time: string, date = '2026-11-26') => toInstant(date, time);
const slot = (start: number, selectedType = 'O') => ({
  start,
  end: start + 300,
  doctor: '101',
  selectedType,
});
type Facts = Partial<typeof patient.$inferInsert>;
const set = (facts: Facts) =>
  clinic.database.inTransaction((tx) =>
    tx
      .update(patient)
      .set({ language: 'en', ...facts })
      .where(eq(patient.id, casey.id)),
  );
const endType = () =>
  clinic.database.inTransaction((tx) =>
    tx.update(appointmentType).set({ active: false }).where(eq(appointmentType.code, 'O')),
  );
/** The one in that state; where there are two, not the other. */
const only = async (state: 'booked' | 'held' = 'booked', other?: string) => {
  const rows = await clinic.database.db.select().from(appointment);
  const found = rows.filter((each) => each.state === state);
  const { id } = found.find((each) => each.id !== other) ?? found[0] ?? {};
  if (id === undefined) throw new Error(`No appointment is ${state}`);
  return id;
};
/** 'done', or the code of the refusal. */
const told = (answer: { statusCode: number; body: string }): string =>
  answer.statusCode === 200
    ? 'done'
    : (JSON.parse(answer.body) as { extras: { code: string } }).extras.code;

/** What the patient may do, each act by itself: one that succeeds is taken back. */
async function actsOfPatient(facts: Facts) {
  const book = (over = {}) =>
    ask(clinic, 'createBooking', {
      token,
      body: { ...slot(at('08:00')), reason: 'A cough', ...over },
    });
  (await book()).answer();
  const rescheduleOf = await only();
  await set(facts);
  const email = casey.email;
  const login = { method: 'email' as const, email, password: PASSWORD, recaptcha: 'ok:login' };
  return {
    signIn: told(await ask(clinic, 'login', { body: login })),
    look: told(await ask(clinic, 'listAppointments', { token })),
    earliest: told(await ask(clinic, 'earliestSlot', { token, query: { type: 'O' } })),
    hold: told(await ask(clinic, 'placeHold', { token, body: slot(at('08:30', '2026-11-27')) })),
    book: told(await book({ ...slot(at('08:00', '2026-11-27')) })),
    cancel: told(
      await ask(clinic, 'cancelAppointment', {
        token,
        params: { id: await only('booked', rescheduleOf) },
      }),
    ),
    pay: told(
      await ask(clinic, 'charge', {
        token,
        body: privateAppointment({ start: at('13:00', '2026-11-25') }),
      }),
    ),
    move: told(await book({ ...slot(at('08:10')), isReschedule: true, rescheduleOf })),
  };
}

/** What staff may do for the patient. */
async function actsOfDesk(facts: Facts) {
  await set(facts);
  const params = { id: casey.id };
  const book = (over = {}) =>
    askDesk(clinic, 'deskBook', {
      cookie,
      params,
      body: { type: 'O', providerId: '101', start: at('08:00'), feeBy: 'clinic', ...over },
    });
  const options = await askDesk(clinic, 'deskBookingOptions', { cookie, params, body: {} });
  const because = { overrideReason: 'urgent' };
  const link = { type: 'V', start: at('13:00', '2026-11-24'), feeBy: 'link', ...because };
  const answers = {
    offersLink: options.answer().extras.mayLink,
    warns: options.answer().extras.block,
    book: told(await book()),
    bookAnyway: told(await book({ ...because, start: at('08:30', '2026-11-30') })),
  };
  const move = async (time: string, over = {}) =>
    askDesk(clinic, 'deskMoveAppointment', {
      cookie,
      params: { id: await only() },
      body: { providerId: '101', start: at(time, '2026-11-30'), wantedBy: 'patient', ...over },
    });
  const moves = { move: told(await move('08:10')), moveAnyway: told(await move('08:20', because)) };
  return { ...answers, ...moves, link: told(await book(link)) };
}

/** What the email offers with which the clinic cancels an appointment of the patient. */
async function offeredInEmail(change: () => Promise<unknown>) {
  const body = { ...slot(at('08:00')), reason: 'A cough' };
  (await ask(clinic, 'createBooking', { token, body })).answer();
  const time = { providerIds: ['101'], from: at('00:00'), to: startOfDay('2026-11-27') };
  const who = { actor: 'staff:4b5e1d1c-0000-4000-8000-000000000001', now: clinic.clock.now() };
  await closeTime(clinic.platform, { ...time, requestKey: 'close' }, who);
  // What is offered is decided when the email is sent.
  await change();
  await workOnClosing({ ...clinic.platform, appointments, emrBook });
  await clinic.platform.outbox.drain();
  const { text = '' } =
    clinic.mail.sent.find(({ subject }) => subject.includes('is cancelled')) ?? {};
  return {
    times: text.includes('These times were free'),
    again: text.includes('Book another time'),
    list: text.includes('See My Appointments'),
  };
}

const NO = 'bookingBlocked';
const OUT = 'accountBlocked';
const all = (code: string) => ({
  earliest: code,
  hold: code,
  book: code,
  pay: code,
  move: code,
});
const mayAll = { signIn: 'done', look: 'done', ...all('done'), cancel: 'done' };
const keptOut = (code: string, session: string) => ({
  signIn: code,
  look: session,
  ...all(session),
  cancel: session,
});
const free = {
  offersLink: true,
  warns: 'none',
  link: 'done',
  book: 'done',
  bookAnyway: 'done',
  move: 'done',
  moveAnyway: 'done',
};
const overridden = { book: NO, move: NO };
const noLink = { offersLink: false, link: 'linkNotOffered' };
const nothing = { times: false, again: false };

// Shows
describe.each([
  ['nothing', {}, mayAll, free, { times: true, again: true, list: false }],
  [
    'booking',
    { bookingBlocked: true },
    { ...mayAll, ...all(NO) },
    { ...free, ...overridden, warns: 'booking' },
    { ...nothing, list: true },
  ],
  [
    'the account',
    { blocked: true },
    keptOut(OUT, 'tokenNotValid'),
    { ...free, ...overridden, ...noLink, warns: 'account' },
    { ...nothing, list: false },
  ],
  [
    'booking and the account',
    { blocked: true, bookingBlocked: true },
    keptOut(OUT, 'tokenNotValid'),
    { ...free, ...overridden, ...noLink, warns: 'account' },
    { ...nothing, list: false },
  ],
  [
    'sight',
    { visibility: [] },
    keptOut('notVisible', 'notVisible'),
    { ...free, ...noLink },
    { ...nothing, list: false },
  ],
  [
    'sight and booking',
    { visibility: [], bookingBlocked: true },
    keptOut('notVisible', 'notVisible'),
    { ...free, ...overridden, ...noLink, warns: 'booking' },
    { ...nothing, list: false },
  ],
] as const)('A patient who is blocked from %s', (_, facts, patientMay, deskMay, offered) => {
  test('may do what follows, and nothing else', async () => {
    expect(await actsOfPatient(facts as Facts)).toEqual(patientMay);
  });

  test('is booked at the desk as follows', async () => {
    expect(await actsOfDesk(facts as Facts)).toEqual(deskMay);
  });

  test('is offered in an email only what they may book', async () => {
    expect(await offeredInEmail(() => set(facts as Facts))).toEqual(offered);
  });
});

describe('An email with which the clinic cancels', () => {
  // Shows: R-22
  test.each([
    ['a type that is no longer offered', endType],
    ['a type that this patient is not offered', () => set({ disabledTypes: ['O'] })],
    ['doctors who do not see this patient', () => set({ blockedProviders: ['101'] })],
  ])('offers nothing of %s, though it was free before', async (__, change) => {
    const { times, again } = await offeredInEmail(change);
    expect([times, again]).toEqual([false, false]);
  });
});
