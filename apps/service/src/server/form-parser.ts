import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refuse } from './refusal.ts';

const FORM_LIMITS = {
  fields: 50,
  fieldSize: 64 * 1024,
  headerPairs: 20,
  headerSize: 16 * 1024,
};
/** What the parts of a form may be called that carry a file (§3: file1 to file3). */
const FILE_FIELD = /^(files?|file[1-9])$/;
/** Refused by every schema, with the name of its field. */
const UNUSABLE = { notAText: true };

export interface UploadedFile {
  /** What the patient called it: nothing is decided by it. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface FormLimits {
  readonly most: number;
  readonly fileLimit: number;
  /** A form that is refused is still read to its end, so that its browser hears why; up to here. */
  readonly readAtMost: number;
  readonly grow: (bytes: number) => boolean;
}

/** Collects a multipart form of files and text fields; throws for a head that cannot be read. */
export function formParser(headers: IncomingHttpHeaders, limits: FormLimits) {
  const fields: Record<string, unknown> = {};
  const files: UploadedFile[] = [];
  let refusal: Refusal | null = null;
  const refuseAs = (why: Refusal) => (refusal ??= why);
  const parser = Busboy({
    headers: headers as BusboyHeaders,
    limits: { ...FORM_LIMITS, files: limits.most, fileSize: limits.fileLimit },
  });

  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) refuseAs(refuse('tooLarge'));
    setField(fields, name, value);
  });
  parser.on('file', (name, stream, fileName) => {
    if (!FILE_FIELD.test(name)) setField(fields, name, UNUSABLE);
    collect(stream, (bytes) => {
      // An empty control of a form comes as a nameless file of no bytes.
      if (FILE_FIELD.test(name) && (fileName !== '' || bytes.length > 0))
        files.push({ name: fileName ?? '', bytes });
    });
    stream.on('limit', () => refuseAs(refuse('tooLarge')));
  });
  parser.on('filesLimit', () => refuseAs(refuse('tooManyFiles')));
  parser.on('fieldsLimit', () => refuseAs(refuse('tooLarge')));

  function collect(stream: BusboyFileStream, done: (bytes: Buffer) => void) {
    let chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => {
      if (refusal !== null) chunks = [];
      else if (limits.grow(chunk.length)) chunks.push(chunk);
      else refuseAs(refuse('serviceBusy'));
    });
    stream.on('end', () => done(Buffer.concat(chunks)));
    // The parser says the same for the whole form.
    stream.on('error', () => undefined);
  }

  async function* measured(source: AsyncIterable<Buffer>) {
    let read = 0;
    for await (const chunk of source) {
      read += chunk.length;
      if (read > limits.readAtMost) throw new Error('A form without an end');
      yield chunk;
    }
  }

  return { parser, measured, fields, files, refusal: () => refusal };
}

/** A field that comes twice is a list, which no text field takes. */
function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  const known = Object.hasOwn(fields, name);
  Object.defineProperty(fields, name, {
    value: known ? [fields[name], value] : value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
