export type ContentKind = 'jpeg' | 'png' | 'gif' | 'webp' | 'heic' | 'pdf' | 'text' | 'unknown';

/** https://mp4ra.org/registered-types/brands: pictures in a HEIF container. */
const HEIF_BRANDS = /^(heic|heix|hevc|hevx|heim|heis|hevm|hevs|mif1|msf1|avif|avis)$/;

/** What the first bytes say a file is. Its name and its media type are not asked (S-4). */
export function kindOfContent(bytes: Uint8Array): ContentKind {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64));
  const at = (start: number, end: number) => head.toString('latin1', start, end);
  if (at(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (at(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (at(0, 6) === 'GIF87a' || at(0, 6) === 'GIF89a') return 'gif';
  if (at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP') return 'webp';
  if (at(4, 8) === 'ftyp') return HEIF_BRANDS.test(at(8, 12)) ? 'heic' : 'unknown';
  if (at(0, 5) === '%PDF-') return 'pdf';
  return bytes.byteLength > 0 && !bytes.includes(0) ? 'text' : 'unknown';
}
