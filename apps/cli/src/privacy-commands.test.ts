import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newKey, newKeyMaterial } from '@clinic/service/security/keyring-file.ts';
import { tendKeys } from './privacy-commands.ts';

const backups = mkdtempSync(join(tmpdir(), 'backups-'));
afterAll(() => rmSync(backups, { recursive: true }));

const material = newKeyMaterial('k');
const { current } = material;
const store = {
  read: () => material,
  write: () => undefined,
  archived: () => ({ old: newKey().text, oldest: newKey().text }),
  archive: () => undefined,
  version: () => '',
};
const note = (day: string, ...keys: string[]) =>
  writeFileSync(join(backups, `clinic-${day}.keys`), `${keys.join('\n')}\n`);
const listed = (folder = backups) => {
  const lines: string[] = [];
  tendKeys('keys list', { texts: { backups: folder }, flags: [] }, store, (line) =>
    lines.push(line),
  );
  return lines;
};

test('keys list says which backups need each key, and is refused where one is needed that is gone', () => {
  note('2026-11-20', 'old');
  note('2026-11-21', 'old', current);
  expect(listed()).toEqual([
    `${current}: seals; needed by 1 backup, clinic-2026-11-21`,
    'old: retired, in the archive; needed by 2 backups, clinic-2026-11-20 to clinic-2026-11-21',
    'oldest: retired, in the archive; no backup needs it',
  ]);
  note('2026-11-19', 'lost');
  expect(() => listed()).toThrow('Without lost the backups that need it cannot be read');
  expect(() => listed(join(backups, 'none'))).toThrow('cannot be read: ENOENT');
});
