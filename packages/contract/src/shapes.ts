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
 * Every text that a call takes: up to so many UTF-16 units of whole characters, without
 * control characters but newline and tab.
 */
export const text = (max: number) => z.string().max(max).refine(isPlainText);

/** A person's name: besides, nothing in it turns the order in which it is shown. */
export const personName = (max: number) => text(max).refine((name) => !hasDirectionOverride(name));

/** Seconds since 1970-01-01T00:00Z; the upper bound keeps arithmetic within year 9999. */
export const epochSeconds = z.int().min(0).max(253_402_300_799);

/** Decimal Canadian dollars on the API. */
export const dollars = z.number().min(0);

export const id = text(64).min(1);

/** An id that the database makes or keeps, as it writes it: what is sealed is bound to those characters. */
export const uuid = z.uuid().toLowerCase();

/** A day of the clinic. The calendar's last is none: a day ends where the next begins. */
export const clinicDate = z.string().refine(isWholeDay);

/** Days of the clinic, both inclusive, to be refined by how many there may be. */
export const dateRange = { from: clinicDate, to: clinicDate };

/** Whether a range is in order and has at most so many days. */
export const hasAtMostDays =
  (most: number) =>
  ({ from, to }: DateSpan): boolean =>
    isClinicDate(from) && isClinicDate(to) && from <= to && daysBetween(from, to) < most;

/** Names what a preview has shown, as the preview said; empty where it showed mistakes alone. */
export const previewVersion = z.string().regex(/^([\w-]{43})?$/);

/** What a thing said, as its reader has it before them: another after each change of it. */
export const seenVersion = text(100).min(1);

/** A whole number that may arrive as text in a query, a header or a form. */
export const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** Which types there are is the clinic's data. */
export const appointmentTypeCode = z.string().refine(isAppointmentTypeCode);

/** opaque to everybody but the policy table. */
export const eligibility = z.enum(ELIGIBILITIES);

/** The key of a request whose answer was lost, or of one that must not be done twice. */
export const keyHeader = z.object({ 'idempotency-key': text(100).min(8).optional() });

/** the files of one form, and the bytes that each may have. */
export const threeFiles = { most: MOST_FILES, bytesEach: MOST_FILE_BYTES } as const;

export const done = z.object({ success: z.literal(true) });

/** An answer `{ success: true, extras }` around a shape. */
export const envelope = <Extras extends z.ZodRawShape>(extras: Extras) =>
  z.object({ success: z.literal(true), extras: z.object(extras) });

export const doneWithMessage = envelope({ message: z.string() });

/** one field that the service could not accept, with the words to show beside it. */
const fieldError = z.object({ field: z.string(), message: z.string() });

/** the error envelope, beside its HTTP status. `message` is what a patient reads. */
export const refusal = z.object({
  success: z.literal(false),
  type: z.literal('tokenNotValid').optional(),
  extras: z.object({
    message: z.string(),
    code: z.enum(refusalCodes),
    /** The true price in CAD, with `amountDiffers`. */
    chargeAmount: z.number().optional(),
    /** Names the log line of a bug, so that a patient can quote it. */
    reference: z.string().optional(),
  }),
  errors: z.array(fieldError).optional(),
});

export type ApiFieldError = z.infer<typeof fieldError>;
export type ApiRefusal = z.infer<typeof refusal>;
