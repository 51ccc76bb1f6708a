import fc from 'fast-check';
import type { InjectOptions } from 'light-my-request';
import { aPicture, formBody } from '../../testing/index.ts';
import type { TestApp } from '../../testing/index.ts';
import { type Shape, oneTypeEach } from '../places.ts';
import { fits } from './fits.ts';
import { strangeNumbers, strangeTexts } from './strange-values.ts';
import { type Known, valuesOf } from './valid-values.ts';

type Where = 'path' | 'query' | 'header';
interface Parameter {
  readonly name: string;
  readonly in: Where;
  readonly required: boolean;
  readonly schema: Shape;
}

/** One operation of the OpenAPI document, and nothing that the document does not say. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly isRequired: boolean; readonly kinds: readonly BodyKind[] } | null;
}
interface BodyKind {
  readonly type: 'application/json' | 'multipart/form-data';
  readonly schema: Shape;
}

interface Written {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
  };
}

export async function operationsOf({
  app,
}: Pick<TestApp, 'app'>): Promise<ReadonlyMap<string, Operation>> {
  const { paths } = (await app.inject('/api/openapi.json')).json<{
    readonly paths: Readonly<Record<string, Readonly<Record<string, Written>>>>;
  }>();
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, parameters, requestBody }]) => ({
      id,
      method: method.toUpperCase() as Operation['method'],
      path,
      parameters: parameters.map((each) => ({ ...each, schema: oneTypeEach(each.schema) })),
      body: requestBody
        ? {
            isRequired: requestBody.required,
            kinds: Object.entries(requestBody.content).map(([type, { schema }]) => ({
              type: type as BodyKind['type'],
              schema: withoutFiles(oneTypeEach(schema)),
            })),
          }
        : null,
    })),
  );
  return new Map(all.map((each) => [each.id, each]));
}

/** The files of a form are sent beside its fields. */
const withoutFiles = ({ properties, ...schema }: Shape): Shape => {
  const { files: _files, ...fields } = properties ?? {};
  return { ...schema, properties: fields };
};

/** A request as its parts; a header, a query value and a part of the path are texts. */
interface Parts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly header: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly kind: BodyKind | null;
}

/** A request, and what of it the document forbids; null when it forbids nothing. */
export interface MadeRequest {
  readonly forbidden: string | null;
  readonly send: (headers: Readonly<Record<string, string>>) => InjectOptions;
}

/** Requests that the document allows, and as many with one thing that it forbids. */
export function requestsFrom(operation: Operation, known: Known): fc.Arbitrary<MadeRequest> {
  const valid = partsFrom(operation, known);
  const allowed = valid.map((parts) => made(operation, null, parts));
  const spoilings = spoilingsOf(operation);
  if (spoilings.length === 0) return allowed;
  const spoilt = fc
    .tuple(valid, fc.oneof(...spoilings))
    .map(([parts, { what, spoil, forbids }]) => {
      const spoilt = spoil(parts);
      return made(operation, forbids(spoilt) ? what : null, spoilt);
    });
  return fc.oneof({ weight: 2, arbitrary: allowed }, { weight: 1, arbitrary: spoilt });
}

function partsFrom({ parameters, body }: Operation, known: Known): fc.Arbitrary<Parts> {
  const values = (where: Where) => {
    const own = parameters.filter((each) => each.in === where);
    return fc.record(
      Object.fromEntries(
        own.map(({ name, schema }) => [
          name,
          valuesOf(schema, known)
            .filter((value) => fits(schema, value))
            .map(String)
            .filter(CAN_STAND[where]),
        ]),
      ),
      { requiredKeys: own.filter(({ required }) => required).map(({ name }) => name) },
    ) as fc.Arbitrary<Record<string, string>>;
  };
  const bodies = (body?.kinds ?? []).map((kind) =>
    valuesOf(kind.schema, known)
      .filter((value) => fits(kind.schema, value))
      .map((value) => ({ kind, body: value })),
  );
  const none = { kind: null };
  const some: fc.Arbitrary<Pick<Parts, 'kind' | 'body'>> =
    body === null
      ? fc.constant(none)
      : fc.oneof(...bodies, ...(body.isRequired ? [] : [fc.constant(none)]));
  return fc
    .tuple(values('path'), values('query'), values('header'), some)
    .map(([path, query, header, rest]) => ({ path, query, header, ...rest }));
}

