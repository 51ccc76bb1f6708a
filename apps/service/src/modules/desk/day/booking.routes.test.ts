import { currentAgreement } from '@clinic/contract/agreements';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toInstant } from '@clinic/domain';
import { violations } from '../../../database/invariants.store.ts';
import {
  type SomeStaff,
  aPublishedText,
  askDesk,
  deskClinic,
  deskSession,
  mailsOfActs,
} from '../../../../testing/desk.ts';
import { type PatientRow, type TestApp, aPatient, ask, signIn } from '../../../../testing/index.ts';
import { insertRecord } from '../../records/index.ts';
import type { RecordId } from '../../records/emr.ts';
import { agreement, appointment, emrName, patient, providerPolicy } from '../../../schema.ts';

let clinic: TestApp;
let casey: PatientRow;
let cookie: string;
let robin: SomeStaff;

beforeEach(async () => {
  ({ clinic, casey, robin, cookie } = await deskClinic());
});
afterEach(() => clinic.close());

const find = async (text: string) =>
  (await askDesk(clinic, 'deskFindPatients', { cookie, body: { text } })).answer().extras;
const named = async (text: string) => (await find(text)).patients.map(({ name }) => name);

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
      soundsLike: [],
      hasEmr: false,
    });
    expect(await named('zoe roy')).toEqual(['Morgan-Roy, Zoë']);
    expect(await named('Morgan 1990-01-02')).toEqual(['Morgan-Roy, Zoë']);
    expect(await named(casey.recordId)).toEqual(['Morgan, Casey']);
    expect(await named(casey.phone.slice(-4))).toContain('Morgan, Casey');
    expect(await named('orga')).toEqual([]);
    expect(await named('m')).toEqual([]);
  });

  test.each([
    ['Élodie', 'Dvořák', ['elodie', 'Élodie', 'dvorak', 'DVOŘÁK', 'Dvořák']],
    ['Łukasz', 'Ørsted', ['Łukasz', 'lukasz', 'ørsted', 'Orsted']],
    ['Đorđe', 'Nguyễn', ['dorde', 'Đorđe', 'nguyen', 'Nguyễn']],
  ])('is by %s %s with their marks or without', async (firstName, lastName, typed) => {
    await aPatient(clinic, { firstName, lastName });
    for (const each of typed) expect(await named(each)).toEqual([`${lastName}, ${firstName}`]);
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

  // Shows: S-18, R-121
  test('is by a name with a letter wrong, behind who has it as it was typed, and by sound apart', async () => {
    await aRecord({ id: 'P-1', firstName: 'Casey', lastName: 'Morgen' });
    await aRecord({ id: 'P-2', firstName: 'Kaycee', lastName: 'Morgan' });
    await aRecord({ id: 'P-3', firstName: 'Ida', lastName: 'Kern' });
    expect(await named('Casey Morgan')).toEqual(['Morgan, Casey', 'Morgen, Casey']);
    expect(await named('Csaey Mogan')).toContain('Morgan, Casey');
    const found = await find('Casey Morgan');
    expect(found.soundsLike?.map(({ name }) => name)).toEqual(['Morgan, Kaycee']);
    // Who is shown by sound alone is on the trail, too.
    expect((await clinic.trail('patients searched')).at(-1)?.details).toMatchObject({
      found: [casey.recordId, 'P-1', 'P-2'],
    });
  });

  // Shows: S-18, R-121
  test('is by a misspelt name beside a birth date: of that day alone', async () => {
    await aRecord({ id: 'P-1', firstName: 'Casey', lastName: 'Morgan' });
    expect(
      (await find('Casey Mogran 1951-03-02')).patients.map(({ recordId }) => recordId),
    ).toEqual(['P-1']);
    expect((await find('Kern 1951-03-02')).patients).toEqual([]);
  });

  // Shows: S-18, R-121
  test('is by the beginning of an email, behind who has it as a name', async () => {
    await aPatient(clinic, { firstName: 'Ann', lastName: 'Roy', email: 'kernel@mail.example' });
    await aRecord({ id: 'P-1', firstName: 'Ida', lastName: 'Kern' });
    expect(await named('Kern')).toEqual(['Kern, Ida', 'Roy, Ann']);
    expect(await named('KERNEL@mail')).toEqual(['Roy, Ann']);
    expect(await named('mail.example')).toEqual([]);
    expect(await named('ker')).toEqual(['Kern, Ida']);
  });

  // Shows: S-18, R-121
  test('is by any four digits in a row of a phone, those at its end first', async () => {
    await aPatient(clinic, { firstName: 'Ann', lastName: 'Aalto', phone: '6047772345' });
    await aPatient(clinic, { firstName: 'Bea', lastName: 'Zorn', phone: '6045557772' });
    expect(await named('7772')).toEqual(['Zorn, Bea', 'Aalto, Ann']);
    expect(await named('604-777')).toEqual(['Aalto, Ann']);
    expect(await named('+1 604 777')).toEqual(['Aalto, Ann']);
    expect(await named('777')).toEqual([]);
  });

  // Shows: S-18, R-121
  test('is by a birth date in each form, and by both dates that one may mean', async () => {
    await aPatient(clinic, { firstName: 'Ann', lastName: 'April', birthDate: '1960-04-12' });
    await aPatient(clinic, { firstName: 'Bea', lastName: 'December', birthDate: '1960-12-04' });
    expect(await named('04/12/1960')).toEqual(['April, Ann', 'December, Bea']);
    for (const typed of ['1960-12-04', '4 Dec 1960', 'Dec 4 1960', 'Dec 4, 1960', 'Bea 4/12/1960'])
      expect([typed, await named(typed)]).toEqual([typed, ['December, Bea']]);
  });

  // Shows: S-18
  test('is one row of the trail, which says who was shown and not what was typed', async () => {
    await find('Morgan');
    expect(await clinic.trail('patients searched')).toMatchObject([
      { actor: `staff:${robin.id}`, details: { found: [casey.recordId] } },
    ]);
  });
});

