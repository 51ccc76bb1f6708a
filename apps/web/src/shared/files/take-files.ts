import { isolateRightToLeft, withoutControls } from '@clinic/domain';
import { HEAD_LENGTH, isAccepted, kindOf, type AcceptList } from './file-kind.ts';

/** The service decides the same again. */
export const MOST_FILES = 3;
export const MOST_MEGABYTES = 10;
const MOST_BYTES = MOST_MEGABYTES * 1024 * 1024;

export type FileRefusal =
  | { readonly code: 'tooMany' | 'heic' }
  | {
      readonly code: 'tooLarge' | 'empty' | 'wrongKind' | 'twice' | 'unreadable';
      readonly name: string;
    };

interface Taken {
  readonly files: readonly File[];
  readonly refusals: readonly FileRefusal[];
}

/** What stays of newly offered files beside those chosen before, and why the rest does not. */
export async function takeFiles(
  chosen: readonly File[],
  offered: readonly File[],
  accept: AcceptList,
): Promise<Taken> {
  const files = [...chosen];
  const refusals: FileRefusal[] = [];
  for (const file of offered) {
    const refusal = await whyFileRefused(file, files, accept);
    if (refusal === null) files.push(file);
    else refusals.push(refusal);
  }
  return { files, refusals };
}

async function whyFileRefused(
  file: File,
  chosen: readonly File[],
  accept: AcceptList,
): Promise<FileRefusal | null> {
  const { size } = file;
  const name = isolateRightToLeft(withoutControls(file.name));
  if (chosen.some((other) => isSame(other, file))) return { code: 'twice', name };
  if (chosen.length >= MOST_FILES) return { code: 'tooMany' };
  if (size === 0) return { code: 'empty', name };
  if (size > MOST_BYTES) return { code: 'tooLarge', name };
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, HEAD_LENGTH).arrayBuffer());
  } catch {
    // Moved or deleted since it was chosen, or a cloud drive that is offline.
    return { code: 'unreadable', name };
  }
  const kind = kindOf(head);
  if (kind === 'heic') return { code: 'heic' };
  return isAccepted(kind, accept) ? null : { code: 'wrongKind', name };
}

function isSame(one: File, other: File): boolean {
  return (
    one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
  );
}
