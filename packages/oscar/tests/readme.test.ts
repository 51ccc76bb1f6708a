import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { MONDAY, openClinic } from './clinic.ts';

const root = join(import.meta.dirname, '..');
const example = join(root, 'examples/book-and-cancel.ts');

test('the example of the README runs, word for word', async () => {
  const { fake } = await openClinic('oscar19');
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(readFileSync(example, 'utf8'));
  const args = [example, fake.base, MONDAY];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('20 steps, 0 appointments\nbooked\ncancelled\n');
});
