import { type AnyCall, answersOf, deskRoutes, isOurs, refusal } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { deskCookieName } from './authorize.ts';

export type Schema = z.core.JSONSchema._JSONSchema;
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly [string];
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<number, Answer>>;
}

export type Parameter = ReturnType<typeof parametersOf>[number];

export interface Answer {
  readonly description: string;
  readonly headers?: Record<string, { description: string; schema: Schema }>;
  readonly content?: Content;
}

const TAGS = {
  'Sign-up and sign-in': {
    about:
      'Opening an account, links of the clinic to it, signing in and out, recovering a password, the captcha.',
    paths: ['register', 'account', 'login', 'logout', 'session', 'captcha', 'dashboard'],
  },
  'The patient': {
    about: 'The patient who is signed in: details, sessions, appointments, own data.',
    paths: ['me'],
  },
  'Doctors and times': {
    about: 'The doctors, and when they can be booked.',
    paths: ['doctors'],
  },
  Appointments: {
    about: 'Holding a time, booking, moving and cancelling an appointment.',
    paths: ['schedule'],
  },
  'Patient records': {
    about: 'The patient’s record at the clinic.',
    paths: ['clinic', 'demographics'],
  },
  Services: {
    about: 'Prices and payment, settings of the clinic, agreements, forms, suggestions.',
    paths: ['services'],
  },
  Pharmacies: { about: 'The pharmacies that a patient may prefer.', paths: ['pharmacy'] },
  Messages: { about: 'Messages to the clinic, with files.', paths: ['message'] },
  'The front desk': { about: 'For staff, who come in by a cookie.', paths: ['desk'] },
  'For machines': {
    about: 'What the card provider tells, and whether this process can serve.',
    paths: ['webhooks', 'healthz', 'readyz'],
  },
};

/** Every registered call as OpenAPI 3.1. */
export function apiDocument(app: FastifyInstance, publicUrl: string) {
  const paths: Record<string, Record<string, Operation>> = { ...PROBES };
  for (const call of app.callHost.registered.values()) {
    // A call whose path ends in a slash is served without the slash, too, and is described that way.
    const path = call.path.replace(/\/$/, '').replace(/:(\w+)/g, '{$1}');
    (paths[`/api${path}`] ??= {})[call.method.toLowerCase()] = operationOf(call);
  }
  const url = '/webhooks/stripe';
  if (app.hasRoute({ method: 'POST', url })) paths[url] = { post: STRIPE_WEBHOOK };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Clinic booking',
      version: '1',
      description: 'What the clinic booking service answers.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS).map(([name, { about }]) => ({ name, description: about })),
    paths,
    components: {
      securitySchemes: {
        accessToken: { type: 'apiKey', in: 'header', name: 'x-access-token' },
        bearer: { type: 'http', scheme: 'bearer' },
        desk: { type: 'apiKey', in: 'cookie', name: deskCookieName(publicUrl) },
      },
      schemas: { Refusal: schemaOf(refusal, 'output') },
    },
  };
}

const operationOf = (call: AnyCall): Operation => ({
  operationId: call.id,
  summary: call.summary,
  description: [
    sentAgain[call.idempotency],
    call.files && `Up to ${call.files.most} files of ${call.files.bytesEach / MIB} MiB each.`,
    `In the specification: ${call.section}.`,
  ]
    .filter(Boolean)
    .join(' '),
  tags: [tagOf(call.path)],
  security: SECURITY[typeof call.access === 'string' ? call.access : 'staff'],
  parameters: [
    ...parametersOf('path', call.params),
    ...parametersOf('query', call.query).map((one) => ({
      ...one,
      ...(isOurs(call) || one.required ? {} : { allowEmptyValue: true }),
    })),
    ...parametersOf('header', call.headers),
  ],
  ...(hasBody(call) && {
    requestBody: { required: needsBody(call), content: bodyOf(call) },
  }),
  responses: Object.fromEntries(
    [...answersOf(call)].map(([status, schema]) => [
      status,
      call.download !== undefined && status === 200
        ? fileOf(call.download)
        : answer(status, schema === refusal ? REFUSAL : schemaOf(schema, 'output')),
    ]),
  ),
});

const PATIENT = [{ accessToken: [] }, { bearer: [] }];
const SECURITY = { public: [], patient: PATIENT, staff: [{ desk: [] }] };
const MIB = 1024 * 1024;
const sentAgain = {
  key: 'Sent again under the same Idempotency-Key, it does nothing more.',
  natural: 'Sent again, it does nothing more.',
  none: 'Sent again, it does the same again.',
};