/** What a client can send there at all: a path has no empty part, a header no space at its ends. */
const CAN_STAND: Readonly<Record<Where, (text: string) => boolean>> = {
  path: (text) => text !== '' && text !== '.' && text !== '..' && text.isWellFormed(),
  query: (text) => text.isWellFormed(),
  header: (text) => /^(?:[!-~\xA1-\xFF](?:[ -~\xA0-\xFF]*[!-~\xA1-\xFF])?)?$/.test(text),
};

/** A thing that is put into a valid request, and whether the document forbids what comes of it. */
interface Spoil {
  readonly what: string;
  readonly spoil: (parts: Parts) => Parts;
  readonly forbids: (spoilt: Parts) => boolean;
}

function spoilingsOf({ parameters, body }: Operation): fc.Arbitrary<Spoil>[] {
  const [json] = body?.kinds.filter(({ type }) => type === 'application/json') ?? [];
  return [...parameters.flatMap(ofParameter), ...(json === undefined ? [] : [ofBody(json)])];
}

function ofParameter({ name, in: where, required, schema }: Parameter): fc.Arbitrary<Spoil>[] {
  const wrong = TEXTS.filter(
    (text) => CAN_STAND[where](text) && !fits(schema, readAs(schema, text)),
  );
  const put = (text: string | undefined): Spoil => ({
    what: `${where} ${name} is ${text?.slice(0, 80)}`,
    spoil: (parts) => ({ ...parts, [where]: withField(parts[where], name, text) }),
    forbids: () => true,
  });
  return [
    ...(wrong.length === 0 ? [] : [fc.constantFrom(...wrong).map(put)]),
    ...(required && where !== 'path' ? [fc.constant(put(undefined))] : []),
  ];
}

function withField(before: unknown, name: string, value: unknown): object {
  const { [name]: _old, ...rest } = Object(before) as Record<string, unknown>;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** Another value of one field, or another body. */
function ofBody(kind: BodyKind): fc.Arbitrary<Spoil> {
  const names = Object.keys(kind.schema.properties ?? {});
  const spoil = (what: unknown, change: (before: unknown) => unknown): Spoil => ({
    what: `body ${JSON.stringify(what)?.slice(0, 80)}`,
    spoil: (parts) => ({ ...parts, kind, body: change(parts.body) }),
    forbids: ({ body }) => !fits(kind.schema, body),
  });
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...names, 'unknownToAll'), fc.constantFrom(...VALUES))
      .map(([name, value]) => spoil([name, value], (before) => withField(before, name, value))),
    fc.constantFrom<unknown>(null, [], 'text', 7).map((whole) => spoil(whole, () => whole)),
  );
}

const LONG = ['x'.repeat(130), 'x'.repeat(300), 'x'.repeat(10_000)];
const TEXTS = [...strangeTexts, ...LONG, 'nobody', '\u0001', '\u0085', 'a\u0007b'];
const VALUES: readonly unknown[] = [
  ...TEXTS,
  ...strangeNumbers,
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { toString: 'x' },
  Array<string>(600).fill('x'),
  undefined,
];

/** A text as the schema of a parameter reads it. */
const readAs = (schema: Shape, text: string): unknown =>
  schema.type === 'integer' || schema.type === 'number'
    ? text.trim() === ''
      ? text
      : Number(text)
    : text;

function made(
  { method, path }: Operation,
  forbidden: string | null,
  { path: inPath, query, header, body, kind }: Parts,
): MadeRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(inPath[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  const form = kind?.type === 'multipart/form-data' ? formBody(body, [aPicture()]) : null;
  const type = kind === null ? {} : (form?.headers ?? { 'content-type': kind.type });
  return {
    forbidden,
    send: (headers) => ({
      method,
      url: search === '' ? filled : `${filled}?${search}`,
      headers: { ...headers, ...header, ...type },
      ...(kind === null ? {} : { payload: form?.payload ?? JSON.stringify(body) }),
    }),
  };
}
