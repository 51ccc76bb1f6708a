import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { type DestinationStream, pino } from 'pino';
import { z } from 'zod';
import { isUuid } from '../database/db.ts';
import { sqlStateOf } from '../database/sqlstate.ts';

/** One answered request. Nothing else about the request is ever logged. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The template, never the path: `/doctors/provider/:id`. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The same for the same patient in one installation; nobody outside can tell who it is. */
  readonly pseudonym?: string;
  /** Why the request was refused. */
  readonly code?: string;
  /** The call of the contract and the code in its answer: for the metrics, never logged. */
  readonly call?: string;
  readonly answer?: string;
}

/** The request during which something failed. */
export interface Place {
  readonly requestId?: string;
  readonly route?: string;
  /** The call of the contract: `createBooking`. */
  readonly call?: string;
}

export interface Log {
  request(line: RequestLine): void;
  /** Logs a failure: of the error only its kind and where it arose. */
  error(code: string, error: unknown, place?: Place): void;
  /** An ordinary event of the service itself, named by a constant. */
  event(code: string): void;
}

export interface LogOptions {
  readonly level?: 'info' | 'warn' | 'error' | 'silent';
  /** Also logs error messages, which can quote a patient: only where nothing is real. */
  readonly showMessages?: boolean;
  /** Standard output by default. */
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

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const MOST_FRAMES = 12;
/** A stack frame as the engine writes it: `at sweepSpent (file:///srv/clinic/sweep-spent.store.ts:41:9)`. */
const FRAME =
  /^at (?:[\w$.<>#[\] ]{1,100} \()?(?:file:\/\/|node:|\/|[A-Z]:\\)[\w@%+.~\\/:-]{1,300}:\d+:\d+\)?$/;

/**
 * The stack without the message, which could quote what a patient wrote, even on lines that look like stack
 * frames.
 */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const { stack, message } = error;
  return stack
    .slice(Math.max(0, stack.indexOf(message)) + message.length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => FRAME.test(line))
    .slice(0, MOST_FRAMES)
    .map(asWritten);
}

/**
 * Turns a position in a bundle into the position in the source. Node's own `--enable-source-maps` reads all
 * maps at the start and keeps them, which takes 50 MB and a sixth of the start time.
 */
const asWritten = (frame: string): string =>
  frame.replace(/(file:[^()]+):(\d+):(\d+)/, (place: string, file: string, line, column) => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin)) return place;
    return `${new URL(origin.fileName, file).href}:${origin.lineNumber}:${origin.columnNumber}`;
  });

const maps = new Map<string, SourceMap | null>();

/** The source map of a bundle, read when its file first appears in a stack; null when there is none. */
function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const map = readMap(`${file}.map`);
  maps.set(file, map);
  return map;
}

function readMap(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(url), 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}

function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error && messages.length < 5; each = each.cause)
    messages.push(each.message);
  return messages.join(' <- ');
}

/** Fewer digits than a phone, a health card or a card number has. */
const MOST_DIGITS = 8;
const WORD = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

const isWord = (text: string): boolean =>
  isUuid(text) || (WORD.test(text) && text.replaceAll(/[^0-9]/g, '').length <= MOST_DIGITS);
const word = z.string().refine(isWord);
const number = z.int().min(-99_999).max(99_999);
const frame = z.string().regex(FRAME);
const known = <Field extends z.ZodType>(field: Field) => field.optional().catch(undefined);

/**
 * A report is an allowlist: codes, numbers and our own opaque ids; nothing that a person wrote, no error
 * message, no card, no name.
 */
const errorReport = z.object({
  kind: z
    .enum([
      'charge',
      'confirm',
      'settle',
      'capture',
      'cancel',
      'refund',
      'reconcile',
      'webhook',
      'client',
      'service',
    ])
    .catch('client'),
  /** A code of the service or of the gateway. */
  code: word.catch('unknown'),
  requestId: known(word),
  /** Our opaque id of the payment. */
  payment: known(word),
  state: known(word),
  status: known(number),
  tries: known(number),
  /** The contract call that was made: `createBooking`. */
  call: known(word),
  /** The name of the error: `TypeError`. */
  error: known(word),
  sqlState: known(z.string().regex(/^[0-9A-Z]{5}$/)),
  /** Where the error arose, innermost frame first, as the engine writes them; no values. */
  frames: known(
    z
      .array(z.unknown())
      .transform((frames) =>
        frames.flatMap((each) => frame.safeParse(each).data ?? []).slice(0, MOST_FRAMES),
      ),
  ),
});

export type ErrorReport = z.output<typeof errorReport>;

/** The part of a report that may leave the service: known fields in their known form. */
export const scrubbed = (report: {
  readonly [Field in keyof ErrorReport]?: unknown;
}): ErrorReport => errorReport.parse(report);

/** Where failures of charges and of browsers, and errors of the service, are sent. */
export interface ErrorReports {
  /** Never throws and never waits. */
  report(report: ErrorReport): void;
  /** Waits until all reports so far were taken or are lost; some seconds at most. */
  sent(): Promise<void>;
}

/**
 * The log of a service. Every unexpected error, of a request, a job, the outbox, a socket or the process
 * itself, passes through here: it is logged, counted and reported.
 */
export interface ReportedLog extends Log {
  /** How often each code was logged since the process began. */
  readonly errorCounts: ReadonlyMap<string, number>;
}

/** The most reports of one code in a minute: an outage causes many a second; the count has them all. */
const MOST_REPORTS = 10;
const MINUTE_MS = 60_000;

export function reportedLog(
  log: Log,
  reports: Pick<ErrorReports, 'report'>,
  millisecondsNow: () => number = () => performance.now(),
): ReportedLog {
  const errorCounts = new Map<string, number>();
  const reported = new Map<string, number>();
  let minute = 0;

  function mayReport(code: string): boolean {
    const now = Math.floor(millisecondsNow() / MINUTE_MS);
    if (now !== minute) reported.clear();
    minute = now;
    const before = reported.get(code) ?? 0;
    reported.set(code, before + 1);
    return before < MOST_REPORTS;
  }

  return {
    ...log,
    errorCounts,
    error(code, error, place = {}) {
      log.error(code, error, place);
      errorCounts.set(code, (errorCounts.get(code) ?? 0) + 1);
      if (!mayReport(code)) return;
      reports.report({
        kind: 'service',
        code,
        requestId: place.requestId,
        call: place.call,
        error: nameOf(error),
        sqlState: sqlStateOf(error) ?? undefined,
        frames: framesOf(error),
      });
    },
  };
}
