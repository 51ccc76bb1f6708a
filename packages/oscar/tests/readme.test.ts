import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { MONDAY, openClinic } from './clinic.ts';

const root = join(import.meta.dirname, '..');
const example = join(root, 'examples/book-and-cancel.ts');

test('the example of the README runs, word for word', async () => {
  const { fake } = await openClinic('classic');
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(readFileSync(example, 'utf8'));
  const args = [example, fake.base, MONDAY];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('20 steps, 0 appointments\nbooked\ncancelled\n');
});

test('the server that plays an OSCAR takes the name that 0.2.0 had for the classic line', async () => {
  const args = ['--profile', 'oscar19', '--port', '0'];
  const child = fork(join(root, 'fake/main.ts'), args, { silent: true });
  const [said] = (await Promise.race([
    once(child.stdout ?? child, 'data'),
    once(child, 'exit'),
  ])) as unknown[];
  child.disconnect();
  expect(String(said)).toContain('OSCAR (classic)');
});
