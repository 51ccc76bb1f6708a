import { type CallAnswer, deskCalls } from '@clinic/contract';
import {
  type DateSpan,
  addDays,
  daysBetween,
  mayAny,
  mayRefund,
  moneyStateOf,
  startOfDay,
  takingsOf,
} from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import type { SignedInStaff } from '../../../security/sessions.store.ts';
import { success } from '../../../server/responses.ts';
import { type RequestContext, route } from '../../../server/http.ts';
import { look, showing } from '../../../server/audited-reads.ts';
import { type Refusal, invalid, refuse } from '../../../server/refusal.ts';
import { GatewayError, tryCall, refundFee, paymentPorts, reconcile } from '../../payments/index.ts';
import {
  type PaidAtClinic,
  type PaidOnline,
  paidAtClinic,
  paidOnline,
  recordsOfPayments,
} from './money.store.ts';

type MoneyRow = CallAnswer<'deskMoney'>['extras']['rows'][number] & Pick<PaidOnline, 'recordId'>;

/** The most payments shown at once. */
const MOST_ROWS = 500;
/** The most days of one list: three months. */
const MOST_DAYS = 92;
const DAY_SECONDS = 86_400;
/** How long one request compares payments; its answer says how many it left. */
const COMPARING_SECONDS = 20;

/** Refuses days that are out of order, or more than `most`. */
export function refuseDays({ from, to }: DateSpan, most: number): Refusal | null {
  if (from > to) return invalid('to', 'rangeReversed');
  return daysBetween(from, to) < most ? null : invalid('to', 'periodTooLong', { n: most });
}

/** Payments, refunds, and the comparison with the card company's records. */
export function registerMoney(app: FastifyInstance, platform: Platform): void {
  const { database, realtime, cardPayments } = platform;

  route(app, deskCalls.deskMoney, async ({ query: { state, ...days }, staff, locale }) => {
    const refused = refuseDays(days, MOST_DAYS);
    if (refused) return refused;
    const all = await database.readAside((aside) => moneyRows(aside, days, { staff, locale }));
    const wanted = all.filter((row) => state === undefined || row.state === state);
    const rows = wanted.slice(0, MOST_ROWS);
    const extras = {
      rows,
      hasMore: wanted.length > MOST_ROWS,
      days: takingsIn(days, all),
    };
    return showing(
      extras,
      look(
        'payments shown',
        `days:${days.from}`,
        rows.flatMap(({ recordId }) => recordId ?? []),
        { details: { to: days.to }, refreshes: true },
      ),
    );
  });

  route(app, deskCalls.deskRefund, async ({ params: { id }, body: { reason }, who }) => {
    if (cardPayments === undefined) return refuse('noCardPayments');
    const ports = paymentPorts(platform, cardPayments);
    const given = await refundFee(ports, id, reason, who);
    if (given.kind === 'refused') return refuse(given.code);
    realtime.sayToDesk();
    return success({ state: given.state });
  });

  route(app, deskCalls.deskReconcile, async ({ body: { days }, now }) => {
    if (cardPayments === undefined) return refuse('noCardPayments');
    const ports = paymentPorts(platform, cardPayments);
    const since = now - days * DAY_SECONDS;
    const until = now + COMPARING_SECONDS;
    const report = await tryCall(ports, { kind: 'reconcile' }, () =>
      reconcile(ports, since, until),
    );
    if (report instanceof GatewayError) return refuse('cardCompanyUnreachable');
    const { left, differences } = report;
    const records = await recordsOfPayments(
      database.db,
      differences.flatMap(({ payment }) => payment ?? []),
    );
    return showing(
      { ...report, differences: [...differences] },
      look('payments reconciled', 'payments:all', records, {
        details: { days, differences: differences.length, left },
      }),
    );
  });
}

/** What was paid, or given back, on some days, the newest first. */
export async function moneyRows(
  db: Db,
  { from, to }: DateSpan,
  { staff, locale }: Pick<RequestContext<typeof deskCalls.deskMoney>, 'staff' | 'locale'>,
) {
  const span = [startOfDay(from), startOfDay(addDays(to, 1))] as const;
  const [online, atClinic] = await Promise.all([
    paidOnline(db, ...span, locale),
    paidAtClinic(db, ...span, locale),
  ]);
  return [
    ...online.map((paid) => rowOnline(paid, staff)),
    ...atClinic.map((paid) => rowAtClinic(paid, staff)),
  ].sort((one, other) => other.at - one.at);
}

export const takingsIn = (days: DateSpan, rows: readonly MoneyRow[]) =>
  takingsOf(rows).filter(({ date }) => isWithin(days, date));

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
    isRefundable: paid.refundReason === null && mayRefund(paymentState) && mayAny(roles, 'refund'),
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
