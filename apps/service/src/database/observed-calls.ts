import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { begins } from '../server/observed.ts';

type Told = (error: unknown, ...rest: unknown[]) => void;

/** Makes the call with the given arguments, and runs `onAnswer` at its end, before the caller gets the answer. */
export function withCallback(
  given: readonly unknown[],
  onAnswer: (error: unknown) => void,
  call: (given: readonly unknown[]) => unknown,
): unknown {
  const callback = given.at(-1);
  if (typeof callback === 'function') {
    const told: Told = (error, ...rest) => {
      onAnswer(error);
      (callback as Told)(error, ...rest);
    };
    return call([...given.slice(0, -1), told]);
  }
  const answer = call(given) as Promise<unknown>;
  answer.then(() => onAnswer(null), onAnswer);
  return answer;
}

/**
 * Replaces the pool's own `connect` to observe the waiting. A callback runs in the async context of its
 * caller, not in that of the request that gave the connection back.
 */
export function connectObserved(pool: pg.Pool) {
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
  return (...given: unknown[]): unknown => {
    const has = begins('connection', () => 'connection');
    const bound = given.map((told) => AsyncLocalStorage.bind(told as () => void));
    return withCallback(bound, has, (all) => connect(...all));
  };
}

/** The statement's name, or its first word: neither ever holds a value. */
export function nameOf(statement: unknown): string {
  const { name, text } =
    typeof statement === 'string'
      ? { name: '', text: statement }
      : (statement as { readonly name?: string; readonly text?: string });
  return name || (/[a-z]+/i.exec(text ?? '')?.[0].toLowerCase() ?? 'statement');
}
