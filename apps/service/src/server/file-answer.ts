import type { FastifyReply } from 'fastify';

/** A file as the answer of a call with `download`. */
export class FileAnswer {
  readonly mediaType: string;
  /** Ours: letters, digits, dots and dashes; anything else becomes a dash. */
  readonly name: string;
  readonly bytes: Uint8Array;

  constructor(file: Pick<FileAnswer, 'mediaType' | 'name' | 'bytes'>) {
    this.mediaType = file.mediaType;
    this.name = file.name;
    this.bytes = file.bytes;
  }
}

/** S-4: kept, never shown: wherever it is opened from, nothing in it runs or loads. */
const CONFINED = "sandbox; default-src 'none'; frame-ancestors 'none'";

export function sendFile(reply: FastifyReply, { mediaType, name, bytes }: FileAnswer) {
  const safeName = name.replace(/[^\w.-]+/g, '-').slice(-100);
  return reply
    .headers({
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${safeName}"`,
      'content-security-policy': CONFINED,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
