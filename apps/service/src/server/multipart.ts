import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FilesShape } from '@clinic/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Refusal, RefusedBody, malformedBody, refuse, wrongMediaType } from './refusal.ts';

/** Bytes of all uploads that are in memory at once, and forms that one patient sends at once. */
const HELD_AT_MOST = 192 * 1024 * 1024;
const FORMS_AT_ONCE = 2;
/** A form that is refused is still read to its end, so that its browser hears why; up to here. */
const READ_AT_MOST = 64 * 1024 * 1024;
const FORM_LIMITS = { fields: 50, fieldSize: 64 * 1024, headerPairs: 20, headerSize: 16 * 1024 };
/** RFC 2046, 5.1.1. Of an empty boundary the parser would wait for ever. */
const FORM_TYPE = /^multipart\/form-data\s*;\s*boundary=("?)[\w'()+,./:=? -]{1,70}\1\s*$/i;
/** What the parts of a form may be called that carry a file. */
const FILE_FIELD = /^(files?|file[1-9])$/;
/** Refused by every schema, with the name of its field. */
const UNUSABLE = { notAText: true };

export interface UploadedFile {
  /** What the patient called it: nothing is decided by it. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Of a form as it came. Its text fields are the body, for the call's schema to judge. */
export interface UploadedForm {
  readonly files: readonly UploadedFile[];
  /** Its bytes no longer count as held. */
  readonly release: () => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    form: UploadedForm | null;
  }
}

/** Multipart forms, for calls with `files` and no other. */
export function acceptForms(app: FastifyInstance): void {
  const take = holdUploads();
  app.decorateRequest('form', null);
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { files: shape } = request.routeOptions.config.call ?? {};
      if (shape === undefined) throw wrongMediaType();
      if (Number(request.headers['content-length'] ?? 0) > READ_AT_MOST)
        throw new RefusedBody(refuse('tooLarge'));
      const place = take(request.patient?.id ?? request.staff?.id ?? request.ip);
      if (place instanceof Refusal) throw new RefusedBody(place);
      try {
        const { fields, files } = await readForm(payload, shape, place.grow);
        request.form = { files, release: place.release };
        return fields;
      } catch (error) {
        place.release();
        throw error;
      }
    },
  );
}

/** How much memory uploads take: a bound for everybody and one for each sender. */
export function holdUploads() {
  let heldByAll = 0;
  const forms = new Map<string, number>();

  return (sender: string) => {
    const others = forms.get(sender) ?? 0;
    if (others >= FORMS_AT_ONCE) return refuse('tooManyRequests');
    forms.set(sender, others + 1);
    let held: number | null = 0;
    return {
      /** False when there is no room for that many bytes more. */
      grow: (bytes: number): boolean => {
        if (held === null || heldByAll + bytes > HELD_AT_MOST) return false;
        heldByAll += bytes;
        held += bytes;
        return true;
      },
      release: (): void => {
        if (held === null) return;
        heldByAll -= held;
        held = null;
        const left = (forms.get(sender) ?? 1) - 1;
        if (left === 0) forms.delete(sender);
        else forms.set(sender, left);
      },
    };
  };
}

async function readForm(
  payload: IncomingMessage,
  { most, bytesEach }: FilesShape,
  grow: (bytes: number) => boolean,
) {
  // Without a prototype, so that a field may be called anything.
  const fields: Record<string, unknown> = { __proto__: null };
  const files: UploadedFile[] = [];
  const refusals: Refusal[] = [];
  /** A field that comes twice is a list, which no text field takes. */
  const setField = (name: string, value: unknown) => {
    fields[name] = name in fields ? [fields[name], value] : value;
  };
  const refuseAs = (code: 'tooLarge' | 'tooManyFiles' | 'serviceBusy') =>
    void refusals.push(refuse(code));
  try {
    const { headers } = payload;
    if (!FORM_TYPE.test(headers['content-type'] ?? '')) throw new Error('No boundary');
    const limits = { ...FORM_LIMITS, files: most, fileSize: bytesEach };
    const parser = Busboy({ headers: headers as BusboyHeaders, limits });
    parser.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut) refuseAs('tooLarge');
      setField(name, value);
    });
    parser.on('file', (name, stream, fileName) => {
      const isFile = FILE_FIELD.test(name);
      if (!isFile) setField(name, UNUSABLE);
      let chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        if (refusals.length > 0) chunks = [];
        else if (grow(chunk.length)) chunks.push(chunk);
        else refuseAs('serviceBusy');
      });
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks);
        // An empty control of a form comes as a nameless file of no bytes.
        if (isFile && (fileName || bytes.length > 0)) files.push({ name: nameOf(fileName), bytes });
      });
      stream.on('limit', () => refuseAs('tooLarge'));
      // The parser says the same for the whole form.
      stream.on('error', () => undefined);
    });
    parser.on('filesLimit', () => refuseAs('tooManyFiles'));
    parser.on('fieldsLimit', () => refuseAs('tooLarge'));
    await pipeline(payload, upTo(READ_AT_MOST), parser);
  } catch (error) {
    throw malformedBody({ cause: error });
  }
  const [refusal] = refusals;
  if (refusal) throw new RefusedBody(refusal);
  return { fields, files };
}

/** A browser writes the quotes of a name so: https://html.spec.whatwg.org/#multipart-form-data. */
const nameOf = (written = ''): string => written.replaceAll('%22', '"');

const upTo = (most: number) =>
  async function* (source: AsyncIterable<Buffer>) {
    let read = 0;
    for await (const chunk of source) {
      read += chunk.length;
      if (read > most) throw new Error('A form without an end');
      yield chunk;
    }
  };
