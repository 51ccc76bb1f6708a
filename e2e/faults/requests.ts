import type { Operation } from './history.ts';

/** Attempts that share a request key, taken together: the client wants one appointment, however often it asks. */
export interface Request {
  readonly first: Operation;
  readonly attempts: readonly Operation[];
  /** Refused only when every attempt was: one without an answer may still arrive. */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly sentAt: number;
  /** When the client first knew that it was done; Infinity when it never did. */
  readonly answeredAt: number;
  readonly row: string | undefined;
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
    row: done?.row,
  };
}

/** When somebody first asked for this appointment to end, refused attempts aside; Infinity when nobody did. */
export function endAskedAt(operations: readonly Operation[]): (appointment: string) => number {
  const asked = new Map<string, number>();
  for (const { call, appointment, outcome, sentAt } of operations) {
    if (appointment === undefined || outcome === 'refused') continue;
    if (call !== 'cancel' && call !== 'reschedule') continue;
    asked.set(appointment, Math.min(asked.get(appointment) ?? Infinity, sentAt));
  }
  return (appointment) => asked.get(appointment) ?? Infinity;
}
