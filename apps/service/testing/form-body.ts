import { randomBytes } from 'node:crypto';

/** A part of a form that carries a file. */
export interface FormFile {
  /** Of the field; 'files' unless said otherwise. */
  readonly field?: string;
  readonly name: string;
  readonly type?: string;
  readonly bytes: Uint8Array;
}

export interface FormBody {
  readonly payload: Buffer;
  readonly headers: { readonly 'content-type': string };
}

/**
 * A multipart form as a browser sends it. What is no single text is sent as a form can: a list as
 * fields of one name, at least two, and an object as a file in the field's place.
 */
export function formBody(fields: unknown, files: readonly FormFile[]): FormBody {
  const boundary = `----clinic${randomBytes(12).toString('hex')}`;
  const parts = [
    ...Object.entries(Object(fields) as Record<string, unknown>).flatMap(fieldParts),
    ...files.map((file) => filePart({ field: 'files', ...file })),
  ].flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]);
  return {
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

function fieldParts([name, value]: [string, unknown]): Buffer[] {
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    const texts = list.length < 2 ? [list[0], list[0]] : list;
    return texts.map((each) => textPart(name, each));
  }
  if (typeof value === 'object' && value !== null)
    return [filePart({ field: name, name: 'file', bytes: Buffer.from(JSON.stringify(value)) })];
  return [textPart(name, value)];
}

const textPart = (name: string, value: unknown) =>
  Buffer.from(`content-disposition: form-data; name="${quoted(name)}"\r\n\r\n${textOf(value)}`);

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

function filePart({ field = 'files', name, type = 'application/octet-stream', bytes }: FormFile) {
  const head = `content-disposition: form-data; name="${quoted(field)}"; filename="${quoted(name)}"`;
  return Buffer.concat([Buffer.from(`${head}\r\ncontent-type: ${type}\r\n\r\n`), bytes]);
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const quoted = (text: string) =>
  text.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
