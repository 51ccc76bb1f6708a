import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { compressAhead, keepForADay } from './assets.mjs';

const HOUR_MS = 3_600_000;

test('what a release no longer has stays for a day after the release that came in its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'built-'));
  const assets = join(folder, 'assets');
  mkdirSync(assets);
  const at = (hour) => Date.UTC(2026, 10, 1) + hour * HOUR_MS;
  const release = (hour, ...names) => {
    for (const name of names) {
      writeFileSync(join(assets, name), 'x'.repeat(2_000));
      utimesSync(join(assets, name), at(hour) / 1000, at(hour) / 1000);
    }
    keepForADay({ assets, note: join(folder, 'note'), builtSince: at(hour), now: at(hour) });
    compressAhead(assets);
    return readdirSync(assets).filter((name) => name.endsWith('.br'));
  };
  try {
    assert.deepEqual(release(0, 'a.js', 'same.js'), ['a.js.br', 'same.js.br']);
    // Weeks later: its age as a file says nothing.
    assert.deepEqual(release(500, 'b.js', 'same.js'), ['a.js.br', 'b.js.br', 'same.js.br']);
    assert.deepEqual(release(523, 'c.js', 'same.js'), [
      'a.js.br',
      'b.js.br',
      'c.js.br',
      'same.js.br',
    ]);
    // Back to what was there before.
    assert.deepEqual(release(525, 'b.js', 'same.js'), ['b.js.br', 'c.js.br', 'same.js.br']);
    assert.deepEqual(release(560, 'b.js', 'same.js'), ['b.js.br', 'same.js.br']);
    assert.deepEqual(readdirSync(assets).length, 6);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
