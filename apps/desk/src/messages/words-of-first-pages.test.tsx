import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { day } from './day.ts';
import { everyPage } from './every-page.ts';
import { frame } from './frame.ts';
import { desk } from './index.ts';

const src = resolve(import.meta.dirname, '..');

/** A file and what it imports for good, that is without what is fetched later. */
function filesOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path) || !existsSync(path) || path.includes('/messages/')) return seen;
  seen.add(path);
  for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^;]*?'(\.[^']+\.tsx?)';/gm,
  ))
    filesOf(resolve(dirname(path), from), seen);
  return seen;
}

/** Beginnings of more words than the first pages put together. */
const WIDE = ['desk.rule.', 'desk.inbox.', 'desk.emr.'];

test.each([
  ['main.tsx', frame],
  ['features/sign-in/invitation-page.tsx', frame],
  ['app/signed-in.tsx', { ...frame, ...everyPage, ...day }],
])('%s says nothing whose words are fetched later', (entry, words) => {
  const files = [...filesOf(resolve(src, entry))];
  expect(files.length).toBeGreaterThan(1);
  const texts = files.map((file) => readFileSync(file, 'utf8')).join();
  const found = (pattern: RegExp) => [...texts.matchAll(pattern)].map(([, key = '']) => key);
  // Whole, or put together from a beginning.
  const said = new Set(found(/'(desk\.[\w.]+)'/g));
  const begun = found(/`(desk\.[\w.]+\.)\$\{/g).filter((begin) => !WIDE.includes(begin));
  const isSaid = (key: string) => said.has(key) || begun.some((begin) => key.startsWith(begin));
  expect(Object.keys(desk).filter((key) => isSaid(key) && !(key in words))).toEqual([]);
});
