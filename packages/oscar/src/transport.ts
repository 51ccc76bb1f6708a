/** Sends all requests to OSCAR: at most four at a time, counted, and within a budget. */
import pLimit from 'p-limit';

import { OscarSpared, unanswered } from './errors.ts';

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
  /** When it was answered, by the server's clock, in milliseconds of the epoch. */
  readonly at: number;
}

/** After this many failures in a row, reads and writes that are not urgent fail at once, for so long. */
const BREAKS_AFTER = 5;
const BROKEN_MS = 10_000;
/** The longest time that a server which limits requests is left alone. */
const LIMITED_SECONDS = 60;

/** Errors that occur before a request is sent. */
const neverSent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*)$/;

export class Transport {
  readonly #options: TransportOptions;
  readonly #limit = pLimit(4);
  readonly #counts = new Map<string, number>();
  #sent: number[] = [];
  #failures = 0;
  /** An answer ends the one, its time alone the other. */
  #brokenUntil = 0;
  #limitedUntil = 0;

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

  now = () => this.#options.now();

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
    if (this.#options.now() < Math.max(this.#brokenUntil, this.#limitedUntil))
      throw new OscarSpared(`${call} was not sent: OSCAR did not answer, or limits requests`);
    if (!writes && this.left() === 0)
      throw new OscarSpared(`${call} was not sent: the budget of this minute is used up`);
  }

  async #fetch(request: Request): Promise<Response> {
    const { patience = 1, method, url, headers, body } = request;
    let response: Response;
    let retryAfter: string | null;
    try {
      const answer = await fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#options.timeoutMs * patience),
        ...(body === undefined ? {} : { body }),
      });
      const type = answer.headers.get('content-type') ?? '';
      retryAfter = answer.headers.get('retry-after');
      const at = Date.parse(answer.headers.get('date') ?? '') || Date.now();
      response = { status: answer.status, type, body: await answer.text(), at };
    } catch (error) {
      const code = codeOf(error);
      throw unanswered({ ...request, writes: request.writes && !neverSent.test(code) }, code);
    }
    const { status } = response;
    if (status === 429)
      this.#limitedUntil = Math.max(
        this.#limitedUntil,
        this.#options.now() + limitedMs(Number(retryAfter)),
      );
    if (wasNotPassedOn(response))
      throw unanswered(
        { ...request, writes: false },
        status === 404
          ? '404: no OSCAR at this path, such as /oscar or /carlos, or not yet'
          : status,
      );
    // A gateway says 502 or 504 after it passed a request on.
    if (status === 502 || status === 504) throw unanswered(request, status);
    return response;
  }
}

const limitedMs = (seconds: number) =>
  seconds > 0 ? Math.min(seconds, LIMITED_SECONDS) * 1000 : BROKEN_MS;

/** A gateway without a server, one that limits requests, and a Tomcat on which OSCAR does not run (yet). */
const wasNotPassedOn = ({ status, type, body }: Response) =>
  status === 503 ||
  status === 429 ||
  (status === 404 && type.includes('html') && !body.includes('No service was found'));

/** The network error's code, such as ECONNRESET. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}

export interface Session {
  /** The login's number, which WS-Security takes as user name. */
  readonly securityId: string;
  /** Derived from the server's start and the password, so it changes with every restart. */
  readonly token: string;
}

/** What has become known of OSCAR. */
export interface State {
  /** The session of the login, or the login that is under way. */
  session: Promise<Session> | null;
  /** When a new login last did not end a fault. */
  vainLoginAt: number;
  /** Until when REST is not asked to cancel, because it refused. */
  refusedUntil: number;
  /** When OSCAR last took the login by SOAP and the token by REST; -Infinity before that, and once it refused. */
  readonly takenAt: Record<'login' | 'token', number>;
}

/** What SOAP and REST have in common. */
export interface Way {
  readonly base: string;
  readonly transport: Transport;
  readonly urgent: boolean;
  readonly state: State;
}
