/** Sends all requests to OSCAR: at most four at a time, counted, and within a budget. */
import pLimit from 'p-limit';

import { OscarOffline, OscarOutcomeUnknown } from './errors.ts';

export interface TransportOptions {
  readonly timeoutMs: number;
  /** The budget: in one minute, reads beyond this many requests are not sent. */
  readonly perMinute: number;
  /** Monotonic time in milliseconds. */
  readonly now: () => number;
}

export interface Request {
  /** The name for counts and errors; never a patient's data. */
  readonly call: string;
  /** Whether OSCAR may have changed something when the answer is lost. */
  readonly writes: boolean;
  /** Bypasses budget and circuit breaker: part of a booking that a person waits for, or a health check. */
  readonly urgent: boolean;
  /** A factor for the usual timeout. */
  readonly patience?: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Response {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** After this many failures in a row, reads and writes that are not urgent fail at once, for so long. */
const BREAKS_AFTER = 5;
const BROKEN_MS = 10_000;

/** Errors that occur before a request is sent. */
const neverSent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*)$/;

export class Transport {
  readonly #options: TransportOptions;
  readonly #limit = pLimit(4);
  readonly #counts = new Map<string, number>();
  #sent: number[] = [];
  #failures = 0;
  #brokenUntil = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** How many requests were sent since the start, by call. */
  counts(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }

  /** How many reads may still be sent in this minute. */
  left(): number {
    const since = this.#options.now() - 60_000;
    this.#sent = this.#sent.filter((at) => at > since);
    return Math.max(0, this.#options.perMinute - this.#sent.length);
  }

  /** Returns the answer. Throws OscarOffline, or for a write OscarOutcomeUnknown. */
  send(request: Request): Promise<Response> {
    return this.#limit(async () => {
      this.#assertMaySend(request);
      this.#counts.set(request.call, (this.#counts.get(request.call) ?? 0) + 1);
      this.#sent.push(this.#options.now());
      try {
        const response = await this.#fetch(request);
        this.#failures = 0;
        this.#brokenUntil = 0;
        return response;
      } catch (error) {
        this.#failures += 1;
        if (this.#failures >= BREAKS_AFTER) this.#brokenUntil = this.#options.now() + BROKEN_MS;
        throw error;
      }
    });
  }

  #assertMaySend({ call, writes, urgent }: Request) {
    if (urgent) return;
    if (this.#options.now() < this.#brokenUntil)
      throw new OscarOffline(`${call} was not sent: OSCAR did not answer ${BREAKS_AFTER} times`);
    if (!writes && this.left() === 0)
      throw new OscarOffline(`${call} was not sent: the budget of this minute is used up`);
  }

  async #fetch({
    call,
    writes,
    patience = 1,
    method,
    url,
    headers,
    body,
  }: Request): Promise<Response> {
    let response: Response;
    try {
      const answer = await fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#options.timeoutMs * patience),
        ...(body === undefined ? {} : { body }),
      });
      const type = answer.headers.get('content-type') ?? '';
      response = { status: answer.status, type, body: await answer.text() };
    } catch (error) {
      const code = codeOf(error);
      if (writes && !neverSent.test(code))
        throw new OscarOutcomeUnknown(`${call} was sent and not answered (${code})`);
      throw new OscarOffline(`${call} was not answered (${code})`);
    }
    // A gateway says 502 or 504 after it passed a request on, 503 when it could not.
    if (response.status === 503 || (!writes && isGateway(response.status)))
      throw new OscarOffline(`${call} was not answered (${response.status})`);
    if (isGateway(response.status))
      throw new OscarOutcomeUnknown(`${call} was sent and not answered (${response.status})`);
    return response;
  }
}

const isGateway = (status: number) => status === 502 || status === 504;

/** The network error's code, such as ECONNRESET. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
