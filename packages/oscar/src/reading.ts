/** Reads answers loosely: OSCAR's builds write the same thing differently. */
import type { DemographicNo } from './alphabets.ts';
import { OscarFault, OscarOutcomeUnknown } from './errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new OscarFault('OSCAR answered with something else than an object');
  return value as Fields;
}

/** Numbers may come as text and text as numbers; a missing value is ''. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new OscarFault('OSCAR answered with something else than a text');
}

/** Null when there is no number, such as a duration that a clinic left empty. */
export function numberOf(value: unknown): number | null {
  const text = textOf(value).trim();
  return text === '' || Number.isNaN(Number(text)) ? null : Number(text);
}

/** Null for no patient, for which the column has 0 or nothing. */
export function patientNoOf(value: unknown): DemographicNo | null {
  const text = textOf(value).trim();
  return ['', '0'].includes(text) ? null : (text as DemographicNo);
}

export const isTrue = (value: unknown) => textOf(value) === 'true';

/** The number of what was written: without one nobody knows whether it was. */
export function writtenNo(value: unknown): string {
  const no = typeof value === 'number' ? String(value) : value;
  if (typeof no === 'string' && /^[1-9]\d{0,9}$/.test(no)) return no;
  throw new OscarOutcomeUnknown('What was written was answered without its number');
}
