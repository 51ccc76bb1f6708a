import type { Call } from '@clinic/contract';
import { z } from 'zod';
import { type AskOptions, PASSWORD } from '../testing/index.ts';

export const PARTS = ['params', 'query', 'headers', 'body'] as const;
export type Part = (typeof PARTS)[number];

/** A JSON Schema as zod writes it, as far as the system tests read it. */
export interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly additionalProperties?: unknown;
  /** Of an object: which of its fields go together. */
  readonly oneOf?: readonly Shape[];
  readonly not?: Shape;
  readonly pattern?: string;
}

/** Where a value stands in a request: `body.draft.reason`, `query.id`, `body.list.0`. */
export type Place = string;

export interface Spot {
  readonly place: Place;
  readonly shape: Shape;
  readonly required: boolean;
}

export function shapeOf(call: Call, part: Part): Shape | null {
  const schema = call[part];
  return schema === undefined ? null : oneTypeEach(z.toJSONSchema(schema, { io: 'input' }));
}

/** `type: ['string', 'null']` is short for two alternatives. */
export function oneTypeEach(json: unknown): Shape {
  if (typeof json !== 'object' || json === null) return {};
  const { type, items, anyOf, properties, ...rest } = json as JsonSchema;
  if (typeof type === 'object')
    return { anyOf: type.map((each: string) => oneTypeEach({ ...json, type: each })) };
  return {
    ...rest,
    ...(type === undefined ? {} : { type }),
    ...(items === undefined ? {} : { items: oneTypeEach(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(oneTypeEach) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, oneTypeEach(each)]),
          ),
        }),
  };
}

interface JsonSchema extends Omit<Shape, 'type' | 'items' | 'anyOf' | 'properties'> {
  readonly type?: string | readonly string[];
  readonly items?: unknown;
  readonly anyOf?: readonly unknown[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Every value of a call's input, containers before what they contain. */
export function spotsOf(call: Call): readonly Spot[] {
  return PARTS.flatMap((part) => {
    const shape = shapeOf(call, part);
    return shape === null ? [] : within(part, shape);
  });
}

function within(place: Place, shape: Shape): Spot[] {
  const fields = Object.entries(shape.properties ?? {}).flatMap(([name, field]) => [
    { place: `${place}.${name}`, shape: field, required: shape.required?.includes(name) === true },
    ...within(`${place}.${name}`, field),
  ]);
  const items =
    shape.items === undefined
      ? []
      : [
          { place: `${place}.0`, shape: shape.items, required: false },
          ...within(`${place}.0`, shape.items),
        ];
  return [...fields, ...items, ...choices(shape).flatMap((each) => within(place, each))];
}

/** Those of a whole value; an object with fields says by `anyOf` only which of them go together. */
const choices = ({ type, anyOf = [] }: Shape): readonly Shape[] =>
  type === undefined ? anyOf : [];
const alternatives = (shape: Shape): readonly Shape[] =>
  choices(shape).length === 0 ? [shape] : choices(shape).flatMap(alternatives);
export const takes = (shape: Shape, type: string): boolean =>
  alternatives(shape).some((each) => each.type === type);

/** Places where an id could stand: any text that the contract does not list word for word. */
export function textPlaces(call: Call): readonly Place[] {
  const free = (shape: Shape) =>
    alternatives(shape).some(
      (each) => each.type === 'string' && each.enum === undefined && each.const === undefined,
    );
  return [...new Set(spotsOf(call).flatMap(({ place, shape }) => (free(shape) ? [place] : [])))];
}

/** The objects of a body, in which unknown names could stand. */
export function objectsInBody(call: Call): readonly { place: Place; names: readonly string[] }[] {
  const shape = shapeOf(call, 'body');
  if (shape === null) return [{ place: 'body', names: [] }];
  return [{ place: 'body', shape, required: true }, ...spotsOf(call)]
    .filter(({ place }) => place === 'body' || place.startsWith('body.'))
    .flatMap(({ place, shape: at }) => alternatives(at).map((each) => ({ place, at: each })))
    .flatMap(({ place, at }) =>
      at.type === 'object' ? [{ place, names: Object.keys(at.properties ?? {}) }] : [],
    );
}

export const REMOVED = Symbol('removed');

/** The same request with another value at one place; what leads there is made when it is missing. */
export function withValueAt(request: AskOptions, place: Place, value: unknown): AskOptions {
  const steps = place.split('.');
  return put(structuredClone(request), steps, value) as AskOptions;
}

function put(at: unknown, [step = '', ...rest]: readonly string[], value: unknown): unknown {
  if (/^\d+$/.test(step)) return [rest.length === 0 ? value : put({}, rest, value)];
  const object: object = typeof at === 'object' && at !== null && !Array.isArray(at) ? at : {};
  const inside: unknown = Object.hasOwn(object, step) ? Reflect.get(object, step) : undefined;
  const next = rest.length === 0 ? value : put(inside, rest, value);
  if (next === REMOVED) Reflect.deleteProperty(object, step);
  else
    Object.defineProperty(object, step, {
      value: next,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return object;
}

/** A sign-in as somebody else is tried with a password that is nobody's. */
export function withNobodysPassword(request: AskOptions): AskOptions {
  return JSON.stringify(request.body ?? {}).includes(PASSWORD)
    ? withValueAt(request, 'body.password', 'Nobodys-2026')
    : request;
}
