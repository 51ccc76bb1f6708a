// Plants what must not compile beside the sources of a copy, with the same thing done right, and fails
// unless the compiler reports the one and not the other.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const folder = 'packages/contract';

const planted = (limit) => `import { call } from './call.ts';
import { done } from './envelope.ts';

export const planted = call('logout', { summary: '', section: '', ${limit}answer: done });
`;

/** S-5: a call that names no limit. */
const plants = [
  { file: 'with-limit.ts', code: planted(`limit: 'reads', `), reports: 0 },
  { file: 'without-limit.ts', code: planted(''), reports: 1 },
  { file: 'unknown-limit.ts', code: planted(`limit: 'never', `), reports: 1 },
];

const copy = mkdtempSync(join(tmpdir(), 'clinic-probe-'));
try {
  for (const path of ['package.json', 'tsconfig.base.json', folder])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  for (const { file, code } of plants) writeFileSync(join(copy, folder, 'src', file), code);

  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: copy,
    encoding: 'utf8',
  });
  const errors = run.stdout.split('\n').filter((line) => line.includes(': error TS'));
  const mistakes = plants.flatMap(({ file, reports }) => {
    const found = errors.filter((line) => line.includes(file) && line.includes('limit'));
    return found.length === reports ? [] : [`${file}: ${found.length} of ${reports} reported`];
  });
  const others = errors.filter((line) => !plants.some(({ file }) => line.includes(file)));
  for (const mistake of [...mistakes, ...others]) console.error(mistake);
  if (mistakes.length + others.length > 0) process.exitCode = 1;
  else console.log('A call without a limit does not compile');
} finally {
  rmSync(copy, { recursive: true, force: true });
}
