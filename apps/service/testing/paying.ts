import type { CallAnswer, CallInput } from '@clinic/contract';
import { toInstant } from '@clinic/domain';

import { paymentPorts, type PaymentPorts } from '../src/modules/payments/advance-payment.ts';
import { payment } from '../src/schema.ts';
import { ask } from './ask.ts';
import type { TestApp } from './test-app.ts';

type ChargeBody = CallInput<'charge'>['body'];

/** Practice cards by how they behave; each use is another card. */
let used = 0;
export const practiceCard = (
  kind: 'succeeds' | 'needsBank' | 'declined' | 'insufficient' | 'expired' = 'succeeds',
): string => `pm_practice_${kind}_${++used}`;

/** A V slot of `aClinic`: Thursday 2026-11-26 at 13:00, for 200.00, unless said otherwise. */
export function privateAppointment(over: Partial<ChargeBody> = {}): ChargeBody {
  const start = over.start ?? toInstant('2026-11-26', '13:00');
  return {
    doctor: '101',
    providerId: '101',
    start,
    end: start + 300,
    selectedType: 'V',
    amount: 200,
    reason: 'A cough',
    payment_method_id: practiceCard(),
    ...over,
  };
}

export interface ChargeSeen {
  readonly status: number;
  readonly answer: CallAnswer<'charge'>;
}

/** Charges over HTTP, against the contract. */
export async function charge(
  test: Pick<TestApp, 'app'>,
  token: string,
  body: ChargeBody,
  headers: Readonly<Record<string, string>> = {},
): Promise<ChargeSeen> {
  const response = await ask(test, 'charge', { token, body, headers });
  return { status: response.statusCode, answer: response.json<CallAnswer<'charge'>>() };
}

/** The intent that the bank's address names. */
export function intentOf({ answer }: ChargeSeen): string {
  return answer.next_action?.redirect_to_url.url.split('/').at(-1) ?? '';
}

/** What the payment use cases of an application work with, for tests that call them themselves. */
export function portsOf({ app }: Pick<TestApp, 'app'>): PaymentPorts {
  const { platform } = app;
  if (platform.cardPayments === undefined) throw new Error('This application takes no cards');
  return paymentPorts(platform, platform.cardPayments);
}

/** Every payment, oldest first: state, cents and what is alarming about it. */
export async function paymentRows({ database }: Pick<TestApp, 'database'>) {
  return database.db.select().from(payment).orderBy(payment.createdAt, payment.id);
}
