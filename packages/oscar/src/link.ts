/** What every group of calls works with. */
import type { Rest } from './rest.ts';
import type { Soap } from './soap.ts';

export interface Link {
  readonly rest: Rest;
  /** Null when a firewall blocks SOAP. */
  readonly soap: Soap | null;
  /** The cached value of this key, read again once it is `seconds` old. */
  readonly cached: <Value>(
    key: string,
    seconds: number,
    read: () => Promise<Value>,
  ) => Promise<Value>;
  /** The same, but used by urgent calls too. */
  readonly kept: Link['cached'];
}

/** Caches values; a failed read is forgotten at once. */
export function cacheOf(now: () => number): Link['cached'] {
  const entries = new Map<string, { until: number; value: Promise<unknown> }>();
  return async <Value>(key: string, seconds: number, read: () => Promise<Value>) => {
    for (const [old, { until }] of entries) if (until <= now()) entries.delete(old);
    const kept = entries.get(key);
    if (kept !== undefined) return (await kept.value) as Value;
    const value = read();
    entries.set(key, { until: now() + seconds * 1000, value });
    try {
      return await value;
    } catch (error) {
      entries.delete(key);
      throw error;
    }
  };
}

export const uncached: Link['cached'] = (_key, _seconds, read) => read();
