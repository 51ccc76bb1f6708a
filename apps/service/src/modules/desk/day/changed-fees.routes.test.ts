import { toInstant } from '@clinic/domain';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aPayment } from '../../../../testing/a-clinic.ts';
import { type SomeStaff, askDesk, deskClinic } from '../../../../testing/desk.ts';
import type { PatientRow, TestApp } from '../../../../testing/index.ts';
import { appointment, payment } from '../../../schema.ts';

let clinic: TestApp;
let casey: PatientRow;
let robin: SomeStaff;
let cookie: string;

beforeEach(async () => {
  const patient = { eligibility: 'NE', healthCardUploaded: true, pictureIdUploaded: true };
  ({ clinic, casey, robin, cookie } = await deskClinic('receptionist', { patient }));
});
afterEach(() => clinic.close());

const become = async (eligibility: string) => {
  const body = { eligibility };
  const made = await askDesk(clinic, 'deskChangePatient', {
    cookie,
    params: { id: casey.id },
    body,
  });
  return made.answer().extras?.fees;
};
async function booked(of: string = casey.id, time = '11:00') {
  const start = toInstant('2026-11-23', time);
  const body = { type: 'O', providerId: '101', start, overrideReason: 'urgent' };
  return (await askDesk(clinic, 'deskBook', { cookie, params: { id: of }, body })).answer().extras;
}
const apply = async (...appointmentIds: string[]) =>
  (await askDesk(clinic, 'deskApplyFees', { cookie, body: { appointmentIds } })).answer().extras;
const feeOf = async (id: string) => {
  const [row] = await clinic.database.db.select().from(appointment).where(eq(appointment.id, id));
  return row?.feeAtClinic;
};
const applied = () => clinic.trail('fee changed after eligibility');

describe('Fees ahead after a change of card or eligibility (R-127)', () => {
  // Shows: R-127
  test('are listed, and none is owed by who is covered now, once staff have pressed', async () => {
    const { id, start, feeCents } = await booked();
    const fee = { appointmentId: id, start, type: 'In-person visit', oldCents: feeCents };
    const listed = [{ ...fee, newCents: 0, paidBy: null }];
    expect(await become('E')).toEqual(listed);
    expect(await feeOf(id)).toEqual({ cents: feeCents });
    // Asked again after a lost answer.
    expect(await become('E')).toEqual(listed);
    expect(await apply(id)).toEqual({ fees: [], paid: [] });
    expect(await apply(id)).toEqual({ fees: [], paid: [] });
    expect(await feeOf(id)).toBeNull();
    expect(await applied()).toMatchObject([
      {
        actor: `staff:${robin.id}`,
        subject: `appointment:${id}`,
        details: { oldCents: feeCents, newCents: 0 },
      },
    ]);
  });

  // Shows: R-127
  test('are asked of who is not covered any more only after the press', async () => {
    await become('E');
    const { id } = await booked();
    const fees = await become('NE');
    expect(fees).toMatchObject([{ appointmentId: id, oldCents: 0, paidBy: null }]);
    const cents = fees?.[0]?.newCents ?? 0;
    expect(cents).toBeGreaterThan(0);
    expect(await feeOf(id)).toBeNull();
    await apply(id);
    expect(await feeOf(id)).toEqual({ cents });
    // Back again, as after a mistake.
    await become('E');
    await apply(id);
    expect(await feeOf(id)).toBeNull();
  });

  // Shows: R-127
  test('that were paid by card are named and stay, as do those that were given back', async () => {
    const { id, feeCents } = await booked();
    await clinic.database.inTransaction((tx) => tx.update(appointment).set({ feeAtClinic: null }));
    const paid = { patientId: casey.id, appointmentId: id, amountCents: feeCents };
    await aPayment(clinic.database, paid);
    const listed = [{ appointmentId: id, oldCents: feeCents, newCents: 0, paidBy: 'card' }];
    expect(await become('E')).toMatchObject(listed);
    expect(await apply(id)).toMatchObject({ fees: listed, paid: [id] });
    await clinic.database.inTransaction((tx) => tx.update(payment).set({ state: 'refunded' }));
    expect(await become('NE')).toEqual([]);
    expect(await apply(id)).toEqual({ fees: [], paid: [] });
    expect(await feeOf(id)).toBeNull();
    expect(await applied()).toEqual([]);
  });

  // Shows: R-127
  test.each([
    ['deskTakeFee', { means: 'cash' }],
    ['deskWaiveFee', { reason: 'other' }],
  ] as const)('stay where %s came before the press', async (call, body) => {
    const { id } = await booked();
    const other = await booked(casey.id, '11:40');
    expect(await become('E')).toHaveLength(2);
    (await askDesk(clinic, call, { cookie, params: { id }, body })).answer();
    const before = await feeOf(id);
    const isTaken = call === 'deskTakeFee';
    // What was taken is pointed out, there and on the card: a manager may give it back.
    const overpaid = isTaken ? [{ appointmentId: id, newCents: 0, paidBy: 'clinic' }] : [];
    expect(await apply(id, other.id)).toMatchObject({ fees: overpaid, paid: isTaken ? [id] : [] });
    const look = {
      cookie,
      params: { id: casey.id },
      body: { lookReason: 'patientCalled' },
    } as const;
    const { onCard } = (await askDesk(clinic, 'deskOpenPatient', look)).answer().extras;
    expect(onCard?.overpaid).toMatchObject(overpaid);
    expect(await feeOf(id)).toEqual(before);
    expect(await feeOf(other.id)).toBeNull();
    // Who is not covered again owes what was noted.
    expect(await become('NE')).toMatchObject([{ appointmentId: other.id }]);
  });

  // Shows: R-127
  test('follow the card of a record without an account, and leave others alone', async () => {
    const standing = await booked();
    const details = { firstName: 'Ada', lastName: 'Byron', birthDate: '1984-05-17' };
    const requestId = crypto.randomUUID();
    const added = await askDesk(clinic, 'deskAddPatient', {
      cookie,
      body: { requestId, ...details, card: { province: 'Other', number: '' } },
    });
    const { recordId } = added.answer().extras;
    const { id, feeCents } = await booked(recordId, '11:40');
    const corrected = await askDesk(clinic, 'deskCorrectPatient', {
      cookie,
      params: { id: recordId },
      body: {
        checked: 'photoIdSeen',
        ...details,
        card: { province: 'BC', number: validBcNumber(77_000) },
      },
    });
    const listed = [{ appointmentId: id, oldCents: feeCents, newCents: 0 }];
    expect(corrected.answer().extras?.fees).toMatchObject(listed);
    expect(await apply(id, crypto.randomUUID())).toEqual({ fees: [], paid: [] });
    expect([await feeOf(id), await feeOf(standing.id)]).toEqual([
      null,
      { cents: standing.feeCents },
    ]);
  });
});
