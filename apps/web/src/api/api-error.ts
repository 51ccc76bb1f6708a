import type { ApiFieldError } from '@clinic/contract';
import type { TextCode } from '@clinic/contract/texts';
import { t } from '../messages/t.ts';

type Refused =
  | {
      readonly kind: 'refusal';
      readonly status: number;
      readonly refusal: {
        readonly extras: {
          readonly message: string;
          readonly code: TextCode;
          readonly appointments?: readonly string[] | undefined;
        };
        readonly errors?: readonly ApiFieldError[] | undefined;
      } | null;
    }
  | { readonly kind: 'unreachable' };

/** A call without an answer: the service refused it with a status, or was not reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 when the service was not reached. */
  readonly status: number;
  readonly code: TextCode | null;
  /** The service's own words, which take precedence over ours; null when it sent none. */
  readonly serverMessage: string | null;
  readonly fieldErrors: readonly ApiFieldError[];
  /** Ids of the patient's own appointments that are the reason. */
  readonly own: readonly string[];

  constructor(refused: Refused) {
    const refusal = refused.kind === 'refusal' ? refused.refusal : null;
    super(refused.kind === 'refusal' ? `Refused with ${refused.status}` : 'Not reached');
    this.status = refused.kind === 'refusal' ? refused.status : 0;
    this.code = refusal?.extras.code ?? null;
    this.serverMessage = refusal?.extras.message || null;
    this.fieldErrors = refusal?.errors ?? [];
    this.own = refusal?.extras.appointments ?? [];
  }

  /** True when what the call was to do may have been done: no answer came, or none of the service. */
  get leavesOpen(): boolean {
    return this.unreachable || (this.serverMessage === null && this.status >= 500);
  }

  get unreachable(): boolean {
    return this.status === 0;
  }
}

/**
 * The words for a failure: the service's, else `fallback`, else a general text. Of a call that changes
 * something, `mayBeDone` is said in place of `fallback` where its answer was lost.
 */
export function messageOf(error: unknown, fallback?: string, mayBeDone?: string): string {
  if (!(error instanceof ApiError)) return fallback ?? t('ui.broken');
  if (error.serverMessage !== null) return error.serverMessage;
  if (mayBeDone !== undefined && error.leavesOpen) return mayBeDone;
  if (fallback !== undefined) return fallback;
  return error.unreachable ? t('ui.unreachable') : t('ui.broken');
}
