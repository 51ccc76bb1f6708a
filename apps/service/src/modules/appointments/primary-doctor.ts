import { EmrOffline } from '../records/emr.ts';
import type { RecordId } from '../records/emr.ts';
import { needsPrimaryDoctor } from './offer.ts';
import type { Offer } from './offer.ts';
import type { BookingPorts } from './ports.ts';

/** Whether the patient's primary doctor is active here; 'unasked' until a rule depends on it. */
export type PrimaryDoctor = boolean | 'unknown' | 'unasked';

export interface AskPrimaryDoctor {
  readonly kind: 'askPrimaryDoctor';
  readonly recordId: string;
}

/** The question to ask first when the offer depends on an answer that is not there yet. */
export function questionOf(offer: Offer, known: PrimaryDoctor): AskPrimaryDoctor | null {
  return known === 'unasked' && needsPrimaryDoctor(offer)
    ? { kind: 'askPrimaryDoctor', recordId: offer.patient.recordId }
    : null;
}

/**
 * Runs an attempt; when it turns out to depend on the primary doctor, asks the records –
 * outside of any transaction – and runs it again with the answer. No answer is 'unknown'.
 */
export async function withPrimaryDoctor<T extends { readonly kind: string }>(
  emr: BookingPorts['emr'],
  attempt: (known: PrimaryDoctor) => Promise<T | AskPrimaryDoctor>,
): Promise<T> {
  const first = await attempt('unasked');
  if (!isQuestion(first)) return first;
  const second = await attempt(await ask(emr, first.recordId));
  if (isQuestion(second)) throw new Error('The primary doctor was asked for twice');
  return second;
}

function isQuestion(outcome: { readonly kind: string }): outcome is AskPrimaryDoctor {
  return outcome.kind === 'askPrimaryDoctor';
}

async function ask(emr: BookingPorts['emr'], recordId: string): Promise<PrimaryDoctor> {
  try {
    return (await emr.mrpStatus(recordId as RecordId)).active;
  } catch (error) {
    if (error instanceof EmrOffline) return 'unknown';
    throw error;
  }
}
