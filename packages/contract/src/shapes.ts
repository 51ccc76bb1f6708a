import {
  ELIGIBILITIES,
  hasUnseen,
  isBlank,
  isAppointmentTypeCode,
  isWholeDay,
  isPlainText,
  MOST_FILES,
  MOST_FILE_BYTES,
  normaliseEmail,
  whyEmailRefused,
  whyNameRefused,
} from '@clinic/domain';
import { z } from 'zod';
import type { InputProblem } from './texts/identity.ts';
import { refusalCodes } from './texts/index.ts';

/** `isPlainText` as the document says it: as a check it would overflow on texts of megabytes. */
const PLAIN = String.raw`^(?:\r?\n|[^\u0000-\u0008\u000A-\u001F\u007F-\u009F])*$`;

/** Counts characters as JSON Schema does, and PostgreSQL. */
const hasAtMost = (max: number, typed: string): boolean =>
  typed.length <= max || (typed.length <= 2 * max && Array.from(typed).length <= max);

/**
 * A text that a call takes: well-formed, at most `max` characters, without control characters except
 * newline and tab.
 */
export const text = (max: number) =>
  z
    .string()
    .superRefine((typed, context) => {
      if (!hasAtMost(max, typed))
        context.addIssue({ code: 'too_big', origin: 'string', maximum: max, inclusive: true });
    })
    .refine(isPlainText)
    .meta({ maxLength: max, pattern: PLAIN });

type Kind = 'line' | 'name' | 'nameInForm' | 'email' | 'emailInForm' | 'stored';
/** Which of the one types a field has; a test over every call asks for them. */
export const kinds = z.registry<{ readonly kind: Kind }>();

/** Refuses a text for what `why` finds, in the words that the forms have for it. */
const refusedFor = (why: (text: string) => InputProblem | null) =>
  z.superRefine<string>((value, context) => {
    const problem = why(value);
    if (problem !== null) context.addIssue({ code: 'custom', params: { problem } });
  });

/** One line that a person enters: nothing in it that cannot be seen. */
export const line = (max: number) =>
  text(max)
    .check(refusedFor((typed) => (hasUnseen(typed) ? 'unseen' : null)))
    .register(kinds, { kind: 'line' });

/** The name that somebody gives to a thing. */
export const label = (max: number) =>
  text(max)
    .check(refusedFor((typed) => (isBlank(typed) ? 'missing' : hasUnseen(typed) ? 'unseen' : null)))
    .trim()
    .register(kinds, { kind: 'line' });

/** The name of a person as a form sends it, which the form's own rules judge; kept as typed, in NFC. */
export const nameInForm = (max: number) =>
  text(max)
    .check(
      refusedFor((typed) => {
        const isForForm = typed.trim() === '' || !(isBlank(typed) || hasUnseen(typed));
        return isForForm ? null : whyNameRefused(typed);
      }),
    )
    .normalize('NFC')
    .register(kinds, { kind: 'nameInForm' });

/** The name of a person. */
export const personName = (max: number) =>
  text(max)
    .check(refusedFor(whyNameRefused))
    .normalize('NFC')
    .trim()
    .register(kinds, { kind: 'name' });

/** An email address as a form sends it, which the form's own rules judge. */
export const emailInForm = line(254).register(kinds, { kind: 'emailInForm' });

/** The address of one person, to which one email can be sent; as it is stored. */
export const email = text(254)
  .check(refusedFor(whyEmailRefused))
  .overwrite(normaliseEmail)
  .register(kinds, { kind: 'email' });

/** A name or place as it is stored, perhaps since before today's rules. */
export const asStored = (max: number) => text(max).register(kinds, { kind: 'stored' });

/** The address of an account as it is typed to sign in, perhaps stored since before today's rules. */
export const emailOfAccount = text(254).min(1).register(kinds, { kind: 'stored' });

/** A phone number as somebody wrote it, with room for what makes it wrong: the service says what that is. */
export const typedPhone = text(100);

/** Ours: a text of the clinic in languages other than English, by language.. */
export const translations = z.record(z.string(), z.string()).optional();

/** Seconds since 1970-01-01T00:00Z; the upper bound keeps results within the year 9999. */
export const epochSeconds = z.int().min(0).max(253_402_300_799);

/** Decimal Canadian dollars. */
export const dollars = z.number().min(0);

export const id = text(64).min(1);

/** An id from the database, in its spelling: sealed data is bound to exactly these characters. */
export const uuid = z.uuid().toLowerCase();

/** A clinic date. 9999-12-31 is refused: a day ends where the next begins. */
export const clinicDate = z
  .string()
  .refine(isWholeDay)
  .meta({ format: 'date', pattern: String.raw`^(?!9999-12-31)[1-9]\d{3}-\d{2}-\d{2}$` });

/** Clinic dates, both inclusive; each call says how many days there may be. */
export const dateRange = { from: clinicDate, to: clinicDate };

/** Identifies what a preview has shown, as the preview returned it; empty when it showed only mistakes. */
export const previewVersion = z.string().regex(/^([\w-]{43})?$/);

/** The version that the reader has seen; it changes with each change of the thing. */
export const seenVersion = text(100).min(1);

/** A whole number as it arrives in a query or a header. */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    (sent) => (typeof sent === 'string' && sent.trim() !== '' ? Number(sent) : sent),
    z.int().min(min).max(max),
  );

/** A well-formed code; which types exist is the clinic's data. */
export const appointmentTypeCode = z
  .string()
  .refine(isAppointmentTypeCode)
  .meta({ pattern: '^(?!A$)[A-Z][A-Z0-9]{0,3}$' });

/** only the eligibility rules and the fees give the codes a meaning. */
export const eligibility = z.enum(ELIGIBILITIES);

/** Identifies a request whose answer may get lost, or that must not be done twice. */
export const keyHeader = z.object({ 'idempotency-key': text(100).min(8).optional() });

/** the most files of one form, and the most bytes of each. */
export const threeFiles = { most: MOST_FILES, bytesEach: MOST_FILE_BYTES } as const;

/** What files of patients are stored as. */
export const STORED_AS = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'application/pdf',
  'application/json',
  'text/csv',
] as const;

/** What undoes an act of staff, and until when; null where it cannot be undone, absent from an older service. */
export const undo = z.object({ act: uuid, until: epochSeconds }).nullish();

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
    /**
     * Ours: the patient's own appointments because of which a time or one more appointment is refused, with the
     * codes `oneEachDay`, `twoUpcoming` and `slotTaken`.
     */
    appointments: z.array(id).optional(),
    /** Identifies the log line of a bug, so that a patient can quote it. */
    reference: z.string().optional(),
  }),
  errors: z.array(fieldError).optional(),
});

export type ApiFieldError = z.infer<typeof fieldError>;
export type ApiRefusal = z.infer<typeof refusal>;

/** Somebody whom staff look for, with or without an account. */
export const foundPatient = z.object({
  /** Null for a patient without an account. */
  patientId: z.uuid().nullable(),
  recordId: id,
  /** 'Morgan, Casey'. */
  name: z.string(),
  birthDate: z.string(),
});

/** What the captcha gave the browser. */
export const proof = text(8192).min(1);
