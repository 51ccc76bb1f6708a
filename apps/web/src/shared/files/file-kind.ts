/** What a call takes: the picker's accept list. */
export type AcceptList = 'images' | 'imagesAndPdf' | 'documents';

type FileKind = 'image' | 'heic' | 'pdf' | 'text';

const KINDS: Readonly<Record<AcceptList, readonly FileKind[]>> = {
  images: ['image'],
  imagesAndPdf: ['image', 'pdf'],
  documents: ['image', 'pdf', 'text'],
};

/** What a file dialog is asked to offer; the bytes decide afterwards. */
export const ACCEPT_ATTRIBUTE: Readonly<Record<AcceptList, string>> = {
  images: 'image/*',
  imagesAndPdf: 'image/*,application/pdf,.pdf',
  documents: 'image/*,application/pdf,.pdf,application/json,.json,text/csv,.csv',
};

/** How much of a file tells its kind. */
export const HEAD_LENGTH = 32;

const HEIC_BRANDS = 'heic heix hevc hevx heim heis hevm hevs mif1 msf1 avif avis'.split(' ');

/** The kind that a file's first bytes tell, whatever its name says; the service reads on. */
export function kindOf(head: Uint8Array): FileKind | null {
  const text = String.fromCharCode(...head);
  if (text.startsWith('ÿØÿ') || text.startsWith('\x89PNG\r\n\x1a\n')) return 'image';
  if (/^GIF8[79]a/.test(text)) return 'image';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image';
  if (text.slice(4, 8) === 'ftyp') return HEIC_BRANDS.includes(text.slice(8, 12)) ? 'heic' : null;
  if (text.startsWith('%PDF-')) return 'pdf';
  // JSON and CSV have no first bytes of their own; a web page or a drawing begins with '<'.
  const isText = !/\p{Cc}/u.test(text.replace(/[\t\r\n\u0080-\u009f]/g, ''));
  return isText && !/^(ï»¿)?\s*</.test(text) ? 'text' : null;
}

export function isAccepted(kind: FileKind | null, accept: AcceptList): boolean {
  return kind !== null && KINDS[accept].includes(kind);
}
