import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FilesShape } from '@clinic/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Refusal, RefusedBody, malformedBody, refuse, wrongMediaType } from './refusal.ts';

/** The bytes of all uploads held in memory at once, and the forms that one sender may upload at once. */
const HELD_AT_MOST = 192 * 1024 * 1024;
const FORMS_AT_ONCE = 2;
/** A refused form is still read to its end, up to this size, so that its browser reads the refusal. */
const READ_AT_MOST = 64 * 1024 * 1024;
const FORM_LIMITS = { fields: 50, fieldSize: 64 * 1024, headerPairs: 20, headerSize: 16 * 1024 };
/** RFC 2046, 5.1.1. With an empty boundary the parser would wait for ever. */
const FORM_TYPE = /^multipart\/form-data\s*;\s*boundary=("?)[\w'()+,./:=? -]{1,70}\1\s*$/i;
/** The names of the form fields that carry a file. */
const FILE_FIELD = /^(files?|file[1-9])$/;
/** A value that every schema refuses, with the name of its field. */
const UNUSABLE = { notAText: true };

export interface UploadedFile {
  /** The name that the sender gave the file: nothing is decided by it. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** The files of a form. The form's text fields become the body, for the call's schema to check. */
export interface UploadedForm {
  readonly files: readonly UploadedFile[];
  /** Stops counting the form's bytes as held in memory. */
  readonly release: () => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    form: UploadedForm | null;
  }
}

/** Accepts multipart forms for calls with `files`, and for no others. */
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

/** Bounds the memory of all uploads together, and the number of forms of each sender. */
export function holdUploads() {
  let heldByAll = 0;
  const forms = new Map<string, number>();

  return (sender: string) => {
    const others = forms.get(sender) ?? 0;
    if (others >= FORMS_AT_ONCE) return refuse('tooManyRequests');
    forms.set(sender, others + 1);
    let held: number | null = 0;
    return {
      /** False when there is no room for that many more bytes. */
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
  /** A field that comes twice becomes a list, which no text field accepts. */
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
        // A browser sends an empty file input as a nameless file of no bytes.
        if (isFile && (fileName || bytes.length > 0)) files.push({ name: nameOf(fileName), bytes });
      });
      stream.on('limit', () => refuseAs('tooLarge'));
      // The parser reports the same error for the whole form.
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

/** Browsers write a quotation mark in a name as %22: https://html.spec.whatwg.org/#multipart-form-data. */
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
