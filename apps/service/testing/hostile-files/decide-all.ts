import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, memoryUsage } from 'node:process';
import { acceptFile } from '../../src/modules/documents/index.ts';
import { Refusal } from '../../src/server/refusal.ts';

/** What the service made of the files in a folder, and how far its memory grew meanwhile. */
export interface Decided {
  readonly files: readonly { readonly file: string; readonly said: string }[];
  /** Bytes that the process held at most beyond what it held before. */
  readonly peak: number;
  /** Bytes that it still held afterwards. */
  readonly growth: number;
}

const [, , folder = '', ...warmUp] = argv;
const decide = (file: string) => acceptFile(readFileSync(join(folder, file)), 'documents');

for (const file of warmUp) await decide(file);
const before = memoryUsage.rss();
let most = before;
const watch = setInterval(() => (most = Math.max(most, memoryUsage.rss())), 10);
const files = [];
for (const file of readdirSync(folder)) {
  const decision = await decide(file);
  const isRefused = decision instanceof Refusal;
  if (!isRefused) writeFileSync(join(folder, `${file}.kept`), decision.bytes);
  files.push({ file, said: isRefused ? decision.code : decision.mediaType });
}
clearInterval(watch);
const decided: Decided = { files, peak: most - before, growth: memoryUsage.rss() - before };
writeFileSync(join(folder, 'decided.json'), JSON.stringify(decided));
