import type { Operation } from './history.ts';

/** Attempts that share a request key, taken together: the client wants one visit, however often it asks. */
export interface Request {
  readonly first: Operation;
  readonly attempts: readonly Operation[];
  /** Refused only when every attempt was: one without an answer may still arrive. */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly sentAt: number;
  /** When the client first knew that it was done; Infinity when it never did. */
  readonly answeredAt: number;
  readonly claim: string | undefined;
}

/** The bookings and moves of a history as requests. */
export function requestsOf(operations: readonly Operation[]): Request[] {
  const byKey = new Map<string, Operation[]>();
  for (const one of operations) {
    if (one.call !== 'book' && one.call !== 'reschedule') continue;
    const key = one.key === undefined ? `#${one.id}` : `${one.patient} ${one.key}`;
    byKey.set(key, [...(byKey.get(key) ?? []), one]);
  }
  return [...byKey.values()].flatMap((attempts) => {
    const [first] = attempts;
    return first === undefined ? [] : [asRequest(first, attempts)];
  });
}

function asRequest(first: Operation, attempts: readonly Operation[]): Request {
  const done = attempts
    .filter(({ outcome }) => outcome === 'ok')
    .sort((one, other) => one.answeredAt - other.answeredAt)[0];
  const refused = attempts.every(({ outcome }) => outcome === 'refused');
  return {
    first,
    attempts,
    outcome: done !== undefined ? 'ok' : refused ? 'refused' : 'unknown',
    sentAt: Math.min(...attempts.map(({ sentAt }) => sentAt)),
    answeredAt:
      done?.answeredAt ??
      (refused ? Math.max(...attempts.map(({ answeredAt }) => answeredAt)) : Infinity),
    claim: done?.claim,
  };
}

/** When somebody first asked for this visit to end, refused attempts aside; Infinity when nobody did. */
export function endAskedAt(operations: readonly Operation[]): (visit: string) => number {
  const asked = new Map<string, number>();
  for (const { call, visit, outcome, sentAt } of operations) {
    if (visit === undefined || outcome === 'refused') continue;
    if (call !== 'cancel' && call !== 'reschedule') continue;
    asked.set(visit, Math.min(asked.get(visit) ?? Infinity, sentAt));
  }
  return (visit) => asked.get(visit) ?? Infinity;
}
