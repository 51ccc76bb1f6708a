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
    const json = z.toJSONSchema(schema, {
      target: 'draft-7',
      io: 'output',
      override: ({ jsonSchema }) => withoutChecks(jsonSchema),
    });
    serialize = fastJson(json as Parameters<typeof fastJson>[0]);
    made.set(schema, serialize);
  }
  return serialize;
}

/** Keywords that check; here they would only cost. Limits of numbers and texts are the input's business. */
const CHECKS = [
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
] as const;

/** `anyOf` makes the writer validate before it writes: `X | null` becomes a nullable X. */
function withoutChecks(json: z.core.JSONSchema.BaseSchema): void {
  for (const check of CHECKS) delete json[check];
  const [only, none, ...more] = json.anyOf ?? [];
  if (only === undefined || none?.type !== 'null' || more.length > 0) return;
  delete json.anyOf;
  Object.assign(json, only, { nullable: true });
}
