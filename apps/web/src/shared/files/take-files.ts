import {
  ACCEPTED_FILES,
  FILE_HEAD_BYTES,
  isolateRightToLeft,
  kindOfFile,
  MOST_FILE_BYTES,
  MOST_FILES,
  type AcceptedFiles,
  type FileKind,
  withoutControls,
} from '@clinic/domain';

/** The file's name, made safe for texts where markup cannot isolate it. */
export const shownFileName = ({ name }: File): string => isolateRightToLeft(withoutControls(name));

export type FileRefusal =
  | { readonly code: 'tooMany' }
  | {
      readonly code: 'heic' | 'tooLarge' | 'empty' | 'wrongKind' | 'twice' | 'unreadable';
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

/** Why a file cannot be sent, by its first bytes, or null; a file in a cloud drive takes time to read. */
export async function whyRefused(file: File, accept: AcceptedFiles): Promise<FileRefusal | null> {
  const name = shownFileName(file);
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, FILE_HEAD_BYTES).arrayBuffer());
  } catch {
    // The file was moved or deleted since, or its cloud drive is offline.
    return { code: 'unreadable', name };
  }
  const kind = kindOfFile(head);
  if (kind === 'heic') return { code: 'heic', name };
  const accepted: readonly (FileKind | null)[] = ACCEPTED_FILES[accept];
  return accepted.includes(kind) ? null : { code: 'wrongKind', name };
}

function isSame(one: File, other: File): boolean {
  return (
    one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
  );
}
