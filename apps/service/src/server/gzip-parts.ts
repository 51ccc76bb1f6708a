import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);

/** As fast as level 1 on the texts of schedules, and a third smaller. */
const LEVEL = 3;

/** A text that is part of several answers and is compressed once for all of them. */
export interface GzipPart {
  readonly bytes: Buffer;
  readonly deflated: () => Promise<Buffer>;
}

export function gzipPart(text: string): GzipPart {
  const bytes = Buffer.from(text);
  let deflated: Promise<Buffer> | undefined;
  return {
    bytes,
    // Z_SYNC_FLUSH ends on a whole byte with a block that is not the last, so that other blocks can follow.
    deflated: () =>
      (deflated ??= deflate(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH })),
  };
}

/** RFC 1952: method deflate, no file name, no time, unknown operating system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** RFC 1951, 3.2.4: a stored block, of at most 65,535 uncompressed bytes. */
function stored(bytes: Buffer, isLast: boolean): Buffer {
  const head = Buffer.alloc(5);
  head[0] = isLast ? 1 : 0;
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

/**
 * Joins parts into one gzip member, block after block, because browsers do not read a second member. The
 * short texts between the parts are stored uncompressed.
 */
export async function joinedGzip(parts: readonly (GzipPart | string)[]): Promise<Buffer> {
  const blocks = await Promise.all(
    parts.map(async (part) =>
      typeof part === 'string' ? stored(Buffer.from(part), false) : part.deflated(),
    ),
  );
  let [sum, length] = [0, 0];
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part.bytes;
    sum = crc32(bytes, sum);
    length += bytes.length;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(sum, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return Buffer.concat([HEADER, ...blocks, stored(Buffer.alloc(0), true), trailer]);
}
