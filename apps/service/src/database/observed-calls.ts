import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { begins } from '../server/observed.ts';

type Told = (error: unknown, ...rest: unknown[]) => void;

/** Calls with what was given and hears of the end before the caller does. */
export function telling(
  given: readonly unknown[],
  heard: (error: unknown) => void,
  call: (given: readonly unknown[]) => unknown,
): unknown {
  const callback = given.at(-1);
  if (typeof callback === 'function') {
    const told: Told = (error, ...rest) => {
      heard(error);
      (callback as Told)(error, ...rest);
    };
    return call([...given.slice(0, -1), told]);
  }
  const answer = call(given) as Promise<unknown>;
  answer.then(() => heard(null), heard);
  return answer;
}

/**
 * In place of the pool's own `connect`: waiting is observed. A callback goes on as whoever asked, not
 * as whoever gave the connection back.
 */
export function connectObserved(pool: pg.Pool) {
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
  return (...given: unknown[]): unknown => {
    const has = begins('connection', () => 'connection');
    const bound = given.map((told) => AsyncLocalStorage.bind(told as () => void));
    return telling(bound, has, (all) => connect(...all));
  };
}

/** Its own name, or its first word: values never stand in either. */
export function nameOf(statement: unknown): string {
  const { name, text } =
    typeof statement === 'string'
      ? { name: '', text: statement }
      : (statement as { readonly name?: string; readonly text?: string });
  return name || (/[a-z]+/i.exec(text ?? '')?.[0].toLowerCase() ?? 'statement');
}
