import { type DestinationStream, pino } from 'pino';
import { sqlStateOf } from './sqlstate.ts';

/** One answered request. Nothing else about it is ever logged (S-8). */
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

export interface Log {
  request(line: RequestLine): void;
  /** Something failed; of the error only its kind and where it arose. */
  trouble(code: string, error: unknown, place?: { requestId?: string; route?: string }): void;
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
    trouble: (code, error, { requestId, route } = {}) =>
      out.error({
        code,
        requestId,
        route,
        error: error instanceof Error ? error.name : typeof error,
        sqlState: sqlStateOf(error) ?? undefined,
        frames: framesOf(error),
        ...(showMessages ? { message: messagesOf(error) } : {}),
      }),
    event: (code) => out.info({ code }),
  };
}

/** The stack without the message, which could quote what a patient wrote. */
function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  return error.stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim());
}

function messagesOf(error: unknown): string {
  const said: string[] = [];
  for (let each = error; each instanceof Error && said.length < 5; each = each.cause)
    said.push(each.message);
  return said.join(' <- ');
}
