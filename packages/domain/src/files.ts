/** The kind of a file by its content. JSON and CSV have no signature: they are 'text'. */
export type FileKind = 'jpeg' | 'png' | 'gif' | 'webp' | 'pdf' | 'text';

const PICTURES = ['jpeg', 'png', 'gif', 'webp'] as const;

/** Which files may be sent, by place. The file picker offers exactly these, and the service accepts them. */
export const ACCEPTED_FILES = {
  images: PICTURES,
  imagesAndPdf: [...PICTURES, 'pdf'],
  documents: [...PICTURES, 'pdf', 'text'],
} as const satisfies Record<string, readonly FileKind[]>;
export type AcceptedFiles = keyof typeof ACCEPTED_FILES;

/** the most files in one form. */
export const MOST_FILES = 3;
export const MOST_FILE_BYTES = 10 * 1024 * 1024;

/** How many first bytes show a file's kind. */
export const FILE_HEAD_BYTES = 64;

/** Pictures in a HEIF container: https://mp4ra.org/registered-types/brands. */
const HEIF_BRANDS = /^(heic|heix|hevc|hevx|heim|heis|hevm|hevs|mif1|msf1|avif|avis)$/;

/** The kind that the first bytes show, whatever name and media type say; null for an unknown kind. */
export function kindOfFile(head: Uint8Array): FileKind | 'heic' | null {
  const text = String.fromCharCode(...head.subarray(0, FILE_HEAD_BYTES));
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (text.slice(4, 8) === 'ftyp') return HEIF_BRANDS.test(text.slice(8, 12)) ? 'heic' : null;
  if (text.startsWith('%PDF-')) return 'pdf';
  // Rejects web pages and SVG: they begin with '<', perhaps after a UTF-8 byte order mark or white space.
  const isText = text !== '' && !/\p{Cc}/u.test(text.replace(/[\t\r\n\u0080-\u009f]/g, ''));
  return isText && !/^(\xef\xbb\xbf)?\s*</.test(text) ? 'text' : null;
}
