import { answersOf, calls } from '@clinic/contract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serializerFor } from './responses.ts';

describe('The writer of answers', () => {
  test('leaves out what the contract does not name', () => {
    const write = serializerFor(z.object({ a: z.string(), in: z.object({ b: z.number() }) }));
    expect(write({ a: 'x', secret: 1, in: { b: 2, secret: 3 } })).toBe('{"a":"x","in":{"b":2}}');
  });

  test('writes null where the contract allows it', () => {
    const shape = z.object({ a: z.string().nullable(), b: z.object({ c: z.int() }).nullable() });
    expect(serializerFor(shape)({ a: null, b: null })).toBe('{"a":null,"b":null}');
    expect(serializerFor(shape)({ a: 'x', b: { c: 1 } })).toBe('{"a":"x","b":{"c":1}}');
  });

  test('writes maps, lists, unions and what may be absent', () => {
    const shape = z.object({
      map: z.record(z.string().min(1).max(3), z.object({ on: z.boolean() })),
      list: z.array(z.union([z.string(), z.strictObject({ key: z.literal('other') })])),
      maybe: z.string().optional(),
    });
    const value = { map: { a: { on: true } }, list: ['x', { key: 'other' }] };
    expect(JSON.parse(serializerFor(shape)(value))).toEqual(value);
  });

  test('keeps fields whose names are words of JSON Schema', () => {
    const shape = z.object({ format: z.string(), pattern: z.string(), default: z.int() });
    const value = { format: 'a', pattern: 'b', default: 1 };
    expect(JSON.parse(serializerFor(shape)(value))).toEqual(value);
  });

  test('throws where a field is missing, so that no half answer leaves', () => {
    expect(() => serializerFor(z.object({ a: z.string() }))({})).toThrow();
  });

  test('can be made for every answer of the contract', () => {
    for (const call of Object.values(calls))
      for (const schema of answersOf(call).values())
        expect(() => serializerFor(schema)).not.toThrow();
  });
});
