import type { Call } from '@clinic/contract';
import fc from 'fast-check';
import { onlyForms } from '../../testing/index.ts';
import { type Spoiling, sent, show } from './spoiling.ts';

const JSON_TYPE = 'application/json';
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const NO_OBJECTS = ['"text"', '[]', '[{}]', '7', 'true', deep(10)];
const TOO_DEEP = [deep(21), deep(30_000), '{"a":'.repeat(10_000), `{"a":${deep(25)}}`];
const NO_JSON = [
  '{',
  '}',
  '{"a":}',
  "{'a':1}",
  '{"a":1,}',
  'NaN',
  '{"a":1}{"b":2}',
  '\uFEFF{}',
  '\0',
];
const NO_UTF8 = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
const tooLarge = ({ bodyLimit = 64 * 1024 }: Call) =>
  JSON.stringify({ reason: 'x'.repeat(bodyLimit) });
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/jsonp',
  'application/json; charset=utf-16',
  'application/json, text/plain',
  'application/json;charset=utf-8;x=y',
  'text/json',
  'x',
  '*/*',
  '/',
];

/** A form is another type only where no files are taken. */
const otherTypes = ({ files }: Call) => [
  ...OTHER_TYPES,
  ...(files === undefined ? ['multipart/form-data; boundary=x'] : []),
];

/** Payloads that are no JSON object, and other media types (S-11). */
export function spoilPayload(call: Call): fc.Arbitrary<Spoiling>[] {
  const json = ({ body }: { readonly body?: unknown }) => JSON.stringify(body ?? { a: 'b' });
  const raw = (
    name: string,
    status: number,
    payload: (json: string) => string | Buffer,
    type = JSON_TYPE,
  ): Spoiling => ({
    name,
    mustRefuse: true,
    status: onlyForms(call) && status !== 413 ? 415 : status,
    spoil(request) {
      const { body: _body, files: _files, ...rest } = request;
      const bare = sent(call, rest);
      const headers = { ...bare.headers, 'content-type': type };
      return { ...bare, headers, payload: payload(json(request)) };
    },
  });
  const cut = (at: number) =>
    raw(`JSON cut at ${at}`, 400, (whole) => whole.slice(0, 1 + (at % (whole.length - 1))));
  return [
    fc.nat(1_000).map(cut),
    fc.constantFrom(
      ...NO_OBJECTS.map((each) => raw(`the body ${show(each)}`, 422, () => each)),
      ...[...TOO_DEEP, ...NO_JSON].map((each) => raw(`the body ${show(each)}`, 400, () => each)),
      raw('bytes that are no UTF-8', 422, () => NO_UTF8),
      raw('a body too large', 413, () => tooLarge(call)),
    ),
    fc.constantFrom(
      ...otherTypes(call).map((type) => raw(`a body of type ${type}`, 415, (whole) => whole, type)),
    ),
  ];
}
