import { keptOrigin } from '../../shared/session/same-origin-path.ts';

/** The payment that the patient came back with, or null for direct access. */
export function intentIn(state: unknown): string | null {
  const origin = keptOrigin(state);
  if (origin === null) return null;
  // An empty one is none.
  return new URL(origin, window.location.origin).searchParams.get('payment_intent') || null;
}
