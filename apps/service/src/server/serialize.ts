import fastJson from 'fast-json-stringify';
import { z } from 'zod';

export type Serialize = (value: unknown) => string;

const made = new WeakMap<z.ZodType, Serialize>();

/**
 * The writer of a contract shape, made at its first use. Fields that the shape does not name are
 * left out (ADR 3).
 */
export function serializerFor(schema: z.ZodType): Serialize {
  let serialize = made.get(schema);
  if (!serialize) {
    const json = z.toJSONSchema(schema, { target: 'draft-7', io: 'output' });
    serialize = fastJson(plain(json) as Parameters<typeof fastJson>[0]);
    made.set(schema, serialize);
  }
  return serialize;
}

/** Keywords that check or describe; here they would only cost. */
const CHECKS = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'pattern',
  'minLength',
  'maxLength',
  'format',
  'maxItems',
  'propertyNames',
  'default',
]);

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * `anyOf` makes the writer validate before it writes: `X | null` becomes a nullable X. Limits of
 * numbers and texts are the input's business.
 */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain);
  if (!isJson(node)) return node;
  const { anyOf: choices, $schema: _schema, ...rest } = node;
  if (Array.isArray(choices)) {
    const anyOf: unknown[] = choices;
    const others = anyOf.filter((each) => !(isJson(each) && each.type === 'null'));
    const [only] = others;
    if (others.length === 1 && others.length < anyOf.length && isJson(only))
      return { ...(plain({ ...rest, ...only }) as Json), nullable: true };
    return { ...(plain(rest) as Json), anyOf: anyOf.map(plain) };
  }
  const kept = Object.entries(rest).filter(([key]) => !CHECKS.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === 'properties' && isJson(value) ? mapValues(value) : plain(value),
    ]),
  );
}

const mapValues = (properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, plain(each)]));
