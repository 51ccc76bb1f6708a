import type { Call } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import { type FieldProblem, type Refusal, refuse } from './refusal.ts';

type Part<C, Key extends string> = C extends { readonly [K in Key]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** What a call was sent, as the contract describes it. */
export interface Input<C extends Call> {
  readonly params: Part<C, 'params'>;
  readonly query: Part<C, 'query'>;
  readonly headers: Part<C, 'headers'>;
  readonly body: Part<C, 'body'>;
}

export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export type InputRead<C extends Call> =
  | { readonly kind: 'input'; readonly input: Input<C> }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

const PARTS = ['params', 'query', 'headers', 'body'] as const;

/** Everything that is wrong with an input at once, each with its field. */
export function readInput<C extends Call>(call: C, raw: RawInput): InputRead<C> {
  const problems: FieldProblem[] = [];
  const read: Record<string, unknown> = {};
  for (const part of PARTS) {
    const schema = call[part];
    if (schema === undefined) {
      if (part === 'body') problems.push(...fieldsOf(raw.body).map(unknownField));
      continue;
    }
    const sent = part === 'query' ? withValues(raw.query) : raw[part];
    const parsed = schema.safeParse(sent ?? {});
    if (parsed.success) read[part] = parsed.data;
    else problems.push(...parsed.error.issues.flatMap(problemsOf));
  }
  if (call.idempotency === 'key' && lacksKeyOfOurs(raw.headers))
    problems.push(invalidField('idempotency-key'));
  if (problems.length > 0)
    return { kind: 'refused', refusal: refuse('invalidInput', { errors: unique(problems) }) };
  return { kind: 'input', input: read as unknown as Input<C> };
}

/** a page of ours says which request it repeats; other clients may leave that to the service. */
const lacksKeyOfOurs = (headers: RawInput['headers']) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['idempotency-key'] === undefined;

/** `?limit&skip` of a message list: a name without a value asks for nothing in particular. */
const withValues = (query: unknown) =>
  Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));

const MOST_PROBLEMS = 50;

function unique(problems: readonly FieldProblem[]): FieldProblem[] {
  const byField = new Map(problems.map((problem) => [problem.field, problem]));
  return [...byField.values()].slice(0, MOST_PROBLEMS);
}

const nameOf = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? 'body' : path.map(String).join('.').slice(0, 200);

const unknownField = (field: string): FieldProblem => ({
  field: field.slice(0, 200),
  message: text('unknownField'),
});
const invalidField = (field: string): FieldProblem => ({ field, message: text('invalidField') });

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code !== 'unrecognized_keys') return [invalidField(nameOf(issue.path))];
  return issue.keys.map((key) => unknownField([...issue.path, key].map(String).join('.')));
}

function fieldsOf(body: unknown): string[] {
  if (body === undefined || body === null) return [];
  return typeof body === 'object' && !Array.isArray(body) ? Object.keys(body) : ['body'];
}
