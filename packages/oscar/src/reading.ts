/** Reads answers loosely: OSCAR's builds write the same thing differently. */
import { OscarFault } from './errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new OscarFault('OSCAR answered with something else than an object');
  return value as Fields;
}

/** The elements of a list in XML, where an empty list is no element. */
export const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];

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
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? null : number;
}

export const isTrue = (value: unknown) => textOf(value) === 'true';
