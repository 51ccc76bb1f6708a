import type { ApiFieldError } from '@clinic/contract';
import { type Code, type Failed, brokeOff } from '@clinic/contract/broke-off';

/** The words of an app where the service has none, in the reader's language. */
interface ErrorWords {
  readonly unreachable: () => string;
  readonly broken: () => string;
  /** Stands before the service's own words, which address patients. */
  readonly ofRule?: (code: Code) => string | undefined;
}

// Module state, as a page has one app.
let words: ErrorWords = { unreachable: () => '', broken: () => '' };

export function sayErrorsIn(given: ErrorWords): void {
  words = given;
}

/** A call without an answer: the service refused it with a status, or was not reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly heard: Failed;
  /** It is not known whether the call did its work. */
  readonly isUnknown: boolean;
  /** 0 when the service was not reached. */
  readonly status: number;
  readonly code: Code | null;
  /** The service's own words, which take precedence over ours; null when it sent none. */
  readonly says: string | null;
  readonly fieldErrors: readonly ApiFieldError[];
  /** Ids of the patient's own appointments that are the reason. */
  readonly own: readonly string[];

  /** `unknown` stands for the service's words where it is not known what an earlier sending has done. */
  constructor(heard: Failed, unknown?: string) {
    const refusal = heard.kind === 'refusal' ? heard.refusal : null;
    const says = unknown ?? (refusal?.extras.message || null);
    super(says ?? (heard.kind === 'refusal' ? words.broken() : words.unreachable()));
    this.heard = heard;
    this.isUnknown = unknown !== undefined || brokeOff(heard, false);
    this.status = heard.kind === 'refusal' ? heard.status : 0;
    this.code = refusal?.extras.code ?? null;
    this.says = says;
    this.fieldErrors = refusal?.errors ?? [];
    this.own = refusal?.extras.appointments ?? [];
  }

  get unreachable(): boolean {
    return this.status === 0;
  }
}

/** An error whose message is written for the reader. */
export class UserFacingError extends Error {}

export const codeOf = (error: unknown): Code | null =>
  error instanceof ApiError ? error.code : null;

export const fieldErrorsOf = (error: unknown): readonly ApiFieldError[] =>
  error instanceof ApiError ? error.fieldErrors : [];

/** True when the service said no; false when it failed, or was not reached. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && !error.unreachable && error.status < 500;

/** True when it is not known whether a call did its work: its answer was lost. */
export const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.isUnknown;

/**
 * The words for a failure: the service's, else `fallback`, else a general text. Of a call that changes
 * something, `mayBeDone` is said in place of `fallback` where its answer was lost.
 */
export function messageOf(error: unknown, fallback?: string, mayBeDone?: string): string {
  if (error instanceof UserFacingError) return error.message;
  if (!(error instanceof ApiError)) return fallback ?? words.broken();
  const ofRule = error.code === null ? undefined : words.ofRule?.(error.code);
  const ofCall = (error.isUnknown ? mayBeDone : undefined) ?? fallback;
  return ofRule ?? error.says ?? ofCall ?? error.message;
}

/** What a failed call says of one field. */
export const errorOfField = (error: unknown, field: string): string | undefined =>
  fieldErrorsOf(error).find((each) => each.field === field)?.message;