const MONDAY = '2026-11-23';
const at = (time: string, date = MONDAY) => toInstant(date, time);
const place = (time: string, over = {}) => ({ providerId: '101', start: at(time), ...over });
const book = (time: string, over = {}, headers = {}) =>
  askDesk(clinic, 'deskBook', {
    cookie,
    params: { id: casey.id },
    headers,
    body: { type: 'O', ...place(time), ...over },
  });
const booked = async (time: string, over = {}) => (await book(time, over)).answer().extras;
const move = (id: string, time: string, over = {}) =>
  askDesk(clinic, 'deskMoveAppointment', { cookie, params: { id }, body: place(time, over) });
const times = async (body = {}) =>
  (
    await askDesk(clinic, 'deskFreeTimes', {
      cookie,
      params: { id: casey.id },
      body: { type: 'O', from: MONDAY, ...body },
    })
  ).answer().extras;
const subjects = async () => (await mailsOfActs(clinic)).map(({ subject }) => subject);
const on = (date: string, time = '11:00') => ({ start: at(time, date) });

// Shows: R-52, S-18
test('The page of a patient says of an appointment that was moved where it went', async () => {
  const { id } = await booked('11:00');
  (await move(id, '11:30')).answer();
  const page = await askDesk(clinic, 'deskOpenPatient', {
    cookie,
    params: { id: casey.id },
    body: { lookReason: 'patientCalled' },
  });
  expect(page.answer().extras.appointments).toMatchObject([
    { state: 'booked', start: at('11:30'), movedTo: null },
    { id, state: 'rescheduled', movedTo: at('11:30') },
  ]);
});

