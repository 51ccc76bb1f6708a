/** What a call takes: the picker's accept list (§5 File picker, R-80). */
export type AcceptList = 'images' | 'imagesAndPdf' | 'documents';

export type FileKind = 'image' | 'heic' | 'pdf' | 'json' | 'csv';

const KINDS: Readonly<Record<AcceptList, readonly FileKind[]>> = {
  images: ['image'],
  imagesAndPdf: ['image', 'pdf'],
  documents: ['image', 'pdf', 'json', 'csv'],
};

/** What a file dialog is asked to offer; the bytes decide afterwards. */
export const ACCEPT_ATTRIBUTE: Readonly<Record<AcceptList, string>> = {
  images: 'image/*',
  imagesAndPdf: 'image/*,application/pdf,.pdf',
  documents: 'image/*,application/pdf,.pdf,application/json,.json,text/csv,.csv',
};

/** How much of a file tells its kind. */
export const HEAD_LENGTH = 32;

const HEIC_BRANDS = 'heic heix hevc hevx heim heis hevm hevs mif1 msf1'.split(' ');

/** The kind that a file's first bytes tell; only JSON and CSV, which have none, go by their name. */
export function kindOf(head: Uint8Array, name: string): FileKind | null {
  const text = String.fromCharCode(...head.subarray(0, HEAD_LENGTH));
  if (text.startsWith('ÿØÿ') || text.startsWith('\x89PNG\r\n\x1a\n')) return 'image';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image';
  if (text.slice(4, 8) === 'ftyp') return HEIC_BRANDS.includes(text.slice(8, 12)) ? 'heic' : null;
  if (text.startsWith('%PDF-')) return 'pdf';
  if (/\.json$/i.test(name)) return 'json';
  return /\.csv$/i.test(name) ? 'csv' : null;
}

export function isAccepted(kind: FileKind | null, accept: AcceptList): boolean {
  return kind !== null && KINDS[accept].includes(kind);
}
