import { threeFiles } from '@clinic/contract';
import { checkDocument } from './check-document.ts';
import { type ContentKind, kindOfContent } from './kind-of-content.ts';
import { type ImageKind, redrawImage } from './redraw-image.ts';
import { turnsOf } from './take-turns.ts';

/** Which kinds an upload may be: pictures; pictures and PDF; all that R-80 lists. */
export type Accept = 'images' | 'imagesAndPdf' | 'documents';

export interface AcceptedFile {
  readonly kind: 'accepted';
  readonly mediaType: string;
  /** Written anew by us for pictures and PDF. */
  readonly bytes: Uint8Array;
}

export type FileDecision =
  | AcceptedFile
  | {
      readonly kind: 'refused';
      readonly code: 'imageNotReadable' | 'fileNotAccepted' | 'tooLarge' | 'serviceBusy';
    };

const refused = (code: Extract<FileDecision, { kind: 'refused' }>['code']): FileDecision => ({
  kind: 'refused',
  code,
});

/** A 40-megapixel picture takes some 150 MB while it is drawn; passwords need libuv's threads too. */
const imageTurns = turnsOf(2, 24);
const documentTurns = turnsOf(1, 24);

const accepted: Readonly<Record<Accept, readonly ContentKind[]>> = {
  images: ['jpeg', 'png', 'gif', 'webp'],
  imagesAndPdf: ['jpeg', 'png', 'gif', 'webp', 'pdf'],
  documents: ['jpeg', 'png', 'gif', 'webp', 'pdf', 'text'],
};

/** S-4: what a file is, its content decides; what is kept of it, we write. */
export async function acceptFile(
  bytes: Uint8Array,
  { accept }: { readonly accept: Accept },
): Promise<FileDecision> {
  if (bytes.byteLength > threeFiles.bytesEach) return refused('tooLarge');
  const kind = kindOfContent(bytes);
  if (kind === 'heic') return refused('imageNotReadable');
  if (kind === 'unknown' || !accepted[accept].includes(kind)) return refused('fileNotAccepted');
  return kind === 'pdf' || kind === 'text' ? acceptDocument(bytes, kind) : acceptImage(bytes, kind);
}

async function acceptImage(bytes: Uint8Array, kind: ImageKind): Promise<FileDecision> {
  const redrawn = await imageTurns.take(() => redrawImage(bytes, kind));
  if (redrawn === null) return refused('serviceBusy');
  if (redrawn.kind === 'tooLarge') return refused('tooLarge');
  if (redrawn.kind === 'unreadable') return refused('imageNotReadable');
  return { kind: 'accepted', mediaType: redrawn.mediaType, bytes: redrawn.bytes };
}

async function acceptDocument(bytes: Uint8Array, kind: 'pdf' | 'text'): Promise<FileDecision> {
  const done = await documentTurns.take(async () => ({
    checked: await checkDocument(bytes, kind),
  }));
  if (done === null) return refused('serviceBusy');
  if (done.checked === null) return refused('fileNotAccepted');
  return { kind: 'accepted', ...done.checked };
}
