import { toInstant } from '@clinic/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskClinic, deskSession } from '../../../../testing/desk.ts';
import { type PatientRow, type TestApp, aPatient, aProvider } from '../../../../testing/index.ts';
import { scheduleDay } from '../../../schema.ts';

const TODAY = '2026-11-21';
const MONDAY = '2026-11-23';
const TUESDAY = '2026-11-24';
const ANY = { kind: 'earlier', type: null, providerId: null, from: null, to: null };
let clinic: TestApp;
let casey: PatientRow;
let ola: PatientRow;
let cookie: string;

beforeEach(async () => {
  ({ clinic, casey, cookie } = await deskClinic());
  ola = await aPatient(clinic, { firstName: 'Ola', lastName: 'Berg', recordId: 'B7' });
});
afterEach(() => clinic.close());

const cancelled = async (date = TODAY, who = cookie, headers = {}) =>
  (await askDesk(clinic, 'deskCancelled', { cookie: who, params: { date }, headers })).answer()
    .extras.appointments;
const book = async (date: string, time: string, patient = casey) => {
  const body = { type: 'O', providerId: '101', start: toInstant(date, time) };
  const asked = { ...body, overrideReason: 'other' };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const params = { id: patient.id };
  return (await askDesk(clinic, 'deskBook', { cookie, params, headers, body: asked })).answer()
    .extras.id;
};
const cancel = async (id: string, wantedBy = 'patient') =>
  (
    await askDesk(clinic, 'deskCancelAppointment', {
      cookie,
      params: { id },
      body: { wantedBy, ...(wantedBy === 'patient' && { overrideReason: 'other' }) },
    })
  ).answer();
const wish = async (over: object = {}, patient = ola) => {
  const params = { id: patient.id, entryId: crypto.randomUUID() };
  const body = { ...ANY, ...over };
  (await askDesk(clinic, 'deskNoteWish', { cookie, params, body })).answer();
};

// Shows: R-136
describe('The cancelled appointments of a day', () => {
  test('are those of the day, and of later days those that were cancelled on it, until it is undone', async () => {
    const today = await book(TODAY, '11:00');
    const later = await book(TUESDAY, '11:00', ola);
    expect(await cancelled()).toEqual([]);
    const undo = (await cancel(today)).extras.undo;
    await cancel(later, 'clinic');
    const at = { cancelledAt: clinic.clock.now(), by: 'Robin Lee', place: 'free' };
    const first = { patient: 'Morgan, Casey', provider: 'A. Stone', wantedBy: 'patient' };
    const second = { patient: 'Berg, Ola', start: toInstant(TUESDAY, '11:00') };
    expect(await cancelled()).toMatchObject([
      { ...at, ...first, id: today, description: 'In-person visit', overrideReason: 'other' },
      { ...at, ...second, id: later, wantedBy: 'clinic', overrideReason: null },
    ]);
    expect(await cancelled(MONDAY)).toEqual([]);
    const params = { act: undo?.act ?? '' };
    (await askDesk(clinic, 'deskUndo', { cookie, params, body: {} })).answer();
    for (const date of [TODAY, TUESDAY])
      expect((await cancelled(date)).map(({ id }) => id)).toEqual([later]);
  });

  test('say whether the time is free, and who wishes for such a one, with whom to call', async () => {
    await cancel(await book(MONDAY, '11:00'));
    const reads = async () =>
      (await cancelled(MONDAY)).map(({ place, wishes }) => [place, wishes.length]);
    await aProvider(clinic, { id: '102', firstName: 'Noah', lastName: 'Reyes' });
    const others = [{ type: 'P' }, { providerId: '102' }, { from: TUESDAY }, { to: '2026-11-22' }];
    for (const other of others) await wish(other);
    await wish({}, casey);
    expect(await reads()).toEqual([['free', 0]]);
    await wish({ kind: 'followUp', type: 'O', providerId: '101', from: MONDAY, to: MONDAY });
    expect((await cancelled(MONDAY))[0]?.wishes).toMatchObject([
      {
        recordId: 'B7',
        name: 'Berg, Ola',
        phone: '6045550100',
        kind: 'followUp',
        type: 'O',
        description: 'In-person visit',
      },
    ]);
    await book(MONDAY, '11:00', ola);
    expect(await reads()).toEqual([['taken', 0]]);
    await cancel(await book(MONDAY, '11:30'));
    const codes = '_'.repeat(288);
    await clinic.database.inTransaction((tx) => tx.update(scheduleDay).set({ codes }));
    expect(await reads()).toEqual([
      ['taken', 0],
      ['closed', 0],
    ]);
    clinic.clock.set(toInstant(MONDAY, '11:30'));
    cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    expect(await reads()).toEqual([
      ['over', 0],
      ['over', 0],
    ]);
  });

  test('are a look that names whom it showed; a clinician sees their own, and no wishes', async () => {
    await cancel(await book(MONDAY, '11:00'));
    await wish();
    await cancelled(MONDAY);
    // The list that lies open follows the day.
    await cancelled(MONDAY, cookie, { 'x-background': '1' });
    expect(await clinic.trail('cancelled appointments shown')).toMatchObject([
      { subject: `day:${MONDAY}`, details: { found: [casey.recordId, 'B7'] } },
    ]);
    const as = async (providerId: string) =>
      cancelled(
        MONDAY,
        await deskSession(clinic, await aStaffMember(clinic, 'clinician', { providerId })),
      );
    expect(await as('101')).toMatchObject([{ patient: 'Morgan, Casey', wishes: [] }]);
    expect(await as('102')).toEqual([]);
  });
});
