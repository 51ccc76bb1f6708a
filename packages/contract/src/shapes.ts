import {
  ELIGIBILITIES,
  daysBetween,
  hasDirectionOverride,
  isAppointmentTypeCode,
  isClinicDate,
  isWholeDay,
  isPlainText,
  MOST_FILES,
  MOST_FILE_BYTES,
} from '@clinic/domain';
import type { DateSpan } from '@clinic/domain';
import { z } from 'zod';
import { refusalCodes } from './texts/index.ts';

/**
 * A text that a call takes: well-formed, at most `max` UTF-16 units, without control characters except
 * newline and tab.
 */
export const text = (max: number) => z.string().max(max).refine(isPlainText);

/** A person's name: also without marks that change the order of display. */
export const personName = (max: number) => text(max).refine((name) => !hasDirectionOverride(name));

/** Seconds since 1970-01-01T00:00Z; the upper bound keeps results within the year 9999. */
export const epochSeconds = z.int().min(0).max(253_402_300_799);

/** Decimal Canadian dollars. */
export const dollars = z.number().min(0);

export const id = text(64).min(1);

/** An id from the database, in its spelling: sealed data is bound to exactly these characters. */
export const uuid = z.uuid().toLowerCase();

/** A clinic date. 9999-12-31 is refused: a day ends where the next begins. */
export const clinicDate = z.string().refine(isWholeDay);

/** Clinic dates, both inclusive; calls also limit how many days there may be. */
export const dateRange = { from: clinicDate, to: clinicDate };

/** Whether a range is in order and has at most `most` days. */
export const hasAtMostDays =
  (most: number) =>
  ({ from, to }: DateSpan): boolean =>
    isClinicDate(from) && isClinicDate(to) && from <= to && daysBetween(from, to) < most;

/** Identifies what a preview has shown, as the preview returned it; empty when it showed only mistakes. */
export const previewVersion = z.string().regex(/^([\w-]{43})?$/);

/** The version that the reader has seen; it changes with each change of the thing. */
export const seenVersion = text(100).min(1);

/** A whole number that may arrive as text in a query, a header or a form. */
export const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** A well-formed code; which types exist is the clinic's data. */
export const appointmentTypeCode = z.string().refine(isAppointmentTypeCode);

/** only the eligibility rules and the fees give the codes a meaning. */
export const eligibility = z.enum(ELIGIBILITIES);

/** Identifies a request whose answer may get lost, or that must not be done twice. */
export const keyHeader = z.object({ 'idempotency-key': text(100).min(8).optional() });

/** the most files of one form, and the most bytes of each. */
export const threeFiles = { most: MOST_FILES, bytesEach: MOST_FILE_BYTES } as const;

export const done = z.object({ success: z.literal(true) });

/** Builds the answer `{ success: true, extras }`. */
export const envelope = <Extras extends z.ZodRawShape>(extras: Extras) =>
  z.object({ success: z.literal(true), extras: z.object(extras) });

export const doneWithMessage = envelope({ message: z.string() });

/** a field that the service did not accept, with the message to show beside it. */
const fieldError = z.object({ field: z.string(), message: z.string() });

/** the error envelope, sent with its HTTP status. `message` is shown to the patient. */
export const refusal = z.object({
  success: z.literal(false),
  type: z.literal('tokenNotValid').optional(),
  extras: z.object({
    message: z.string(),
    code: z.enum(refusalCodes),
    /** The true price in CAD, with the code `amountDiffers`. */
    chargeAmount: z.number().optional(),
    /** Identifies the log line of a bug, so that a patient can quote it. */
    reference: z.string().optional(),
  }),
  errors: z.array(fieldError).optional(),
});

export type ApiFieldError = z.infer<typeof fieldError>;
export type ApiRefusal = z.infer<typeof refusal>;
