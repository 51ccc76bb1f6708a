import { expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import {
  type TestApp,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
  testDatabase,
  unlimitedRates,
} from '../../../testing/index.ts';
import { violations } from '../../../testing/invariants.ts';
import { charge, paymentRows, portsOf, privateAppointment } from '../../../testing/paying.ts';
import { practicePayments } from '../../../testing/practice-payments.ts';
import { appointments, expireHolds } from '../appointments/index.ts';
import { emrBook, retryCancellations, placeInEmr, resolveUnknown } from '../emr/index.ts';
import { reconcile } from './reconcile.ts';
import { sweepPayments } from './advance-payment.ts';
import { advancePaymentOfIntent } from './webhook.ts';

const MINUTE = 60;
const DAY = 86_400;
const EMR_HAS_SECONDS = 31 * MINUTE;

const WAYS = ['desk', 'deskWhileAway', 'webhook', 'reconcile'] as const;
const WHENS = ['before', 'during', 'after'] as const;
/** What becomes of the appointment, and what the EMR then does with it. */
const CHANGES = [
  'moveWritten',
  'moveNotWritten',
  'movedTwice',
  'moveAndStaffCancel',
  'cancel',
  'cancelByClinic',
] as const;

type Change = (typeof CHANGES)[number];
type Way = (typeof WAYS)[number];

async function aClinicOnCards() {
  const database = await testDatabase();
  const emr = fakeEmr({ days: null });
  const away = { isAway: false };
  const clock = { now: (): number => clinic.clock.now() };
  const cards = practicePayments(database, clock, () => (away.isAway ? 'dropBefore' : null));
  const { reports, cardPayments, gateway } = cards;
  const clinic: TestApp = await testApp({
    database,
    emr,
    reports,
    cardPayments,
    config: { rates: unlimitedRates() },
  });
  await aClinic(clinic);
  const manager = await aStaffMember(clinic, 'manager');
  return { clinic, emr, away, gateway, manager };
}

type Stage = Awaited<ReturnType<typeof aClinicOnCards>>;

/** What jobs do every few seconds. */
async function jobs({ clinic: { platform, clock, ...clinic } }: Stage): Promise<void> {
  const ports = { ...platform, appointments, emrBook };
  await expireHolds(ports, clock.now());
  await resolveUnknown(ports, clock.now());
  await retryCancellations(ports, clock.now());
  await sweepPayments(portsOf(clinic));
  await platform.outbox.drain();
}

/** A paid appointment, its payment, and the changes that it may meet. */
async function aPaidAppointment(stage: Stage, change: Change, n: number) {
  const { clinic, emr, manager } = stage;
  const papers = { healthCardUploaded: true, pictureIdUploaded: true };
  const patient = await aPatient(clinic, { eligibility: 'NR', ...papers });
  const token = await signIn(clinic, patient);
  // Patients cancel only what cost little.
  const isSmall = change === 'cancel';
  const [selectedType, hour, amount] = isSmall
    ? (['O', '08', 10] as const)
    : (['V', '13', 200] as const);
  const start = toInstant('2026-11-26', `${hour}:00`) + (n % 12) * 300;
  const slot = (days: number) => {
    const at = start + days * DAY;
    return { selectedType, start: at, end: at + 300 };
  };
  const paid = (await charge(clinic, token, privateAppointment({ ...slot(0), amount }))).answer;
  const id = paid.extras.appointment?.id ?? '';
  const payment = (await paymentRows(clinic)).at(-1);
  if (!payment?.intentId) throw new Error(`Nothing was paid: ${paid.extras.code}`);
  const move = (days: number, rescheduleOf: string) =>
    ask(clinic, 'createBooking', {
      token,
      body: { doctor: '101', ...slot(days), reason: 'A cough', rescheduleOf },
    });
  const lose = (answer: 'written' | 'notWritten') => void (emr.faults.loseNextAnswer = answer);
  const begin: Readonly<Record<Change, () => Promise<unknown>>> = {
    moveWritten: () => (lose('written'), move(1, id)),
    moveNotWritten: () => (lose('notWritten'), move(1, id)),
    movedTwice: async () => {
      const moved = (await move(1, id)).answer().extras.appointment;
      lose('written');
      return move(2, moved.id);
    },
    moveAndStaffCancel: async () => {
      lose('written');
      await move(1, id);
      emr.staff.cancel(placeInEmr({ providerId: '101', start, end: start, id }).key);
    },
    cancel: () => (lose('written'), ask(clinic, 'cancelAppointment', { token, params: { id } })),
    cancelByClinic: async () =>
      askDesk(clinic, 'deskCancelAppointment', {
        cookie: await deskSession(clinic, manager),
        params: { id },
        body: { wantedBy: 'clinic' },
      }),
  };
  return { patient, payment: payment.id, intent: payment.intentId, amount, begin: begin[change] };
}

/** What the patient's pages show as paid of what is booked, in dollars. */
async function shownAsPaid({ clinic }: Stage, patient: Parameters<typeof signIn>[1]) {
  const token = await signIn(clinic, patient);
  const { appointments: listed } = (
    await ask(clinic, 'listAppointments', { token, query: { all: 'true' } })
  ).answer();
  return listed
    .filter(({ status, paidAmount }) => status === 'booked' && paidAmount > 0)
    .map(({ paidAmount }) => paidAmount);
}

/** Refunds the payment; staff who are refused because its fee is moving do it once it has moved. */
async function refund(
  { clinic, gateway, away, manager }: Stage,
  way: Way,
  { payment, intent, amount }: { payment: string; intent: string; amount: number },
): Promise<string> {
  if (way === 'desk' || way === 'deskWhileAway') {
    const cookie = await deskSession(clinic, manager);
    away.isAway = way === 'deskWhileAway';
    const body = { reason: 'goodwill' } as const;
    const asked = await askDesk(clinic, 'deskRefund', { cookie, params: { id: payment }, body });
    away.isAway = false;
    return asked.statusCode === 200 ? 'refunded' : asked.code();
  }
  // The card company refunds nothing twice.
  await gateway.refund(`dashboard:${payment}`, intent, amount * 100).catch(() => undefined);
  if (way === 'webhook') await advancePaymentOfIntent(portsOf(clinic), intent);
  else await reconcile(portsOf(clinic), clinic.clock.now() - 8 * DAY);
  return 'refunded';
}

const stories = WAYS.flatMap((way) => WHENS.map((when) => ({ way, when })));

// Shows
test.each(CHANGES)(
  'However and whenever a fee is refunded beside %s, it goes back once, and nothing calls it paid',
  async (change) => {
    const stage = await aClinicOnCards();
    const { clinic, emr } = stage;
    const untrue = new Set<string>();
    const later = async (seconds: number) => {
      clinic.clock.advance(seconds);
      await jobs(stage);
    };
    for (const [n, { way, when }] of stories.entries()) {
      const told = (what: string) => untrue.add(`${way} ${when}: ${what}`);
      const paid = await aPaidAppointment(stage, change, n);
      let first = when === 'before' ? await refund(stage, way, paid) : '';
      if (way === 'deskWhileAway' && when === 'before') {
        for (const amount of await shownAsPaid(stage, paid.patient))
          told(`while it goes back, a page shows ${amount} as paid`);
        for (const found of await violations(clinic.database.db, clinic.clock.now())) told(found);
      }
      await paid.begin();
      emr.faults.loseNextAnswer = null;
      if (when === 'during') first = await refund(stage, way, paid);
      await later(MINUTE);
      if (when === 'after') first = await refund(stage, way, paid);
      // What the EMR has not written it may still write, for half an hour.
      const isOpen = when === 'during' || (change === 'moveNotWritten' && when === 'after');
      const isMoving = change.startsWith('move') && isOpen && way.startsWith('desk');
      if ((first === 'feeMoving') !== isMoving) told(`the refund was answered ${first}`);
      await later(EMR_HAS_SECONDS);
      if (isMoving) await refund(stage, way, paid);
      await later(EMR_HAS_SECONDS);
      await later(MINUTE);
      const row = (await paymentRows(clinic)).find(({ id }) => id === paid.payment);
      if (row?.state !== 'refunded') told(`the payment is ${row?.state}`);
      const { refund: back } = (await stage.gateway.retrieve(paid.intent)) ?? {};
      if (back?.amountCents !== paid.amount * 100) told(`${back?.amountCents} cents went back`);
      for (const amount of await shownAsPaid(stage, paid.patient))
        told(`a page shows ${amount} as paid`);
      for (const found of await violations(clinic.database.db, clinic.clock.now()))
        if (![...untrue].some((each) => each.endsWith(found))) told(found);
    }
    await clinic.close();
    expect([...untrue]).toEqual([]);
  },
);
