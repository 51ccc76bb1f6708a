/** Every request to OSCAR goes through here: at most four at a time, counted, within a budget. */
import pLimit from 'p-limit';

import { OscarOffline, OscarOutcomeUnknown } from './errors.ts';

export interface TransportOptions {
  readonly timeoutMs: number;
  /** Reads beyond this many requests a minute are not sent. */
  readonly perMinute: number;
  /** Milliseconds, never going back. */
  readonly now: () => number;
}

export interface Request {
  /** What the request is counted and named as; never a patient's data. */
  readonly call: string;
  /** Whether OSCAR may have changed something when the answer is lost. */
  readonly writes: boolean;
  /** Passes budget and circuit breaker: part of one person's booking, or a health check. */
  readonly urgent: boolean;
  /** By how much the usual timeout is multiplied. */
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

/** Failures in a row after which reads fail at once, and for how long. */
const BREAKS_AFTER = 5;
const BROKEN_MS = 10_000;

/** These come before a request is sent. */
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

  /** Requests since the start, by call. */
  counts(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }

  /** How many reads may still be sent in this minute: a sync slows down before it is none. */
  left(): number {
    const since = this.#options.now() - 60_000;
    this.#sent = this.#sent.filter((at) => at > since);
    return Math.max(0, this.#options.perMinute - this.#sent.length);
  }

  /** The answer, or OscarOffline, or on a write OscarOutcomeUnknown. */
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
    // A gateway says 502 and 504 after it passed a request on, 503 when it could not.
    if (response.status === 503 || (!writes && isGateway(response.status)))
      throw new OscarOffline(`${call} was not answered (${response.status})`);
    if (isGateway(response.status))
      throw new OscarOutcomeUnknown(`${call} was sent and not answered (${response.status})`);
    return response;
  }
}

const isGateway = (status: number) => status === 502 || status === 504;

/** The code of what the network said, such as ECONNRESET. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
