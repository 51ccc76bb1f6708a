import type { HostileFile } from './hostile-file.ts';
import { hostilePdfs } from './hostile-pdfs.ts';
import { hostilePictures } from './hostile-pictures.ts';
import { hostileTexts } from './hostile-texts.ts';

export { SCRIPT, type HostileFile } from './hostile-file.ts';

/** S-4: what patients, and others, could send in place of a health card. */
export const hostileFiles: readonly HostileFile[] = [
  ...hostileTexts,
  ...hostilePictures,
  ...hostilePdfs,
];
