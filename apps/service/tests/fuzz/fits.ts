import type { Shape } from '../places.ts';

/** Whether a schema of the OpenAPI document allows a value, as JSON Schema says it. */
export function fits(shape: Shape, value: unknown): boolean {
  if (shape.const !== undefined) return value === shape.const;
  if (shape.enum !== undefined) return shape.enum.includes(value);
  if (shape.not !== undefined) return !fits(shape.not, value);
  if (shape.anyOf !== undefined && shape.type === undefined)
    return shape.anyOf.some((each) => fits(each, value));
  switch (shape.type) {
    case 'string':
      return typeof value === 'string' && isText(shape, value);
    case 'integer':
    case 'number':
      return typeof value === 'number' && isNumber(shape, value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value) && isList(shape, value);
    case 'object':
      return (
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        isObject(shape, value)
      );
    default:
      return true;
  }
}

function isText({ minLength = 0, maxLength = Infinity, pattern, format }: Shape, text: string) {
  const { length } = Array.from(text);
  if (length < minLength || length > maxLength || !text.isWellFormed()) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  return format !== 'date' || isDate(text);
}

const isDate = (text: string): boolean =>
  (new Date(`${text}T00:00Z`).toJSON() as string | null)?.startsWith(text) ?? false;

function isNumber(shape: Shape, value: number): boolean {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    multipleOf,
  } = shape;
  if (!Number.isFinite(value) || value < minimum || value > maximum) return false;
  if (value <= exclusiveMinimum || (multipleOf !== undefined && value % multipleOf !== 0))
    return false;
  return shape.type === 'number' || Number.isInteger(value);
}

function isList(
  { items = {}, minItems = 0, maxItems = Infinity }: Shape,
  list: readonly unknown[],
) {
  return (
    list.length >= minItems && list.length <= maxItems && list.every((each) => fits(items, each))
  );
}

function isObject(shape: Shape, object: object): boolean {
  const { properties = {}, required = [], additionalProperties = true, oneOf, anyOf } = shape;
  if (!required.every((name) => Object.hasOwn(object, name))) return false;
  if (anyOf !== undefined && !anyOf.some((each) => isObject(each, object))) return false;
  if (oneOf !== undefined && oneOf.filter((each) => isObject(each, object)).length !== 1)
    return false;
  return Object.entries(object).every(([name, value]) =>
    Object.hasOwn(properties, name)
      ? fits(properties[name] ?? {}, value)
      : additionalProperties !== false,
  );
}
