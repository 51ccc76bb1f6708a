import sharp from 'sharp';
import { crc32, deflateSync } from 'node:zlib';

/** A picture with something to see: red above, blue below. */
export const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#c00' } }).composite([
    {
      input: {
        create: { width, height: Math.floor(height / 2), channels: 3, background: '#00c' },
      },
      gravity: 'south',
    },
  ]);

export const jpeg = (width?: number, height?: number): Promise<Buffer> =>
  picture(width, height).jpeg().toBuffer();
export const png = (width?: number, height?: number): Promise<Buffer> =>
  picture(width, height).png().toBuffer();
export const webp = (): Promise<Buffer> => picture().webp().toBuffer();
export const gif = (): Promise<Buffer> => picture().gif().toBuffer();

/** A chunk of PNG. */
export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A black PNG of any size, one bit for each pixel, row by row as it unpacks. */
export function blackPng(width: number, height: number, rows = height): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const data = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * rows), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Right behind the header of a PNG. */
export async function pngWith(...chunks: readonly Buffer[]): Promise<Buffer> {
  const bytes = await png();
  const at = 8 + 25;
  return Buffer.concat([bytes.subarray(0, at), ...chunks, bytes.subarray(at)]);
}

/** Right behind the first marker of a JPEG. */
export async function jpegWith(marker: number, data: Buffer): Promise<Buffer> {
  const bytes = await jpeg();
  const head = Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff]);
  return Buffer.concat([bytes.subarray(0, 2), head, data, bytes.subarray(2)]);
}

/** A JPEG that says it is as large as a JPEG can. */
export async function jpegOfFourGigapixels(): Promise<Buffer> {
  const bytes = Buffer.from(await jpeg());
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(0xffff, frame + 5);
  bytes.writeUInt16BE(0xffff, frame + 7);
  return bytes;
}

const rational = (value: number) => `${value}/1`;

/** Taken somewhere, by a phone held upright. */
export const jpegOfAPlace = (): Promise<Buffer> =>
  picture()
    .jpeg()
    .withExif({
      IFD0: { Make: 'Telltale', Copyright: 'Riley Chen' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: `${rational(49)} ${rational(15)} ${rational(30)}`,
        GPSLongitudeRef: 'W',
        GPSLongitude: `${rational(123)} ${rational(6)} ${rational(30)}`,
      },
    })
    .toBuffer();

export const turnedJpeg = (orientation: number): Promise<Buffer> =>
  picture().jpeg().withMetadata({ orientation }).toBuffer();