describe('Booking for a patient (S-18, R-98)', () => {
  test('begins with their usual type, whom they may see, and what they have', async () => {
    await booked('09:00', { type: 'P' });
    const options = await askDesk(clinic, 'deskBookingOptions', {
      cookie,
      params: { id: casey.id },
    });
    expect(options.answer().extras).toMatchObject({
      name: 'Casey Morgan',
      providers: [{ id: '101', name: 'Dr. A. Stone' }],
      upcoming: [{ start: at('09:00'), provider: 'Dr. A. Stone' }],
    });
    expect(options.answer().extras.types.map(({ code }) => code)[0]).toBe('P');
    expect(await clinic.trail('booking begun at the desk')).toMatchObject([
      { actor: `staff:${robin.id}`, subject: `patient:${casey.id}` },
    ]);
  });

  // Shows: R-98
  test('is the clinic’s booking: mailed, on the trail by whom, and once whatever is sent again', async () => {
    const headers = { 'idempotency-key': 'one-of-the-desk' };
    const first = (await book('11:00', {}, headers)).answer().extras;
    expect((await book('11:00', {}, headers)).answer().extras).toEqual(first);
    expect(first).toMatchObject({ start: at('11:00'), end: at('11:05'), feeCents: 0 });
    expect(await clinic.trail('appointment booked')).toMatchObject([
      { actor: `staff:${robin.id}`, subject: `appointment:${first.id}` },
    ]);
    expect(await subjects()).toEqual(['Your appointment is booked - Test Clinic']);
    expect(
      (await ask(clinic, 'listAppointments', { token: await signIn(clinic, casey) })).answer()
        .appointments,
    ).toMatchObject([{ id: first.id, status: 'booked' }]);
  });

  test('is offered the first free times, and never one that is taken', async () => {
    const before = (await times()).times;
    expect(before).toHaveLength(12);
    const first = before[0]?.start ?? 0;
    const later = (await times({ notBefore: first + 900 })).times;
    expect(later).toHaveLength(12);
    expect(later.slice(0, 9)).toEqual(before.slice(3));
    await booked('11:00', { start: first });
    expect((await times()).times[0]?.start).toBe(first + 300);
    expect((await times({ providerId: '999' })).times).toEqual([]);
    const rival = await aPatient(clinic);
    const other = { ...place('11:00'), start: first, type: 'O', overrideReason: 'urgent' };
    const taken = await askDesk(clinic, 'deskBook', {
      cookie,
      params: { id: rival.id },
      body: other,
    });
    expect(taken.code()).toBe('slotTaken');
  });

  // Shows: R-98
  test('goes beyond the limits only with a reason, which stands on the trail', async () => {
    await booked('11:00');
    await booked('11:00', on('2026-11-24'));
    expect((await book('11:00', on('2026-11-25'))).code()).toBe('twoUpcoming');
    const overrideReason = 'urgent';
    const { id } = await booked('11:00', { ...on('2026-11-25'), overrideReason });
    await booked('11:30', { overrideReason, minutes: 20 });
    expect(await clinic.trail('rules overridden')).toMatchObject([
      { subject: `appointment:${id}`, details: { rules: ['twoUpcoming'], reason: 'urgent' } },
      { details: { rules: ['slotNotOffered', 'oneEachDay'] } },
    ]);
    expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
  });

  test('takes a fee at the clinic, which is noted once, with who took it', async () => {
    await clinic.database.inTransaction((tx) =>
      tx
        .update(patient)
        .set({ eligibility: 'NE', healthCardUploaded: true, pictureIdUploaded: true })
        .where(eq(patient.id, casey.id)),
    );
    const { id, feeCents } = await booked('11:00');
    expect(feeCents).toBeGreaterThan(0);
    expect((await mailsOfActs(clinic)).at(-1)?.text).toContain('Please pay the fee of');
    const take = (means = 'debit') =>
      askDesk(clinic, 'deskTakeFee', { cookie, params: { id }, body: { means } });
    (await take()).answer();
    (await take()).answer();
    expect((await take('cash')).code()).toBe('appointmentChanged');
    expect(await clinic.trail('fee taken at the clinic')).toMatchObject([
      { actor: `staff:${robin.id}`, details: { cents: feeCents, means: 'debit' } },
    ]);
    const { id: moved } = (await move(id, '11:30')).answer().extras;
    const [row] = await clinic.database.db
      .select()
      .from(appointment)
      .where(eq(appointment.id, moved));
    expect(row?.feeAtClinic).toMatchObject({ cents: feeCents, taken: { means: 'debit' } });
  });

  test('of somebody who walks in is now, with whoever works and is free', async () => {
    clinic.clock.set(at('11:02'));
    cookie = await deskSession(clinic, robin);
    const [walkIn] = (await times()).walkIns;
    expect(walkIn).toEqual({ doctor: '101', start: at('11:00'), end: at('11:05') });
    expect((await book('11:00')).code()).toBe('slotTooSoon');
    await booked('11:00', { overrideReason: 'walkIn' });
    expect((await times()).walkIns[0]?.start).toBe(at('11:05'));
    expect((await book('10:55', { overrideReason: 'walkIn' })).code()).toBe('slotTooSoon');
  });

  // Shows: R-98
  test('is with nobody who has no site where the EMR has sites, whatever the reason', async () => {
    const { id } = await booked('11:40');
    const { db } = clinic.database;
    await db
      .insert(emrName)
      .values({ kind: 'location', providerId: '101', name: 'Main Clinic', entries: 1 });
    const offered = async () => {
      const options = { cookie, params: { id: casey.id }, body: {} };
      const { providers } = (await askDesk(clinic, 'deskBookingOptions', options)).answer().extras;
      const sheet = { cookie, params: { date: MONDAY } };
      const day = (await askDesk(clinic, 'deskDay', sheet)).answer().extras;
      const { times: free, walkIns } = await times({ providerId: '101' });
      const isOpen = JSON.stringify(day.providers[0]?.closed) !== JSON.stringify([day.hours]);
      return [providers.length > 0, free.length > 0, walkIns.length > 0, isOpen];
    };
    clinic.clock.set(at('11:02'));
    cookie = await deskSession(clinic, robin);
    const because = { overrideReason: 'clinician' };
    expect(await offered()).toEqual([false, false, false, false]);
    for (const refused of [await book('11:50', because), await move(id, '11:50', because)])
      expect(refused.refusal().extras.code).toBe('doctorNotAvailable');
    await db.update(providerPolicy).set({ location: 'Main Clinic' });
    expect(await offered()).toEqual([true, true, true, true]);
    (await move(id, '11:50', because)).answer();
  });

  test('is refused of who has closed the account, and of nobody', async () => {
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ closedAt: clinic.clock.now() }).where(eq(patient.id, casey.id)),
    );
    expect((await book('11:00')).statusCode).toBe(404);
    expect((await move(crypto.randomUUID(), '12:00')).statusCode).toBe(404);
  });
});

