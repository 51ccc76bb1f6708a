import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void, showMessages = false) {
  const out = new PassThrough();
  write(createLog({ showMessages, destination: out }));
  const line: unknown = JSON.parse(String(out.read()));
  return line;
}

// Shows: S-8
test('A line about trouble says what kind and where, and nothing that was said (S-8)', () => {
  const cause = Object.assign(new Error('Key (email)=(casey@x.example)'), { code: '23505' });
  const error = new TypeError('Casey Morgan 9876543218', { cause });
  const line = logged((log) => log.error('bug', error, { requestId: 'r', route: '/api/me' }));
  expect(line).toMatchObject({
    level: 50,
    code: 'bug',
    requestId: 'r',
    route: '/api/me',
    error: 'TypeError',
    sqlState: '23505',
  });
  expect(JSON.stringify(line)).toContain('log.test.ts');
  expect(JSON.stringify(line)).not.toMatch(/Casey|9876543218/i);
});

test('A message whose lines look like those of a stack is left out all the same', () => {
  const reason = '\n    at home since (file:///Casey:1:1)\n    at /Casey:9876543218:1';
  const error = new Error(`Failed query: insert, params: ${reason}`);
  const changed = new Error(reason);
  changed.message = 'said otherwise since';
  for (const each of [error, changed]) {
    const line = JSON.stringify(logged((log) => log.error('bug', each)));
    expect(line).toContain('log.test.ts');
    expect(line.match(/home/)).toBeNull();
  }
  expect(JSON.stringify(logged((log) => log.error('bug', error)))).not.toContain('Casey');
});

test('A frame of a bundle is told where it was written, and without its map as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-log-'));
  const bundle = join(folder, 'service.mjs');
  // The first column of the first line is the first of the fifth line of the source.
  const map = { version: 3, sources: ['../src/book.ts'], names: [], mappings: 'AAIA' };
  writeFileSync(`${bundle}.map`, JSON.stringify(map));
  const error = new Error('no');
  const frame = (file: string) => `    at book (${pathToFileURL(file).href}:1:1)`;
  error.stack = ['Error: no', frame(bundle), frame(join(folder, 'other.mjs'))].join('\n');
  const source = pathToFileURL(join(folder, '../src/book.ts')).href;
  expect(logged((log) => log.error('bug', error))).toMatchObject({
    frames: [`at book (${source}:5:1)`, frame(join(folder, 'other.mjs')).trim()],
  });
  rmSync(folder, { recursive: true });
});

test('Only where nothing is real the messages are shown', () => {
  const line = logged((log) => log.error('bug', new Error('the message')), true);
  expect(line).toMatchObject({ message: 'the message' });
});

// Shows: S-8
test('A request is a line of allowed fields', () => {
  const request = {
    requestId: 'r',
    method: 'GET',
    route: '/api/doctors/provider/:id',
    status: 200,
    ms: 3,
    pseudonym: 'a1',
    code: 'notFound',
  };
  const more = { ...request, email: 'casey@x.example' };
  const line = logged((log) => log.request(more)) as object;
  expect({ ...line, time: 0 }).toEqual({ level: 30, time: 0, ...request });
});
