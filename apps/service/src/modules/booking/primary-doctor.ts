import { RecordsOffline } from '../../ports/clinic-records.ts';
import type { ChartId } from '../../ports/clinic-records.ts';
import { needsPrimaryDoctor } from './offer.ts';
import type { Offer } from './offer.ts';
import type { BookingPorts } from './ports.ts';

/** Whether the patient's primary doctor is active here; 'unasked' until a rule depends on it. */
export type PrimaryDoctor = boolean | 'unknown' | 'unasked';

export interface AskPrimaryDoctor {
  readonly kind: 'askPrimaryDoctor';
  readonly chartId: string;
}

/** The question to ask first when the offer depends on an answer that is not there yet. */
export function questionOf(offer: Offer, known: PrimaryDoctor): AskPrimaryDoctor | null {
  return known === 'unasked' && needsPrimaryDoctor(offer)
    ? { kind: 'askPrimaryDoctor', chartId: offer.patient.chartId }
    : null;
}

/**
 * Runs an attempt; when it turns out to depend on the primary doctor, asks the records –
 * outside of any transaction – and runs it again with the answer. No answer is 'unknown'.
 */
export async function withPrimaryDoctor<T extends { readonly kind: string }>(
  records: BookingPorts['records'],
  attempt: (known: PrimaryDoctor) => Promise<T | AskPrimaryDoctor>,
): Promise<T> {
  const first = await attempt('unasked');
  if (!isQuestion(first)) return first;
  const second = await attempt(await ask(records, first.chartId));
  if (isQuestion(second)) throw new Error('The primary doctor was asked for twice');
  return second;
}

function isQuestion(outcome: { readonly kind: string }): outcome is AskPrimaryDoctor {
  return outcome.kind === 'askPrimaryDoctor';
}

async function ask(records: BookingPorts['records'], chartId: string): Promise<PrimaryDoctor> {
  try {
    return (await records.mrpStatus(chartId as ChartId)).active;
  } catch (error) {
    if (error instanceof RecordsOffline) return 'unknown';
    throw error;
  }
}