describe('Consents that are read out (R-98)', () => {
  const texts = async (id: string) =>
    (await askDesk(clinic, 'deskConsents', { cookie, params: { id } })).answer().extras.texts;
  const named = (kind: 'feeWarning' | 'icbc' | 'general') => {
    const { version, hash } = currentAgreement(kind);
    return { kind, version, hash };
  };
  const note = (id: string, read: readonly object[]) =>
    askDesk(clinic, 'deskNoteConsents', { cookie, params: { id }, body: { texts: read } });
  const kept = () => clinic.database.db.select().from(agreement);

  // Shows
  test('are those of the type and the fee, filled in as patients read them', async () => {
    const { id } = await booked('11:00');
    expect(await texts(id)).toMatchObject([{ ...named('general'), title: 'Clinic policy' }]);
    await clinic.database.inTransaction(async (tx) => {
      const feeAtClinic = { cents: 20_000 };
      await tx.update(appointment).set({ feeAtClinic, type: 'I' }).where(eq(appointment.id, id));
    });
    const english = { locale: 'en', title: 'The fee', text: 'Pay {fee} to {clinicName}.' };
    await aPublishedText(clinic, 'feeWarning', { seen: '1.2', texts: [english] });
    expect(await texts(id)).toMatchObject([
      { kind: 'feeWarning', version: '2', paragraphs: ['Pay CAD 200.00 to Test Clinic.'] },
      { kind: 'icbc' },
      { kind: 'general' },
    ]);
  });

  // Shows: R-98
  test('are noted once, by whom: as an agreement and on the trail', async () => {
    const { id } = await booked('11:00');
    const { version, hash } = named('general');
    (await note(id, [named('general')])).answer();
    (await note(id, [named('general')])).answer();
    const row = { patientId: casey.id, kind: 'general', version, readOutBy: robin.id };
    const inEnglish = { textHash: hash, locale: 'en', shownHash: hash, at: clinic.clock.now() };
    expect(await kept()).toMatchObject([{ ...row, ...inEnglish }]);
    expect(await clinic.trail('consents read out')).toMatchObject([
      { actor: `staff:${robin.id}`, subject: `appointment:${id}`, details: { general: version } },
    ]);
    // Another appointment is agreed to anew.
    const { id: other } = await booked('11:00', on('2026-11-24'));
    (await note(other, [named('general')])).answer();
    expect(await kept()).toHaveLength(2);
    const open = { cookie, params: { id: casey.id }, body: { lookReason: 'patientCalled' } };
    const { consents } = (await askDesk(clinic, 'deskOpenPatient', open)).answer().extras;
    expect(consents).toMatchObject([{ kind: 'general', readOutBy: 'Robin Lee' }, {}]);
  });

  test('of a text that does not hold, or not for this appointment, are not noted', async () => {
    const { id } = await booked('11:00');
    for (const outdated of [
      { ...named('general'), version: '0.9' },
      { ...named('general'), hash: '0'.repeat(64) },
      named('icbc'),
    ])
      expect((await note(id, [named('general'), outdated])).code()).toBe('agreementOutdated');
    const ours = [{ locale: 'en', title: 'Our policy', text: 'Come early.' }];
    await aPublishedText(clinic, 'general', { seen: '1.0', texts: ours });
    expect((await note(id, [named('general')])).code()).toBe('agreementOutdated');
    expect(await kept()).toEqual([]);
    expect(await clinic.trail('consents read out')).toEqual([]);
  });

  test('of a person without an account stand on the trail alone', async () => {
    await aRecord({ id: 'P-1', firstName: 'Ida', lastName: 'Kern', cardNumber: '9123456782' });
    const made = await askDesk(clinic, 'deskBook', {
      cookie,
      params: { id: 'P-1' },
      body: { type: 'O', ...place('11:00') },
    });
    const { id } = made.answer().extras;
    (await note(id, [named('general')])).answer();
    (await note(id, [named('general')])).answer();
    expect(await kept()).toEqual([]);
    expect(await clinic.trail('consents read out')).toMatchObject([
      { subject: `appointment:${id}` },
    ]);
  });

  test('are none of an appointment that does not stand', async () => {
    const { id } = await booked('11:00');
    const body = { wantedBy: 'clinic' };
    (await askDesk(clinic, 'deskCancelAppointment', { cookie, params: { id }, body })).answer();
    expect(await texts(id)).toEqual([]);
    expect((await note(id, [named('general')])).code()).toBe('appointmentChanged');
    expect((await note(crypto.randomUUID(), [named('general')])).code()).toBe('notFound');
  });
});

