/** What a database error means for the caller, by its SQLSTATE (docs/booking-and-payment.md). */
export type DatabaseFailure =
  /** A constraint failed because another transaction was first. */
  | { readonly kind: 'conflict'; readonly constraint: string | null }
  /** Two transactions conflicted; repeating helps. */
  | { readonly kind: 'retry' }
  /** A wait was too long, or the server does not answer, or has no room for it. */
  | { readonly kind: 'unavailable' };

const FAILURE_BY_STATE: Readonly<Record<string, DatabaseFailure['kind']>> = {
  '23505': 'conflict',
  '23P01': 'conflict',
  '40001': 'retry',
  '40P01': 'retry',
  '25006': 'unavailable',
  '25P03': 'unavailable',
  '55P03': 'unavailable',
  '57014': 'unavailable',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '58030': 'unavailable',
};

/** The classes of which every state is 'unavailable': connections, and what the server is short of. */
const UNAVAILABLE_CLASS = /^(?:08|53)/;

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

const CONNECTION_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** The error and its causes: drivers, drizzle and SDKs keep the code somewhere down `cause`. */
export function* causesOf(error: unknown): Generator<object> {
  let current = error;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
    yield current;
    current = 'cause' in current ? current.cause : undefined;
  }
}

const textAt = (value: object, key: string): string | null => {
  const found = (value as Record<string, unknown>)[key];
  return typeof found === 'string' ? found : null;
};

/** The five-character SQLSTATE of the error, or null. */
export function sqlStateOf(error: unknown): string | null {
  for (const each of causesOf(error)) {
    const code = textAt(each, 'code');
    if (code !== null && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}

/** Null when the error is none of these failures, but a bug. */
export function failureOf(error: unknown): DatabaseFailure | null {
  for (const each of causesOf(error)) {
    const code = textAt(each, 'code');
    const kind = code === null ? undefined : FAILURE_BY_STATE[code];
    if (kind === 'conflict') return { kind, constraint: textAt(each, 'constraint') };
    if (kind !== undefined) return { kind };
    if (code !== null && (CONNECTION_CODES.has(code) || UNAVAILABLE_CLASS.test(code)))
      return { kind: 'unavailable' };
    if (CONNECTION_MESSAGE.test(textAt(each, 'message') ?? '')) return { kind: 'unavailable' };
  }
  return null;
}

/** Why a server takes no writes from anybody, as `/readyz` tells it. */
export type WritesRefused = 'disk full' | 'read-only';

/** Null when the error does not say that the server takes no writes. */
export function whyWritesRefused(error: unknown): WritesRefused | null {
  const state = sqlStateOf(error);
  if (state === '25006') return 'read-only';
  return state === '53100' ? 'disk full' : null;
}
