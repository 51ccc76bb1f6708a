import { type CallAnswer, deskCalls } from '@clinic/contract';
import {
  type DateSpan,
  addDays,
  mayAny,
  mayGiveBack,
  moneyStateOf,
  startOfDay,
  takingsOf,
} from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { route } from '../../server/http.ts';
import { refuse } from '../../server/refusal.ts';
import { GatewayError, called, giveBack, paymentPorts, reconcile } from '../payments/index.ts';
import { isLook } from './door.ts';
import { type PaidAtClinic, type PaidOnline, paidAtClinic, paidOnline } from './money.store.ts';

type MoneyRow = CallAnswer<'deskMoney'>['extras']['rows'][number];

/** The most payments shown at once. */
const MOST_ROWS = 500;
const DAY_SECONDS = 86_400;
/** How long one request compares payments; its answer says how many it left. */
const COMPARING_SECONDS = 20;

/** Payments, refunds, and the comparison with the card company's records. */
export function registerMoney(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, realtime, cardPayments } = platform;
  const { db } = database;

  route(app, deskCalls.deskMoney, async ({ query: { state, ...days }, staff, now, ...asked }) => {
    const span = [startOfDay(days.from), startOfDay(addDays(days.to, 1))] as const;
    const [online, atClinic] = await database.readAside((aside) =>
      Promise.all([paidOnline(aside, ...span), paidAtClinic(aside, ...span)]),
    );
    const look = { action: 'payments shown', subject: `days:${days.from}` };
    if (await isLook(db, { staff, isBackground: asked.isBackground }, look))
      await database.inTransaction((tx) =>
        appendAudit(tx, {
          ...look,
          actor: `staff:${staff.id}`,
          details: { to: days.to },
          at: now,
        }),
      );
    const all = [
      ...online.map((paid) => rowOnline(paid, staff)),
      ...atClinic.map((paid) => rowAtClinic(paid, staff)),
    ].sort((one, other) => other.at - one.at);
    const wanted = all.filter((row) => state === undefined || row.state === state);
    return {
      success: true as const,
      extras: {
        rows: wanted.slice(0, MOST_ROWS),
        hasMore: wanted.length > MOST_ROWS,
        days: takingsOf(all).filter(({ date }) => isWithin(days, date)),
      },
    };
  });

  route(app, deskCalls.deskRefund, async ({ params: { id }, body: { reason }, staff, now }) => {
    if (cardPayments === undefined) return refuse('noCardPayments');
    const ports = paymentPorts(platform, cardPayments);
    const given = await giveBack(ports, id, reason, { actor: `staff:${staff.id}`, now });
    if (given.kind === 'refused') return refuse(given.code);
    realtime.sayTo(given.payment.patientId, 'appointments');
    realtime.sayToDesk();
    return { success: true as const, extras: { state: given.state } };
  });

  route(app, deskCalls.deskReconcile, async ({ body: { days }, staff, now }) => {
    if (cardPayments === undefined) return refuse('noCardPayments');
    const ports = paymentPorts(platform, cardPayments);
    const since = now - days * DAY_SECONDS;
    const until = now + COMPARING_SECONDS;
    const report = await called(ports, { kind: 'reconcile' }, () => reconcile(ports, since, until));
    if (report instanceof GatewayError) return refuse('cardCompanyUnreachable');
    await database.inTransaction((tx) =>
      appendAudit(tx, {
        actor: `staff:${staff.id}`,
        action: 'payments reconciled',
        subject: 'payments:all',
        details: { days, differences: report.differences.length, left: report.left },
        at: now,
      }),
    );
    return { success: true as const, extras: { ...report, differences: [...report.differences] } };
  });
}

const isWithin = ({ from, to }: DateSpan, date: string) => from <= date && date <= to;

function rowOnline(
  { state: paymentState, alarm, ...paid }: PaidOnline,
  { roles }: SignedInStaff,
): MoneyRow {
  const state = moneyStateOf(paymentState, paid.refundReason !== null);
  return {
    ...paid,
    means: null,
    refundMeans: null,
    state,
    paymentState,
    isAlarming: alarm !== null,
    isRefundable:
      paid.refundReason === null && mayGiveBack(paymentState) && mayAny(roles, 'refund'),
  };
}

const rowAtClinic = (paid: PaidAtClinic, { roles }: SignedInStaff): MoneyRow => ({
  ...paid,
  state: paid.refundedAt === null ? 'captured' : 'refunded',
  paymentState: null,
  isAlarming: false,
  isRefundable: paid.refundedAt === null && mayAny(roles, 'takeFee'),
  reference: null,
});
