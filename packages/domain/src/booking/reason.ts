import { trimmedLength } from '../plain-text.ts';
import type { AppointmentTypeCode } from './appointment-type.ts';

/** What the reason field asks for: the key of its label and placeholder. */
export type ReasonLabel = 'claimNumber' | 'licenceNumber' | 'reason';

export interface ReasonRule {
  readonly label: ReasonLabel;
  /** In code points, after trimming. */
  readonly minimum: number;
  readonly maximum: number;
}

/** Most code points of a reason. */
export const REASON_MAXIMUM = 80;

/** The label and the lengths of the reason field for a type. */
export function reasonRule(type: AppointmentTypeCode): ReasonRule {
  switch (type) {
    case 'I':
      return { label: 'claimNumber', minimum: 8, maximum: REASON_MAXIMUM };
    case 'D':
      return { label: 'licenceNumber', minimum: 7, maximum: REASON_MAXIMUM };
    default:
      return { label: 'reason', minimum: 2, maximum: REASON_MAXIMUM };
  }
}

export type ReasonRefusal = 'empty' | 'tooShort' | 'tooLong';

/** Why a reason is refused, or null; the text is trimmed and counted in code points.. */
export function whyReasonRefused(type: AppointmentTypeCode, text: string): ReasonRefusal | null {
  const length = trimmedLength(text);
  const { minimum, maximum } = reasonRule(type);
  if (length === 0) return 'empty';
  if (length < minimum) return 'tooShort';
  return length > maximum ? 'tooLong' : null;
}
