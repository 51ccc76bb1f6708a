/** The full numbers, and figures of seconds as demands (`npm run test:long`). */
export const LONG = process.env['LONG'] === '1';

/** What one proof of a run says: its lines, and what went wrong. */
export interface Finding {
  readonly title: string;
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}

/** `3 no overlap, 1 limits`, or `0 anomalies`. */
export function countByName(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts.size === 0
    ? '0 anomalies'
    : [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}

export const slowest = (times: readonly number[]) =>
  times.reduce((most, time) => Math.max(most, time), 0);
