import { type DestinationStream, pino } from 'pino';
import { sqlStateOf } from '../database/sqlstate.ts';

/** One answered request. Nothing else about it is ever logged. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The template, never the path: `/doctors/provider/:id`. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The same patient in the same installation, and nobody outside can tell who. */
  readonly pseudonym?: string;
  readonly code?: string;
}

/** The request in which something failed. */
export interface Place {
  readonly requestId?: string;
  readonly route?: string;
  /** The call of the contract: `createBooking`. */
  readonly call?: string;
}

export interface Log {
  request(line: RequestLine): void;
  /** Something failed; of the error only its kind and where it arose. */
  error(code: string, error: unknown, place?: Place): void;
  /** An ordinary event of the service itself, named by a constant. */
  event(code: string): void;
}

export interface LogOptions {
  readonly level?: 'info' | 'warn' | 'error' | 'silent';
  /** Error messages can quote a patient; only where nothing is real. */
  readonly showMessages?: boolean;
  /** Standard output unless said otherwise. */
  readonly destination?: DestinationStream;
}

export function createLog({
  level = 'info',
  showMessages = false,
  destination = pino.destination({ fd: 1, sync: true }),
}: LogOptions = {}): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.epochTime };
  const out = pino(options, destination);
  return {
    request: ({ requestId, method, route, status, ms, pseudonym, code }) =>
      out.info({ requestId, method, route, status, ms, pseudonym, code }),
    error: (code, error, { requestId, route } = {}) =>
      out.error({
        code,
        requestId,
        route,
        error: nameOf(error),
        sqlState: sqlStateOf(error) ?? undefined,
        frames: framesOf(error),
        ...(showMessages ? { message: messagesOf(error) } : {}),
      }),
    event: (code) => out.info({ code }),
  };
}

export const nameOf = (error: unknown): string =>
  error instanceof Error ? error.name : typeof error;

/** `at sweepSpent (file:///srv/clinic/sweep-spent.store.ts:41:9)`, as the engine writes it. */
const FRAME = /^\s+at (?:[^()]+ \()?(?:file:\/\/|node:|\/|[A-Z]:\\)\S*:\d+:\d+\)?$/;

/**
 * The stack without the message, which could quote what a patient wrote, also on lines that begin
 * as those of a stack do.
 */
export function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const { stack, message } = error;
  return stack
    .slice(Math.max(0, stack.indexOf(message)) + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, 12)
    .map((line) => line.trim());
}

function messagesOf(error: unknown): string {
  const said: string[] = [];
  for (let each = error; each instanceof Error && said.length < 5; each = each.cause)
    said.push(each.message);
  return said.join(' <- ');
}
