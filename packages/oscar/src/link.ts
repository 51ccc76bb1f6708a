/** What every group of calls works with. */
import type { Rest } from './rest.ts';
import type { Soap } from './soap.ts';

/** What lets us in: the login by SOAP, the token by REST. OSCAR may refuse one and take the other. */
export type KeyName = 'login' | 'token';
/** When OSCAR last took each; -Infinity before that, and once it refused anything. */
export type Proved = Record<KeyName, number>;

export interface Link {
  readonly rest: Rest;
  readonly soap: Soap;
  readonly proved: Proved;
  readonly now: () => number;
  /** Until when REST is not asked to change a status, because it refused. */
  readonly refused: { until: number };
  /** Reads anew once what was read is `seconds` old; for whoever waits each time. */
  readonly kept: Keep;
}

type Keep = <Value>(seconds: number, read: () => Promise<Value>) => () => Promise<Value>;

/** A failed read is not kept. */
export const keep =
  (now: () => number): Keep =>
  (seconds, read) => {
    let last: { readonly until: number; readonly value: ReturnType<typeof read> } | null = null;
    return async () => {
      if (last === null || last.until <= now())
        last = { until: now() + seconds * 1000, value: read() };
      try {
        return await last.value;
      } catch (error) {
        last = null;
        throw error;
      }
    };
  };

export const unkept: Keep = (_seconds, read) => read;
