import type { UploadedFile } from '../../server/multipart.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import { type Accept, type AcceptedFile, acceptFile } from './accept-file.ts';

export interface NamedFile {
  readonly name: string;
  readonly accepted: AcceptedFile;
}

/** All files of a form, or the refusal of the first that cannot be kept: then none is. */
export async function acceptFiles(
  files: readonly UploadedFile[],
  accept: Accept,
): Promise<readonly NamedFile[] | Refusal> {
  const named: NamedFile[] = [];
  for (const { name, bytes } of files) {
    const decision = await acceptFile(bytes, { accept });
    if (decision.kind === 'refused') return refuse(decision.code);
    named.push({ name, accepted: decision });
  }
  return named;
}