describe('Moving an appointment (S-18, R-98)', () => {
  // Shows: R-98
  test('ends the old one, keeps its answers and number, and tells the patient', async () => {
    const token = await signIn(clinic, casey);
    const slot = { start: at('11:00'), end: at('11:05'), doctor: '101', selectedType: 'O' };
    await ask(clinic, 'placeHold', { token, body: slot });
    const made = await ask(clinic, 'createBooking', {
      token,
      body: { ...slot, reason: 'A cough' },
    });
    const { id, bookingId } = made.answer().extras.appointment ?? {};
    const { id: moved } = (await move(id ?? '', '11:30')).answer().extras;
    const opened = await askDesk(clinic, 'deskOpenAppointment', {
      cookie,
      params: { id: moved },
      body: { lookReason: 'patientCalled' },
    });
    expect(opened.answer().extras).toMatchObject({ reason: 'A cough', bookingNumber: bookingId });
    expect(await subjects()).toContain('Your appointment is rescheduled - Test Clinic');
    expect(await clinic.trail('appointment rescheduled')).toMatchObject([
      { actor: `staff:${robin.id}`, details: { movedFrom: id } },
    ]);
    // After a lost answer staff learn that it has moved.
    expect((await move(id ?? '', '11:45')).code()).toBe('appointmentChanged');
  });

  test('in its last 24 hours needs a reason', async () => {
    const { id } = await booked('11:00');
    clinic.clock.set(at('08:00'));
    cookie = await deskSession(clinic, robin);
    expect((await move(id, '11:30')).code()).toBe('notReschedulable');
    (await move(id, '11:30', { overrideReason: 'clinician' })).answer();
  });
});
