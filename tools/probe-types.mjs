// Plants code that must not compile, and the same done right, among the sources of a copy. Fails unless the
// compiler reports exactly the wrong ones.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const folder = 'packages/contract';

const shape = {
  summary: "''",
  section: "''",
  limit: "'reads'",
  idempotency: "'natural'",
  answer: 'done',
};
/** The source of a call with these fields; null leaves a field out. */
const planted = (changes) => `import { call } from './call.ts';
import { done, keyHeader } from './shapes.ts';

export const planted = call('logout', { ${Object.entries({ ...shape, ...changes })
  .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  .join(', ')} });
export const taken = keyHeader;
`;
const row = (access) => `import type { Access, Method } from './routes.ts';

export const row = ['GET', '/planted'${access}] satisfies readonly [Method, string, Access];
`;
const askedAgain = (id) => `import type { RepeatableId } from './index.ts';

export const askedAgain: RepeatableId = '${id}';
`;

/** For each enforced field: a call that has it, and calls that lack it or have a wrong value. */
const violations = [
  { file: 'right.ts', code: planted({}), reports: 0 },
  { file: 'without-limit.ts', code: planted({ limit: null }), reports: 1 },
  { file: 'unknown-limit.ts', code: planted({ limit: "'never'" }), reports: 1 },
  { file: 'without-idempotency.ts', code: planted({ idempotency: null }), reports: 1 },
  { file: 'unknown-idempotency.ts', code: planted({ idempotency: "'perhaps'" }), reports: 1 },
  { file: 'key-without-header.ts', code: planted({ idempotency: "'key'" }), reports: 1 },
  {
    file: 'key-with-header.ts',
    code: planted({ idempotency: "'key'", headers: 'keyHeader' }),
    reports: 0,
  },
  { file: 'files-of-any-size.ts', code: planted({ files: '{ most: 3 }' }), reports: 1 },
  { file: 'files.ts', code: planted({ files: '{ most: 3, bytesEach: 10 }' }), reports: 0 },
  { file: 'with-access.ts', code: row(", 'patient'"), reports: 0 },
  { file: 'without-access.ts', code: row(''), reports: 1 },
  { file: 'asked-again.ts', code: askedAgain('cancelAppointment'), reports: 0 },
  { file: 'not-asked-again.ts', code: askedAgain('startMessage'), reports: 1 },
];

const copy = mkdtempSync(join(tmpdir(), 'clinic-probe-'));
try {
  for (const path of ['package.json', 'tsconfig.base.json', folder])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  for (const { file, code } of violations) writeFileSync(join(copy, folder, 'src', file), code);

  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const run = spawnSync(
    process.execPath,
    [tsc, '-p', folder, '--checkers', '1', '--pretty', 'false'],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  );
  const errors = run.stdout.split('\n').filter((line) => line.includes(': error TS'));
  const mistakes = violations.flatMap(({ file, reports }) => {
    const found = errors.filter((line) => line.includes(`/${file}`));
    return found.length === reports ? [] : [`${file}: ${found.length} of ${reports} reported`];
  });
  const others = errors.filter((line) => !violations.some(({ file }) => line.includes(`/${file}`)));
  for (const mistake of [...mistakes, ...others]) console.error(mistake);
  if (mistakes.length + others.length > 0) process.exitCode = 1;
  else console.log('A call without access, limit, idempotency or size of files does not compile');
} finally {
  rmSync(copy, { recursive: true, force: true });
}