function tagOf(path: string): string {
  const first = path.split('/')[1] ?? '';
  const [tag] = Object.entries(TAGS).find(([, { paths }]) => paths.includes(first)) ?? [];
  if (tag === undefined) throw new Error(`${path} belongs to no tag of the API's description`);
  return tag;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io });
  return json;
}

function parametersOf(where: 'path' | 'query' | 'header', schema?: z.ZodType) {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input');
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema: of,
  }));
}

const REFUSAL: Schema = { $ref: '#/components/schemas/Refusal' };
/** The media type beside it says of what. */
const BYTES: Schema = {};
const PART: Schema = { type: 'string', contentMediaType: 'application/octet-stream' };
const fileOf = (mediaTypes: readonly string[]): Answer => ({
  description: 'The file.',
  headers: {
    'content-disposition': { schema: { type: 'string' }, description: 'The name of the file.' },
  },
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: BYTES }])),
});
const AGAIN_AFTER: Answer['headers'] = {
  'retry-after': {
    schema: { type: 'integer' },
    description: 'Seconds after which it is worth trying again.',
  },
};

const answer = (status: number, schema: Schema): Answer => ({
  description: descriptions[status] ?? 'Refused.',
  ...(status === 429 || status === 503 ? { headers: AGAIN_AFTER } : {}),
  content: json(schema),
});

const json = (schema: Schema): Content => ({ 'application/json': { schema } });

/** A request without a body is read as one of no fields; a change at the desk must be JSON all the same. */
function needsBody({ id, body, files }: AnyCall): boolean {
  if (Object.hasOwn(deskRoutes, id) || (files !== undefined && files.optional !== true))
    return true;
  const { required = [], anyOf = [] } = schemaOf(body ?? z.strictObject({}), 'input');
  return required.length > 0 || anyOf.length > 0;
}

const hasBody = ({ id, method, body, files }: AnyCall): boolean =>
  body !== undefined || files !== undefined || (Object.hasOwn(deskRoutes, id) && method !== 'GET');

/** A call with files takes a form; it takes JSON as well only where its files are optional. */
function bodyOf({ body, files }: AnyCall): Content {
  const fields = schemaOf(body ?? z.strictObject({}), 'input');
  if (files === undefined) return json(fields);
  const parts: Schema = { type: 'array', maxItems: files.most, items: PART };
  const form = { ...fields, properties: { ...fields.properties, files: parts } };
  const takesJson = body !== undefined && files.optional === true;
  return { ...(takesJson ? json(fields) : {}), 'multipart/form-data': { schema: form } };
}

const descriptions: Readonly<Record<number, string>> = {
  200: 'The answer.',
  400: 'The request cannot be read.',
  401: 'Sign in (again).',
  402: 'A fee applies.',
  403: 'Not for this account.',
  404: 'Not there, or not yours.',
  409: 'Not any more, or not twice.',
  413: 'Too large.',
  415: 'Not of a media type that this call takes.',
  422: 'A field cannot be accepted; `errors` names it.',
  429: 'Too many tries; see Retry-After.',
  500: 'A bug; `reference` names its log line.',
  503: 'Nobody can answer now; see Retry-After.',
};

/** A route with which the process tells about itself. */
const probe = (id: string, summary: string, responses: Operation['responses']): Operation => ({
  operationId: id,
  summary,
  tags: [tagOf(`/${id}`)],
  security: [],
  parameters: [],
  responses: { ...responses, 400: answer(400, REFUSAL) },
});
const status = (description: string, more: z.ZodRawShape = {}): Answer => ({
  description,
  content: json(schemaOf(z.looseObject({ status: z.string(), ...more }), 'input')),
});

/** Routes that none of our own clients uses. */
const PROBES = {
  '/healthz': { get: probe('healthz', 'Whether the process runs.', { 200: status('It does.') }) },
  '/readyz': {
    get: probe('readyz', 'Whether the process may be sent patients.', {
      200: status('It may.', {
        version: z.string().describe('Which version runs.'),
        errors: z.int().describe('How many errors it met since it began.'),
      }),
      503: status('It is closing, or its database is silent.'),
    }),
  },
};
const STRIPE_WEBHOOK: Operation = {
  operationId: 'stripeWebhook',
  summary: 'Take an event of Stripe about a payment.',
  description:
    'The signature is over the bytes of the body. What the event says only makes us look.',
  tags: [tagOf('/webhooks')],
  security: [],
  parameters: [
    { name: 'stripe-signature', in: 'header', required: true, schema: { type: 'string' } },
  ],
  requestBody: { required: true, content: json({ type: 'object' }) },
  responses: {
    200: { description: 'It is taken, or was before.' },
    400: { description: 'It is not signed by Stripe.' },
  },
};
