import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataFolderInUse, lockFolder } from './folder-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('A data folder is one opener’s until it lets go', () => {
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(DataFolderInUse);
  unlock();
  lockFolder(folder)();
});

test('A folder that another running process holds is refused with a sentence', async () => {
  const module = new URL('./folder-lock.ts', import.meta.url).href;
  const script = `(await import(${JSON.stringify(module)})).lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(holder.stdout, 'data');
  expect(() => lockFolder(folder)).toThrow(
    `The data folder ${folder} is in use by process ${holder.pid}. Stop that process, or set DATA_DIR to another folder.`,
  );
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  lockFolder(folder)();
});

test('A lock of a process that is gone, or of another with its number, is taken over', () => {
  for (const left of ['999999999 1', `${process.ppid} 1`, 'nonsense']) {
    writeFileSync(join(folder, 'lock'), left);
    const unlock = lockFolder(folder);
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    unlock();
  }
});
