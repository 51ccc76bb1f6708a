import {
  ACCEPTED_FILES,
  FILE_HEAD_BYTES,
  isolateRightToLeft,
  faultOfFile,
  kindOfFile,
  MOST_FILE_BYTES,
  MOST_FILES,
  type AcceptedFiles,
  type FileFault,
  type FileKind,
  withoutControls,
} from '@clinic/domain';

/** Per kind: its names, and its value for the file dialog. The file's bytes decide afterwards. */
const KINDS: Readonly<Record<FileKind, { names: readonly string[]; asked: string }>> = {
  jpeg: { names: ['JPEG'], asked: 'image/jpeg' },
  png: { names: ['PNG'], asked: 'image/png' },
  gif: { names: ['GIF'], asked: 'image/gif' },
  webp: { names: ['WebP'], asked: 'image/webp' },
  pdf: { names: ['PDF'], asked: 'application/pdf,.pdf' },
  text: { names: ['JSON', 'CSV'], asked: 'application/json,.json,text/csv,.csv' },
};

/** What the file dialog offers. */
export const askedKinds = (accept: AcceptedFiles): string =>
  ACCEPTED_FILES[accept].map((kind) => KINDS[kind].asked).join(',');

/** The names of the kinds, which are the same in every language. */
export const kindNames = (accept: AcceptedFiles): string[] =>
  ACCEPTED_FILES[accept].flatMap((kind) => KINDS[kind].names);

/** The file's name, made safe for texts where markup cannot isolate it. */
export const shownFileName = ({ name }: File): string => isolateRightToLeft(withoutControls(name));

export type FileRefusal =
  | { readonly code: 'tooMany' }
  | {
      readonly code:
        'heic' | 'tooLarge' | 'empty' | 'wrongKind' | 'twice' | 'unreadable' | FileFault;
      readonly name: string;
    };

interface Taken {
  readonly files: readonly File[];
  readonly refusals: readonly FileRefusal[];
}

/** Splits newly offered files into those accepted beside the chosen ones, and refusals. */
export function takeFiles(chosen: readonly File[], offered: readonly File[]): Taken {
  const files = [...chosen];
  const refusals: FileRefusal[] = [];
  for (const file of offered) {
    const refusal = whyNotTaken(file, files);
    if (refusal === null) files.push(file);
    else refusals.push(refusal);
  }
  return { files, refusals };
}

function whyNotTaken(file: File, chosen: readonly File[]): FileRefusal | null {
  const name = shownFileName(file);
  if (chosen.some((other) => isSame(other, file))) return { code: 'twice', name };
  if (chosen.length >= MOST_FILES) return { code: 'tooMany' };
  if (file.size === 0) return { code: 'empty', name };
  return file.size > MOST_FILE_BYTES ? { code: 'tooLarge', name } : null;
}

/** Why the service would refuse a file, or null; a file in a cloud drive takes time to read. */
export async function whyRefused(file: File, accept: AcceptedFiles): Promise<FileRefusal | null> {
  const name = shownFileName(file);
  try {
    const kind = kindOfFile(await bytesOf(file.slice(0, FILE_HEAD_BYTES)));
    if (kind === 'heic') return { code: 'heic', name };
    const accepted: readonly (FileKind | null)[] = ACCEPTED_FILES[accept];
    if (!accepted.includes(kind)) return { code: 'wrongKind', name };
    if (kind !== 'pdf' && kind !== 'text') return null;
    const fault = faultOfFile(kind, await bytesOf(file));
    return fault && { code: fault, name };
  } catch {
    // The file was moved or deleted since, or its cloud drive is offline.
    return { code: 'unreadable', name };
  }
}

const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer());

function isSame(one: File, other: File): boolean {
  return (
    one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
  );
}
