import { afterEach } from 'vitest';

interface Answer {
  readonly status?: number;
  readonly body: unknown;
  /** The service's clock, as its `Date` header says it. */
  readonly date?: string;
}

type Handler = (request: {
  body: unknown;
  headers: Headers;
  search: string;
}) => Answer | 'unreachable' | Promise<Answer | 'unreachable'>;

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

export interface FakeService {
  /** Every call so far, as 'GET /me'. */
  readonly calls: readonly string[];
  answer(call: string, handler: Handler): void;
}

/** A service in the page's own process: what is not answered here is a 404. */
export function fakeService(handlers: Record<string, Handler> = {}): FakeService {
  const known = new Map(Object.entries(handlers));
  const calls: string[] = [];
  globalThis.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://clinic.test');
    const call = `${init.method ?? 'GET'} ${url.pathname.replace('/api', '')}`;
    calls.push(call);
    const answer = (await known.get(call)?.({
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
      headers: new Headers(init.headers),
      search: url.search,
    })) ?? { status: 404, body: refusal('notFound') };
    if (answer === 'unreachable') throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(answer.body), {
      status: answer.status ?? 200,
      headers: { 'content-type': 'application/json', ...(answer.date && { date: answer.date }) },
    });
  };
  return { calls, answer: (call, handler) => known.set(call, handler) };
}

export const refusal = (code: string, message: string = code, more: object = {}) => ({
  success: false,
  ...more,
  extras: { code, message },
});

export const tokenNotValid: Answer = {
  status: 401,
  body: refusal('tokenNotValid', 'Please log in again.', { type: 'tokenNotValid' }),
};
