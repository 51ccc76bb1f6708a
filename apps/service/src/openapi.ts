import { type Call, type FilesShape, answersOf, calls, refusal } from '@clinic/contract';
import { z } from 'zod';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io }) as Json;
  return json;
};

/** The contract as OpenAPI 3.1: the same for `/api/docs`, for docs/openapi.json and for clients. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const call of Object.values<Call>(calls)) {
    const path = `/api${call.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Clinic booking',
      version: '1',
      description: 'What the clinic booking service answers. Made from packages/contract.',
    },
    paths,
    components: {
      schemas: { Refusal: schemaOf(refusal, 'output') },
      securitySchemes: {
        accessToken: { type: 'apiKey', in: 'header', name: 'x-access-token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operationOf(call: Call): Json {
  const parameters = [
    ...parametersOf(call.params, 'path'),
    ...parametersOf(call.query, 'query'),
    ...parametersOf(call.headers, 'header'),
  ];
  return {
    operationId: call.id,
    summary: call.summary,
    description: call.section,
    security: call.access === 'patient' ? [{ accessToken: [] }, { bearer: [] }] : [],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(call),
    responses: Object.fromEntries(
      [...answersOf(call)]
        .sort(([one], [other]) => one - other)
        .map(([status, schema]) => [
          String(status),
          {
            description: descriptionOf(status),
            content:
              call.download === true && status === 200 ? fileContent : content(schema, 'output'),
          },
        ]),
    ),
  };
}

/** A call with files takes a form, and JSON only where its files are optional. */
function requestBodyOf({ body, files }: Call): Json {
  if (body === undefined && files === undefined) return {};
  const json = body !== undefined && (files === undefined || files.optional === true);
  return {
    requestBody: {
      required: true,
      content: {
        ...(json ? content(body, 'input') : {}),
        ...(files === undefined ? {} : formContent(body, files)),
      },
    },
  };
}

const BINARY = { type: 'string', contentMediaType: 'application/octet-stream' };
const fileContent = { '*/*': { schema: BINARY } };

function formContent(body: z.ZodObject | undefined, { most }: FilesShape): Json {
  const fields: Json = body === undefined ? { type: 'object' } : schemaOf(body, 'input');
  const files = { type: 'array', maxItems: most, items: BINARY };
  return {
    'multipart/form-data': {
      schema: { ...fields, properties: { ...(fields.properties as Json | undefined), files } },
    },
  };
}

function parametersOf(schema: z.ZodObject | undefined, where: 'path' | 'query' | 'header') {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

const content = (schema: z.ZodType, io: 'input' | 'output') => ({
  'application/json': {
    schema: schema === refusal ? { $ref: '#/components/schemas/Refusal' } : schemaOf(schema, io),
  },
});

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
const descriptionOf = (status: number): string => descriptions[status] ?? 'Refused.';
