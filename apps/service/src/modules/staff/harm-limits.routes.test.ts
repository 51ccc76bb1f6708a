import {
  MOST_APPOINTMENTS,
  MOST_WISHED,
  STOPPABLE_SECONDS,
  addDays,
  startOfDay,
  toClinic,
} from '@clinic/domain';
import type { StaffRole } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import { aClinic, aPatient, aProvider, testApp } from '../../../testing/index.ts';
import type { PatientRow, TestApp } from '../../../testing/index.ts';
import { appointment, audit } from '../../schema.ts';
import { appointments } from '../appointments/index.ts';
import { workOnClosing } from '../closings/index.ts';
import { RECENT_FACTOR } from './authorize-staff.ts';
import { harmAtDesk } from './harm-limits.ts';
import { emrBook } from '../emr/index.ts';

let clinic: TestApp;
let casey: PatientRow;
let today: string;
let cookie: string;
let robin: string;

/** A clinic in which Casey has 60 appointments, six on each of ten days, next week and the one after. */
beforeEach(async () => {
  clinic = await testApp();
  await clinic.app.stopJob('closings');
  await aClinic(clinic);
  await aProvider(clinic, { id: '102', firstName: 'Noah', lastName: 'Reyes' });
  casey = await aPatient(clinic, { firstName: 'Casey', lastName: 'Morgan' });
  today = toClinic(now()).date;
  for (let at = 0; at < 10; at += 1) await booked(6, 5 + at);
  await as('receptionist');
});
afterEach(() => clinic.close());

const now = () => clinic.clock.now();
async function as(role: StaffRole) {
  const member = await aStaffMember(clinic, role, { name: 'Robin Lee' });
  robin = member.id;
  cookie = await deskSession(clinic, member);
  return member;
}
async function booked(count: number, day: number, providerId = '102'): Promise<string[]> {
  const date = addDays(today, day);
  const rows = Array.from({ length: count }, (_, at) => ({
    id: crypto.randomUUID(),
    patientId: casey.id,
    recordId: casey.recordId ?? '',
    providerId,
    type: 'O',
    start: startOfDay(date) + 10 * 3600 + at * 300,
    end: startOfDay(date) + 10 * 3600 + (at + 1) * 300,
    clinicDate: date,
    state: 'booked' as const,
    bookingNumber: `${date} ${at}`,
    createdAt: now() - 60,
    changedAt: now() - 60,
  }));
  await clinic.database.db.insert(appointment).values(rows);
  return rows.map(({ id }) => id);
}
const span = (first: number, days: number, providerIds = ['101', '102']) => ({
  providerIds,
  from: startOfDay(addDays(today, first)),
  to: startOfDay(addDays(today, first + days)),
});
const close = (body: object, key: string = crypto.randomUUID()) =>
  askDesk(clinic, 'deskCloseTime', { cookie, body, headers: { 'idempotency-key': key } });
const foresee = async (body: object) =>
  (await askDesk(clinic, 'deskForeseeClosing', { cookie, body })).answer().extras.verdict;
const closings = async () =>
  (await askDesk(clinic, 'deskClosings', { cookie })).answer().extras.closings;
const stop = (id: string) =>
  askDesk(clinic, 'deskReopenTime', { cookie, params: { id }, body: {} });
const cancel = (id: string, wantedBy: 'clinic' | 'patient' = 'clinic') =>
  askDesk(clinic, 'deskCancelAppointment', { cookie, params: { id }, body: { wantedBy } });
const work = () => workOnClosing({ ...clinic.platform, appointments, emrBook });
const cancelled = async () =>
  (await clinic.database.db.select().from(appointment).where(eq(appointment.state, 'cancelled')))
    .length;
const told = async () =>
  (await clinic.mails()).filter(({ subject }) => subject.includes('Robin Lee'));

