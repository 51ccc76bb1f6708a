import sharp from 'sharp';
import type { Sharp } from 'sharp';

/** S-4: 40 megapixels. */
const PIXELS = 40_000_000;
const READERS = ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((each) => `VipsForeignLoad${each}Buffer`);

export type ImageKind = 'jpeg' | 'png' | 'gif' | 'webp';

export type Redrawn =
  | { readonly kind: 'redrawn'; readonly mediaType: string; readonly bytes: Buffer }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'tooLarge' };

// libvips knows many formats more; what is read here is all that it may read.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READERS });
sharp.cache(false);
sharp.concurrency(1);

const written: Readonly<
  Record<ImageKind, { readonly mediaType: string; readonly write: (image: Sharp) => Sharp }>
> = {
  jpeg: { mediaType: 'image/jpeg', write: (image) => image.jpeg({ quality: 88 }) },
  png: { mediaType: 'image/png', write: (image) => image.png() },
  gif: { mediaType: 'image/png', write: (image) => image.png() },
  webp: { mediaType: 'image/webp', write: (image) => image.webp({ quality: 88 }) },
};

/**
 * The picture drawn anew from its pixels: turned upright, its first frame only, and without anything
 * that was not a pixel. It runs on libuv's threads.
 */
export async function redrawImage(bytes: Uint8Array, kind: ImageKind): Promise<Redrawn> {
  try {
    const open = () =>
      sharp(bytes, { limitInputPixels: false, sequentialRead: true, failOn: 'error', pages: 1 });
    const { format, width, height } = await open().metadata();
    if (format !== kind) return { kind: 'unreadable' };
    if (width * height > PIXELS) return { kind: 'tooLarge' };
    const { mediaType, write } = written[kind];
    return { kind: 'redrawn', mediaType, bytes: await write(open().autoOrient()).toBuffer() };
  } catch {
    return { kind: 'unreadable' };
  }
}
