import { partOf } from '../navigation.ts';

/** The path that a patient was going to, from the state of the browser's history, or null. */
export const keptOrigin = (state: unknown): string | null => sameOriginPath(partOf(state, 'from'));

/** Returns a path of this site that is safe to redirect to, or null for anything else. */
export function sameOriginPath(candidate: unknown): string | null {
  if (typeof candidate !== 'string' || !candidate.startsWith('/')) return null;
  const base = window.location.origin;
  if (!URL.canParse(candidate, base)) return null;
  const { origin, pathname, search, hash } = new URL(candidate, base);
  if (origin !== base || pathname.startsWith('//')) return null;
  return pathname + search + hash;
}
