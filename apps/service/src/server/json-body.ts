import type { FastifyInstance } from 'fastify';
import { type Refusal, refuse } from './refusal.ts';

const DEEPEST = 20;

/** A body that is refused before its handler. */
export class RefusedBody extends Error {
  override readonly name = 'RefusedBody';
  readonly refusal: Refusal;
  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(`A body was refused: ${refusal.code}`, options);
    this.refusal = refusal;
  }
}

/** It cannot be read: a 400. */
export const malformedBody = (options?: ErrorOptions) =>
  new RefusedBody(refuse('invalidInput', { malformed: true }), options);

/** A media type or a packing that is not accepted: a 415, before anything is read. */
export const wrongMediaType = () => new RefusedBody(refuse('wrongMediaType'));

/** `application/json` is the only body there is, but for the forms of calls with files. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Nothing is unpacked: how large it would become cannot be known before.
  app.addHook('preParsing', async ({ headers }, reply) => {
    if (/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) return;
    reply.header('accept-encoding', 'identity');
    throw wrongMediaType();
  });
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request, body: string, done) => {
      const { files } = request.routeOptions.config.call ?? {};
      const onlyForms = files !== undefined && files.optional !== true;
      if (onlyForms || !isJsonType(request.headers['content-type'])) return done(wrongMediaType());
      if (body === '') return done(null, undefined);
      request.rawJson = body;
      try {
        if (bracketsOf(body).deepest > DEEPEST) throw new Error('It nests too deep');
        done(null, JSON.parse(body) as unknown);
      } catch (error) {
        done(malformedBody({ cause: error }));
      }
    },
  );
}

/** Parameters other than UTF-8 would make it something else than it says. */
function isJsonType(header: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(header ?? '');
}

/** How deep the lists and objects of a JSON text nest and how many there are, without building any. */
export function bracketsOf(json: string): { readonly deepest: number; readonly opened: number } {
  let depth = 0;
  let deepest = 0;
  let opened = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      opened++;
      deepest = Math.max(deepest, ++depth);
    } else if (char === '}' || char === ']') depth--;
  }
  return { deepest, opened };
}
