/**
 * Where failures of charges and of browsers, and errors of the service, are reported. A report is
 * an allowlist: codes, numbers and our own opaque ids; nothing a person wrote, no message of
 * anybody, no card, no name.
 */
export const REPORT_KINDS = [
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
] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export interface ErrorReport {
  readonly kind: ReportKind;
  /** A code of ours or of the gateway: letters, digits, `_`, `.` and `-`. */
  readonly code: string;
  readonly requestId?: string;
  /** Our opaque id of the payment. */
  readonly payment?: string;
  readonly state?: string;
  readonly status?: number;
  readonly tries?: number;
  /** The call of the contract that was asked: `createBooking`. */
  readonly call?: string;
  /** The name of the error: `TypeError`. */
  readonly error?: string;
  readonly sqlState?: string;
  /** Where the error arose, innermost first, as the engine says it; no values. */
  readonly frames?: readonly string[];
}

export interface ErrorReports {
  /** Never throws and never waits. */
  report(report: ErrorReport): void;
  /** Waits until what was reported has been taken or is lost; some seconds at most. */
  sent(): Promise<void>;
}

const WORDS = ['requestId', 'payment', 'state', 'call', 'error'] as const;
const NUMBERS = ['status', 'tries'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WORD = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const SQL_STATE = /^[0-9A-Z]{5}$/;
const FRAME =
  /^at (?:[\w$.<>#[\] ]{1,100} \()?(?:file:\/\/|node:|\/|[A-Z]:\\)[\w@%+.~\\/:-]{1,300}:\d+:\d+\)?$/;
const MOST_FRAMES = 12;
/** As many digits as a phone, a health card or a card number has. */
const MOST_DIGITS = 8;

function isWord(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  return (
    UUID.test(value) || (WORD.test(value) && value.replaceAll(/[^0-9]/g, '').length <= MOST_DIGITS)
  );
}

/** What of a report may leave the service: known fields, in the form they are known to have. */
export function scrubbed(report: { readonly [Field in keyof ErrorReport]?: unknown }): ErrorReport {
  const kept: Record<string, string | number | readonly string[]> = {};
  for (const name of WORDS) {
    const value = report[name];
    if (isWord(value)) kept[name] = value;
  }
  for (const name of NUMBERS) {
    const value = report[name];
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 100_000)
      kept[name] = value;
  }
  if (typeof report.sqlState === 'string' && SQL_STATE.test(report.sqlState))
    kept.sqlState = report.sqlState;
  if (Array.isArray(report.frames)) {
    const frames = report.frames.filter((frame) => typeof frame === 'string' && FRAME.test(frame));
    kept.frames = frames.slice(0, MOST_FRAMES) as string[];
  }
  return {
    kind: REPORT_KINDS.find((kind) => kind === report.kind) ?? 'client',
    code: isWord(report.code) ? report.code : 'unknown',
    ...kept,
  };
}
