import type { Db } from './db.ts';

/** A statement under a name: the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The same, for a statement whose text stands alone. */
export const run = <Row>(on: Db, { name, text }: Statement, values: readonly unknown[]) =>
  on.ask<Row>(name, text, values);

/** A part of a statement, with the values of its parameters. */
export interface Part {
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
}

/** Writes a part, for `sql` or for another part. */
export function part(texts: TemplateStringsArray, ...values: readonly unknown[]): Part {
  return { texts, values };
}

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && 'texts' in value && 'values' in value;

function write({ texts, values }: Part, parameters: unknown[]): string {
  return texts.reduce((written, next, at) => {
    const value = values[at - 1];
    if (isPart(value)) return written + write(value, parameters) + next;
    return `${written}$${parameters.push(value)}${next}`;
  });
}

/**
 * Runs a statement that is written as a template: a value becomes a parameter, a part its text. Under
 * one name the text is always the same, whatever the values are. Casts in the statement make both
 * engines answer the same types: `bigint` comes as a number, a `date` must be cast to text.
 */
export function sql<Row = unknown>(on: Db, name: string) {
  return async (texts: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]> => {
    const parameters: unknown[] = [];
    const text = write({ texts, values }, parameters);
    return on.ask<Row>(name, text, parameters);
  };
}
