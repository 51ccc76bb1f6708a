import {
  APPOINTMENT_TYPE_CODES,
  ELIGIBILITIES,
  SLOT_CODES,
  hasDirectionOverride,
  isPlainText,
} from '@clinic/domain';
import { z } from 'zod';

/** Shapes that several calls share: epoch seconds, clinic dates, decimal dollars, ids. */

/**
 * Every text that a call takes: up to so many UTF-16 units of whole characters, without
 * control characters but newline and tab.
 */
export const text = (max: number) => z.string().max(max).refine(isPlainText);

/** A person's name: besides, nothing in it turns the order in which it is shown. */
export const personName = (max: number) => text(max).refine((name) => !hasDirectionOverride(name));

/** Seconds since 1970-01-01T00:00Z; the upper bound keeps arithmetic within year 9999. */
export const epochSeconds = z.int().min(0).max(253_402_300_799);

/** `YYYY-MM-DD`, a day of the clinic's calendar. Whether the day exists is the domain's question. */
export const clinicDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** Decimal Canadian dollars on the API. */
export const dollars = z.number().min(0);

export const id = text(64).min(1);

/** The key of a request whose answer was lost, or of one that must not be done twice. */
export const keyHeader = z.object({ 'idempotency-key': text(100).min(8).optional() });

/** the files of one form, and the bytes that each may have. */
export const threeFiles = { most: 3, bytesEach: 10 * 1024 * 1024 } as const;

/** A yes or no, or one of the two configured ids that stand for them. */
export const familyDoc = z.union([z.boolean(), id, z.number()]).nullish();

export const appointmentTypeCode = z.enum(APPOINTMENT_TYPE_CODES);

export const slotCode = z.enum(SLOT_CODES);

/** opaque to everybody but the policy table. */
export const eligibility = z.enum(ELIGIBILITIES);

export const plainDateParts = z.object({
  year: z.int().min(1900).max(9999),
  month: z.int().min(1).max(12),
  day: z.int().min(1).max(31),
});

/** A whole number that may arrive as text in a query, a header or a form. */
export const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
