import fastifySwagger from '@fastify/swagger';
import { type Call, type FilesShape, answersOf, refusal } from '@clinic/contract';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { API_DOCS_STYLE, apiDocsPage } from './api-docs-page.ts';

type Json = Record<string, unknown>;

/** What @fastify/swagger reads of a route, beside Fastify's own. */
interface Described extends FastifySchema {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly response: Json;
}

const TAGS: Readonly<
  Record<string, { readonly about: string; readonly paths: readonly string[] }>
> = {
  'Sign-up and sign-in': {
    about: 'Opening an account, signing in and out, recovering a password, the captcha.',
    paths: ['register', 'login', 'logout', 'session', 'captcha', 'dashboard'],
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
  'For machines': {
    about: 'What the card provider tells, and whether this process can serve.',
    paths: ['webhooks', 'healthz', 'readyz'],
  },
};

/**
 * `/api/openapi.json`: every registered call as OpenAPI 3.1, read off the routes; `/api/docs`: the same
 * as a page. Both are for everybody: they hold what the web app's own script holds, and no secret.
 * To be registered before the routes.
 */
export async function describeApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  app.addSchema({ $id: 'Refusal', ...schemaOf(refusal, 'output') });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Clinic booking',
        version: '1',
        description: 'What the clinic booking service answers.',
        license: { name: 'Unlicensed', identifier: 'LicenseRef-UNLICENSED' },
      },
      servers: [{ url: publicUrl }],
      tags: Object.entries(TAGS).map(([name, { about }]) => ({ name, description: about })),
      components: {
        securitySchemes: {
          accessToken: { type: 'apiKey', in: 'header', name: 'x-access-token' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    refResolver: { buildLocalReference: ({ $id }) => $id as string },
    transform: ({ url, route }) => ({
      url,
      schema: describe(url, route.config?.call) ?? { hide: true },
    }),
  });
  // Written once, when first asked for: the routes do not change while the service runs.
  let json: string | null = null;
  let page: string | null = null;
  const limit = { config: { limit: 'none' as const } };
  app.get('/api/openapi.json', limit, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((json ??= JSON.stringify(app.swagger()))),
  );
  app.get('/api/docs', limit, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send((page ??= apiDocsPage(app.swagger()))),
  );
  app.get('/api/docs/style.css', limit, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(API_DOCS_STYLE),
  );
}

function describe(url: string, call: Call | undefined): Described | undefined {
  if (call === undefined) return outsideOfContract[url];
  // One that ends in a slash is answered without it, too; that is how it is described.
  return url === `/api${call.path.replace(/\/$/, '')}` ? describeCall(call) : undefined;
}

const describeCall = (call: Call): Described => ({
  operationId: call.id,
  summary: call.summary,
  description: [
    ...sentAgain[call.idempotency],
    ...filesOf(call),
    `In the specification: ${call.section}.`,
  ].join(' '),
  tags: tagsOf(call.path),
  security: call.access === 'patient' ? [{ accessToken: [] }, { bearer: [] }] : [],
  ...(call.params && { params: schemaOf(call.params, 'input') }),
  ...(call.query && { querystring: schemaOf(call.query, 'input') }),
  ...(call.headers && { headers: schemaOf(call.headers, 'input') }),
  ...((call.body ?? call.files) && { body: { content: bodyOf(call) } }),
  response: Object.fromEntries(
    [...answersOf(call)].map(([status, schema]) => [
      status,
      call.download === true && status === 200
        ? { description: 'The file.', headers: FILE_HEADERS, content: { '*/*': { schema: BYTES } } }
        : answer(status, schema === refusal ? REFUSAL : schemaOf(schema, 'output')),
    ]),
  ),
});

const sentAgain = {
  key: ['Sent again under the same Idempotency-Key, it does nothing more.'],
  natural: ['Sent again, it does nothing more.'],
  none: ['Sent again, it does the same again.'],
};

const filesOf = ({ files }: Call): readonly string[] =>
  files === undefined
    ? []
    : [`Up to ${files.most} files of ${files.bytesEach / (1024 * 1024)} MiB each.`];

const tagsOf = (path: string): readonly string[] => {
  const [, first = ''] = path.split('/');
  const tags = Object.keys(TAGS).filter((tag) => TAGS[tag]?.paths.includes(first));
  if (tags.length === 0) throw new Error(`${path} belongs to no tag of the API's description`);
  return tags;
};

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io }) as Json;
  return json;
};

const REFUSAL = { $ref: 'Refusal#' };
const BYTES = { type: 'string', contentMediaType: 'application/octet-stream' };
const FILE_HEADERS = {
  'content-disposition': { type: 'string', description: 'The name of the file.' },
};
const RETRY_HEADERS = {
  'retry-after': { type: 'integer', description: 'Seconds after which it is worth trying again.' },
};

const answer = (status: number, schema: Json) => ({
  description: descriptions[status] ?? 'Refused.',
  ...(status === 429 || status === 503 ? { headers: RETRY_HEADERS } : {}),
  content: { 'application/json': { schema } },
});

/** A call with files takes a form, and JSON only where its files are optional. */
function bodyOf({ body, files }: Call): Json {
  const fields = body === undefined ? { type: 'object' } : schemaOf(body, 'input');
  if (files === undefined) return { 'application/json': { schema: fields } };
  return {
    ...(body !== undefined && files.optional === true
      ? { 'application/json': { schema: fields } }
      : {}),
    'multipart/form-data': { schema: formOf(fields, files) },
  };
}

function formOf(fields: Json, { most }: FilesShape): Json {
  const files = { type: 'array', maxItems: most, items: BYTES };
  return { ...fields, properties: { ...(fields.properties as Json | undefined), files } };
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

const health = (operationId: string, summary: string, statuses: Json): Described => ({
  operationId,
  summary,
  tags: tagsOf(`/${operationId}`),
  security: [],
  response: { ...statuses, 400: answer(400, REFUSAL) },
});
const status = (description: string, more: Json = {}) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { status: { type: 'string' }, ...more },
        required: ['status', ...Object.keys(more)],
      },
    },
  },
});

/** Routes that no client of ours asks. */
const outsideOfContract: Readonly<Record<string, Described>> = {
  '/healthz': health('healthz', 'Whether the process runs.', { 200: status('It does.') }),
  '/readyz': health('readyz', 'Whether the process may be sent patients.', {
    200: status('It may.', {
      errors: { type: 'integer', description: 'How many errors it met since it began.' },
    }),
    503: status('It is closing, or its database is silent.'),
  }),
  '/webhooks/stripe': {
    operationId: 'stripeWebhook',
    summary: 'Take an event of Stripe about a payment.',
    description:
      'The signature is over the bytes of the body. What the event says only makes us look.',
    tags: tagsOf('/webhooks'),
    security: [],
    headers: {
      type: 'object',
      properties: { 'stripe-signature': { type: 'string' } },
      required: ['stripe-signature'],
    },
    body: { content: { 'application/json': { schema: { type: 'object' } } } },
    response: {
      200: { description: 'It is taken, or was before.', type: 'null' },
      400: { description: 'It is not signed by Stripe.', type: 'null' },
    },
  },
};
