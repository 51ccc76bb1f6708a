import { keptOrigin } from '../../shared/session/same-origin-path.ts';

const KEPT = ['payment_intent', 'redirect_status'] as const;

/** The address that the patient came back to, as it is kept: the client secret is of no use here. */
export function originOfReturn(pathname: string, search: string): string {
  const query = new URLSearchParams(search);
  const kept = new URLSearchParams(
    KEPT.flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  ).toString();
  return kept === '' ? pathname : `${pathname}?${kept}`;
}

/** The payment that the patient came back with, or null for direct access. */
export function intentIn(state: unknown): string | null {
  const origin = keptOrigin(state);
  if (origin === null) return null;
  return new URL(origin, window.location.origin).searchParams.get('payment_intent');
}
