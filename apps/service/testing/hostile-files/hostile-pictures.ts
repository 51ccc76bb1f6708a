import sharp from 'sharp';
import { deflateSync } from 'node:zlib';
import { zipOf } from './archives.ts';
import { type HostileFile, SCRIPT, keptAs, latin1, page, refusedAs } from './hostile-file.ts';
import {
  blackPng,
  chunk,
  gif,
  jpeg,
  jpegOfAPlace,
  jpegOfFourGigapixels,
  jpegWith,
  picture,
  png,
  pngWith,
  turnedJpeg,
  webp,
} from './pictures.ts';

const asJpeg = keptAs('image/jpeg', '60x40');
const turned = keptAs('image/jpeg', '40x60');
const asPng = keptAs('image/png', '60x40');
const asWebp = keptAs('image/webp', '60x40');
const tooLarge = refusedAs('tooLarge');
const unreadable = refusedAs('imageNotReadable');
const otherKind = refusedAs('fileNotAccepted');

const half = async (bytes: Promise<Buffer>) => (await bytes).subarray(0, (await bytes).length / 2);
const followedBy = async (bytes: Promise<Buffer>, tail: Uint8Array) =>
  Buffer.concat([await bytes, tail]);
const heif = (brand: string) => latin1(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic${'x'.repeat(200)}`);
const noise = () =>
  sharp(Buffer.alloc(600 * 400 * 3, 'noise of a picture'), {
    raw: { width: 600, height: 400, channels: 3 },
  });

/** Pictures, and what says it is one. */
export const hostilePictures: readonly HostileFile[] = [
  tooLarge('a picture of 11 MB', 'large.jpg', async () =>
    followedBy(jpeg(), Buffer.alloc(11 * 1024 * 1024)),
  ),
  tooLarge('a picture of 41 megapixels', 'scan.png', () => blackPng(8_200, 5_001)),
  tooLarge('a PNG that says it has 3.6 gigapixels', 'bomb.png', () => blackPng(60_000, 60_000, 1)),
  unreadable('a JPEG that says it has four gigapixels', 'bomb.jpg', jpegOfFourGigapixels),
  keptAs('image/png', '7800x5000')('39 megapixels in five kilobytes', 'bomb.png', () =>
    blackPng(7_800, 5_000),
  ),
  unreadable('HEIC called .jpg', 'photo.jpg', () => heif('heic')),
  unreadable('HEIC of another brand', 'photo.heic', () => heif('mif1')),
  unreadable('AVIF', 'photo.avif', () => heif('avif')),
  otherKind('a film', 'film.mp4', () => heif('isom')),
  unreadable('half a JPEG', 'card.jpg', () => half(noise().jpeg().toBuffer())),
  unreadable('half a PNG', 'card.png', () => half(noise().png().toBuffer())),
  unreadable('half a WebP', 'card.webp', () => half(noise().webp().toBuffer())),
  unreadable('half a GIF', 'card.gif', () => half(noise().gif().toBuffer())),
  unreadable('the first bytes of a JPEG and nothing else', 'a.jpg', () =>
    latin1('\xff\xd8\xff\xe0'),
  ),
  unreadable('a JPEG of random bytes', 'a.jpg', () =>
    Buffer.concat([latin1('\xff\xd8\xff\xe0'), Buffer.alloc(5_000, 'xyz')]),
  ),
  unreadable('a PNG whose checksum is wrong', 'card.png', async () => {
    const bytes = Buffer.from(await png());
    bytes[bytes.indexOf('IDAT') + 6] = 0x55;
    return bytes;
  }),
  unreadable('a script that begins as a GIF', 'a.gif', () =>
    latin1(`GIF89a/*${'\0'.repeat(20)}*/=1;${SCRIPT}//`),
  ),
  asJpeg('a JPEG that tells where it was taken', 'home.jpg', jpegOfAPlace),
  turned('a JPEG held upright', 'card.jpg', () => turnedJpeg(6)),
  asJpeg('a JPEG upside down', 'card.jpg', () => turnedJpeg(3)),
  asJpeg('a JPEG with a script as its comment', 'a.jpg', () => jpegWith(0xfe, latin1(page))),
  asJpeg('a JPEG with a script in its XMP', 'a.jpg', () =>
    jpegWith(0xe1, latin1(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${page}</x:xmpmeta>`)),
  ),
  asJpeg('a JPEG with an archive behind it', 'a.jpg', () =>
    followedBy(jpeg(), zipOf('Run.class', latin1(SCRIPT))),
  ),
  asJpeg('a JPEG with a page behind it', 'a.html', () => followedBy(jpeg(), latin1(page))),
  asPng('a PNG with a page behind it', 'a.html', () => followedBy(png(), latin1(page))),
  asPng('a PNG with a script as its text', 'a.png', () =>
    pngWith(chunk('tEXt', latin1(`Comment\0${page}`))),
  ),
  asPng('a PNG with packed text of 64 MB', 'a.png', () =>
    pngWith(
      chunk('zTXt', Buffer.concat([latin1('a\0\0'), deflateSync(Buffer.alloc(64 * 1024 * 1024))])),
    ),
  ),
  asPng('a PNG with a script as its own chunk', 'a.png', () =>
    pngWith(chunk('scRt', latin1(page))),
  ),
  asPng('a GIF with an archive behind it', 'gifar.gif', () =>
    followedBy(gif(), zipOf('Run.class', latin1(SCRIPT))),
  ),
  asPng('a GIF with a page behind it', 'a.gif', () => followedBy(gif(), latin1(page))),
  asPng('a GIF of 200 frames', 'a.gif', async () => {
    const frame = await picture().raw().toBuffer();
    const frames = Buffer.concat(Array.from({ length: 200 }, () => frame));
    return sharp(frames, {
      raw: { width: 60, height: 40 * 200, channels: 3, pageHeight: 40 },
    })
      .gif()
      .toBuffer();
  }),
  asWebp('a WebP with a page behind it', 'a.webp', () => followedBy(webp(), latin1(page))),
  asPng('a PNG of 16 bits a colour', 'a.png', () =>
    picture().toColourspace('rgb16').png().toBuffer(),
  ),
  asJpeg('a JPEG for print', 'a.jpg', () => picture().toColourspace('cmyk').jpeg().toBuffer()),
  asPng('a picture with an empty name', '', () => png()),
  asPng('a picture that names a path', '../../../etc/cron.d/a.png', () => png()),
  asPng('a picture that names a drive', 'C:\\Windows\\a.png', () => png()),
  asPng('a picture whose name reads backwards', 'card\u202Egnp.exe', () => png()),
  asPng('a picture with a name of 5000 letters', `${'n'.repeat(5_000)}.png`, () => png()),
  asPng('a picture with a name in Arabic and of a smile', 'بطاقة 😀.png', () => png()),
  asPng('a picture that says it is a page', 'card.html', () => png()),
  otherKind('a bitmap of Windows', 'a.bmp', () => latin1(`BM${'\0'.repeat(100)}`)),
  otherKind('a TIFF', 'a.jpg', () => picture().tiff().toBuffer()),
  otherKind('an icon', 'a.ico', () => latin1(`\0\0\x01\0\x01\0${'\0'.repeat(100)}`)),
];
