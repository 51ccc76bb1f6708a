import { toInstant } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type SomeStaff,
  aStaffMember,
  askDesk,
  deskClinic,
  deskSession,
  mailsOfActs,
} from '../../../../testing/desk.ts';
import type { PatientRow, TestApp } from '../../../../testing/index.ts';
import { patient } from '../../../schema.ts';

const MONDAY = '2026-11-23';

let clinic: TestApp;
let casey: PatientRow;
let robin: SomeStaff;
let cookie: string;

beforeEach(async () => {
  ({ clinic, casey, robin, cookie } = await deskClinic());
  await covered('NE');
});
afterEach(() => clinic.close());

const covered = (eligibility: string) =>
  clinic.database.inTransaction((tx) =>
    tx
      .update(patient)
      .set({ eligibility, healthCardUploaded: true, pictureIdUploaded: true })
      .where(eq(patient.id, casey.id)),
  );

/** Books at the desk what has a fee. */
async function booked(time = '11:00') {
  const body = { type: 'O', providerId: '101', start: toInstant(MONDAY, time) };
  const made = await askDesk(clinic, 'deskBook', { cookie, params: { id: casey.id }, body });
  return made.answer().extras;
}
const put =
  (call: 'deskTakeFee' | 'deskWaiveFee' | 'deskFeeBack' | 'deskStrikeFee') =>
  (id: string, body: object) =>
    askDesk(clinic, call, { cookie, params: { id }, body });
const [take, waive, giveBack, strike] = [
  put('deskTakeFee'),
  put('deskWaiveFee'),
  put('deskFeeBack'),
  put('deskStrikeFee'),
];
const opened = async (id: string) =>
  (
    await askDesk(clinic, 'deskOpenAppointment', {
      cookie,
      params: { id },
      body: { lookReason: 'payment' },
    })
  ).answer().extras.feeAtClinic;
const onSheet = async () =>
  (await askDesk(clinic, 'deskDay', { cookie, params: { date: MONDAY } }))
    .answer()
    .extras.providers.flatMap(({ appointments }) => appointments.map(({ fee }) => fee));

describe('A fee that the clinic waives (R-126)', () => {
  // Shows: R-126
  test('is asked no more, with the reason on the trail, and noted once', async () => {
    const { id, feeCents } = await booked();
    (await waive(id, { reason: 'longWait' })).answer();
    // Asked again after a lost answer, it has been done; anything else is another note.
    (await waive(id, { reason: 'longWait' })).answer();
    expect((await waive(id, { reason: 'other' })).code()).toBe('appointmentChanged');
    expect((await take(id, { means: 'cash' })).code()).toBe('appointmentChanged');
    expect((await giveBack(id, { means: 'cash', reason: 'other' })).code()).toBe(
      'appointmentChanged',
    );
    expect(await clinic.trail('fee waived')).toMatchObject([
      {
        actor: `staff:${robin.id}`,
        subject: `appointment:${id}`,
        details: { cents: feeCents, reason: 'longWait' },
      },
    ]);
    expect(await onSheet()).toEqual(['waived']);
    const at = clinic.clock.now();
    expect(await opened(id)).toEqual({ cents: feeCents, waived: { reason: 'longWait', at } });
  });

  test('goes with an appointment that is moved, whose email asks for nothing, and is on no card', async () => {
    const { id } = await booked();
    (await waive(id, { reason: 'hardship' })).answer();
    const to = { providerId: '101', start: toInstant(MONDAY, '11:30') };
    const moving = await askDesk(clinic, 'deskMoveAppointment', {
      cookie,
      params: { id },
      body: to,
    });
    expect(moving.answer().extras.feeCents).toBe(0);
    expect((await mailsOfActs(clinic)).at(-1)?.text).not.toContain('Please pay the fee of');
    const look = { cookie, params: { id: casey.id }, body: { lookReason: 'record' } };
    const { onCard } = (await askDesk(clinic, 'deskOpenPatient', look)).answer().extras;
    expect(onCard?.fees).toEqual([]);
  });

  test('was none where nothing is due', async () => {
    await covered('E');
    const { id } = await booked();
    expect((await waive(id, { reason: 'other' })).code()).toBe('appointmentChanged');
    expect((await waive(crypto.randomUUID(), { reason: 'other' })).code()).toBe('notFound');
  });
});

describe('A note of a fee that is struck (R-126)', () => {
  // Shows: R-126
  test.each([
    ['waived', waive, { reason: 'other' }],
    ['taken', take, { means: 'cash' }],
  ] as const)('as %s leaves the fee due, and both notes on the trail', async (what, note, body) => {
    const { id, feeCents } = await booked();
    const at = clinic.clock.now();
    (await note(id, body)).answer();
    clinic.clock.advance(60);
    (await strike(id, { at })).answer();
    (await strike(id, { at })).answer();
    expect(await opened(id)).toEqual({ cents: feeCents });
    expect(await onSheet()).toEqual(['due']);
    expect(await clinic.trail(`note of a fee struck`)).toMatchObject([
      { actor: `staff:${robin.id}`, details: { cents: feeCents, what, at, by: robin.id, ...body } },
    ]);
    // What a late request names is struck already: the new note stands.
    (await note(id, body)).answer();
    expect((await strike(id, { at })).code()).toBe('appointmentChanged');
  });

  test('is one of the same day, by any colleague, and none of money that went back', async () => {
    const { id } = await booked();
    const at = clinic.clock.now();
    (await take(id, { means: 'debit' })).answer();
    clinic.clock.set(toInstant('2026-11-22', '00:00'));
    cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    expect((await strike(id, { at })).code()).toBe('appointmentChanged');
    (await giveBack(id, { means: 'debit', reason: 'mistake' })).answer();
    expect((await strike(id, { at: clinic.clock.now() })).code()).toBe('appointmentChanged');
    const other = await booked('11:40');
    (await waive(other.id, { reason: 'other' })).answer();
    const noted = clinic.clock.now();
    cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    (await strike(other.id, { at: noted })).answer();
    expect(await opened(other.id)).not.toHaveProperty('waived');
  });
});