describe('What harms many (S-18)', () => {
  // Shows: S-18
  test('a receptionist’s year is refused: nothing is closed, nobody is told', async () => {
    expect(await foresee(span(0, 365))).toBe('refused');
    expect((await close(span(0, 365))).code()).toBe('harmsMany');
    expect(await closings()).toEqual([]);
    expect(await work()).toBe('nothing');
    expect(await clinic.mails()).toEqual([]);
  });

  // Shows: S-18
  test('a manager’s, stopped at minute 4 by a receptionist, cancels and mails nobody', async () => {
    const other = await as('manager');
    await as('manager');
    expect(await foresee(span(0, 365))).toBe('waits');
    const { id } = (await close(span(0, 365))).answer().extras;
    const waitsUntil = now() + STOPPABLE_SECONDS;
    expect((await told()).map(({ to }) => to)).toContain(other.email);
    expect((await told())[0]?.text).toContain('60 appointments stand');
    expect(await closings()).toMatchObject([{ id, waitsUntil, reopened: null }]);
    expect(await work()).toBe('nothing');
    // Whom no email would reach is not to be called either, as long as it can be stopped.
    await clinic.database.inTransaction((tx) =>
      tx.execute('update patient set bounced_at_s = 1, bounced_email = email'),
    );
    const { entries } = (await askDesk(clinic, 'deskClosing', { cookie, params: { id } })).answer()
      .extras;
    expect(new Set(entries.map(({ email }) => email))).toEqual(new Set(['waiting']));

    await as('receptionist');
    clinic.clock.advance(4 * 60);
    expect(await work()).toBe('nothing');
    (await stop(id)).answer();
    expect(await closings()).toMatchObject([{ waitsUntil: null, reopened: { by: 'Robin Lee' } }]);
    clinic.clock.advance(60 * 60);
    expect(await work()).toBe('nothing');
    expect(await cancelled()).toBe(0);
    expect((await clinic.mails()).filter(({ to }) => to === casey.email)).toEqual([]);
  });

  test('one that nobody stops is carried out after 5 minutes, but for who came meanwhile', async () => {
    await as('manager');
    await clinic.database.db.insert(appointment).values({
      id: crypto.randomUUID(),
      patientId: casey.id,
      recordId: casey.recordId ?? '',
      providerId: '102',
      type: 'O',
      start: now() - (now() % 300) + 300,
      end: now() - (now() % 300) + 600,
      clinicDate: today,
      state: 'booked',
      createdAt: now() - 60,
      changedAt: now() - 60,
    });
    (await close(span(0, 365))).answer();
    clinic.clock.advance(STOPPABLE_SECONDS);
    expect(await work()).toBe('done');
    expect(await cancelled()).toBe(60);
    expect(await closings()).toMatchObject([{ total: 61, known: 61, waitsUntil: null }]);
  });

  test('to stop one asks for no code, to open another again does', async () => {
    await as('manager');
    const { id } = (await close(span(0, 365))).answer().extras;
    await as('receptionist');
    const small = (await close(span(20, 1))).answer().extras.id;
    await clinic.database.inTransaction((tx) =>
      tx.execute(`update staff_session set factor_at_s = ${now() - RECENT_FACTOR}`),
    );
    expect((await stop(small)).code()).toBe('factorNeeded');
    (await stop(id)).answer();
  });

  test('a receptionist closes one provider’s full day at once, and today and tomorrow with the wait', async () => {
    await booked(50, 30);
    expect(await foresee(span(30, 1, ['102']))).toBe('atOnce');
    const { id } = (await close(span(30, 1, ['102']))).answer().extras;
    expect(await closings()).toMatchObject([{ id, waitsUntil: null }]);
    expect(await told()).toEqual([]);
    // What was done counts for what follows.
    expect(await foresee(span(31, 1, ['102']))).toBe('refused');
    expect((await close(span(31, 1, ['102']))).code()).toBe('harmsMany');
    expect(await foresee(span(0, 2))).toBe('waits');
    (await close(span(0, 2))).answer();
    expect((await closings())[0]?.waitsUntil).toBe(now() + STOPPABLE_SECONDS);
  });

  test('counts closings and single cancellations together, for a day', async () => {
    (await close(span(5, 6))).answer();
    const later = await booked(5, 40);
    for (const id of later.slice(0, 4)) (await cancel(id)).answer();
    expect((await cancel(later[4] ?? '')).code()).toBe('harmsMany');
    // An answer that was lost is not refused.
    (await cancel(later[0] ?? '')).answer();
    clinic.clock.advance(24 * 60 * 60);
    cookie = await deskSession(clinic, { id: robin });
    (await cancel(later[4] ?? '')).answer();
  });

  test('counts requests at the same moment one after the other', async () => {
    const ids = await booked(50, 40);
    await Promise.all(ids.map((id) => cancel(id)));
    expect(await cancelled()).toBe(40);
    cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    await Promise.all([0, 1, 2].map((at) => close(span(60 + 14 * at, 14))));
    expect(await closings()).toHaveLength(1);
  });

  test('counts what patients wish apart, up to 120', async () => {
    const ids = (await Promise.all([40, 41].map((day) => booked(61, day)))).flat();
    for (const id of ids.slice(0, MOST_WISHED)) (await cancel(id, 'patient')).answer();
    // As many calls as are taken within a quarter of an hour.
    clinic.clock.advance(15 * 60);
    cookie = await deskSession(clinic, { id: robin });
    expect((await cancel(ids[MOST_WISHED] ?? '', 'patient')).code()).toBe('harmsMany');
    (await cancel(ids[MOST_WISHED] ?? '')).answer();
    expect(await cancelled()).toBe(MOST_WISHED + 1);
  });

  test.each([
    ['patient', MOST_WISHED],
    ['clinic', MOST_APPOINTMENTS],
  ] as const)(
    'of what a %s wants two processes let no more through than one',
    async (wantedBy, most) => {
      const staff = { id: robin, roles: ['receptionist' as const], factorAt: now() };
      const [one, other] = [harmAtDesk(clinic.platform), harmAtDesk(clinic.platform)] as const;
      const all = Array.from({ length: most + 3 }, (_, at) =>
        (at % 2 === 0 ? one : other).change(staff, { wantedBy, now: now() }, () =>
          Promise.resolve('done'),
        ),
      );
      const outcomes = await Promise.all(all);
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(most);
      // What was refused or failed is not counted.
      clinic.clock.advance(25 * 60 * 60);
      const failing = () => Promise.resolve(false as const);
      for (let at = 0; at < 3; at += 1) await one.change(staff, { wantedBy, now: now() }, failing);
      const again = { wantedBy, now: now() };
      const more = Array.from({ length: most }, () =>
        one.change(staff, again, () => Promise.resolve('done')),
      );
      expect(new Set(await Promise.all(more))).toEqual(new Set(['done']));
    },
  );

  test('a manager goes on after a recent code, and every manager is told, once an hour', async () => {
    await as('manager');
    const ids = await booked(43, 40);
    for (const id of ids.slice(0, 40)) (await cancel(id)).answer();
    expect(await told()).toEqual([]);
    clinic.clock.advance(RECENT_FACTOR);
    expect((await cancel(ids[40] ?? '')).code()).toBe('factorNeeded');
    cookie = await deskSession(clinic, { id: robin });
    for (const id of ids.slice(40)) (await cancel(id)).answer();
    expect(await told()).toHaveLength(1);
    expect(await trail('managers told')).toHaveLength(1);
  });

  test('a closing that waits stands among them, and whoever does not see the schedule stops it too', async () => {
    await as('manager');
    const { id } = (await close(span(0, 365))).answer().extras;
    await as('clinician');
    const waitsUntil = now() + STOPPABLE_SECONDS;
    expect(await acts()).toMatchObject([
      { id, act: 'close', n: 60, waitsUntil, time: { providers: [] }, isOwn: false },
    ]);
    clinic.clock.advance(4 * 60);
    (await stopAct(id)).answer();
    expect(await acts()).toEqual([]);
    (await stopAct(id)).answer();
    expect((await stopAct(crypto.randomUUID())).code()).toBe('notFound');
    await as('receptionist');
    const small = (await close(span(20, 1))).answer().extras.id;
    expect((await stopAct(small)).code()).toBe('stopOver');
  });
});

const acts = async () => (await askDesk(clinic, 'deskWaiting', { cookie })).answer().extras.acts;
const stopAct = (id: string) => askDesk(clinic, 'deskStop', { cookie, params: { id }, body: {} });

const trail = (action: string) =>
  clinic.database.db.select().from(audit).where(eq(audit.action, action));
