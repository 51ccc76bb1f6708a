import type { FilesShape } from '@clinic/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type UploadedFile, formParser } from './form-parser.ts';
import { type HeldUploads, holdUploads } from './held-uploads.ts';
import { MalformedBody, RefusedBody, WrongMediaType } from './json-body.ts';
import { refuse } from './refusal.ts';

export type { UploadedFile } from './form-parser.ts';

const READ_AT_MOST = 64 * 1024 * 1024;
const LONGEST_MS = 300_000;
/** RFC 2046, 5.1.1. Of an empty boundary the parser would wait for ever. */
const FORM_TYPE = /^multipart\/form-data\s*;\s*boundary=("?)[\w'()+,./:=? -]{1,70}\1\s*$/i;

/** A form as it came: text fields by name, for the call's schema to judge, and files. */
export class MultipartForm {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly UploadedFile[];
  /** Its bytes no longer count as held. */
  readonly release: () => void;

  constructor(form: Pick<MultipartForm, 'fields' | 'files' | 'release'>) {
    this.fields = form.fields;
    this.files = form.files;
    this.release = form.release;
  }
}

/** Multipart forms, for calls with `files` and no other (S-11). */
export function acceptForms(app: FastifyInstance): void {
  const held = holdUploads();
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { files } = request.routeOptions.config.call ?? {};
      if (files === undefined) throw new WrongMediaType();
      return readForm(request, payload, files, held);
    },
  );
}

async function readForm(
  request: FastifyRequest,
  payload: IncomingMessage,
  { most, bytesEach }: FilesShape,
  held: HeldUploads,
): Promise<MultipartForm> {
  if (Number(request.headers['content-length'] ?? 0) > READ_AT_MOST)
    throw new RefusedBody(refuse('tooLarge'));
  const place = held.take(request.patient?.id ?? request.ip);
  if (place.kind === 'refused') throw new RefusedBody(place.refusal);
  const { grow, release } = place;
  try {
    const limits = { most, fileLimit: bytesEach, readAtMost: READ_AT_MOST, grow };
    const form = await read(request, payload, limits);
    const refusal = form.refusal();
    if (refusal !== null) throw new RefusedBody(refusal);
    return new MultipartForm({ fields: form.fields, files: form.files, release });
  } catch (error) {
    release();
    throw error;
  }
}

async function read(
  request: FastifyRequest,
  payload: IncomingMessage,
  limits: Parameters<typeof formParser>[1],
) {
  try {
    if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) throw new Error('No boundary');
    const form = formParser(request.headers, limits);
    const signal = AbortSignal.timeout(LONGEST_MS);
    await pipeline(payload, form.measured, form.parser, { signal });
    return form;
  } catch (error) {
    throw new MalformedBody('The form cannot be read', { cause: error });
  }
}
