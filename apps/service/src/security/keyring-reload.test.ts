import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyFileIn, newKey } from './keyring-file.ts';
import {
  createKeyring,
  keyIdOf,
  type KeyStore,
  KeyUnknown,
  reloadingKeyring,
  retiredKey,
} from './keyring.ts';

let folder: string;
let store: KeyStore;
let milliseconds = 0;
const ring = () => reloadingKeyring(store, () => milliseconds);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
  store = keyFileIn(folder);
  milliseconds = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As a rotation does: a new key beside the old one, and both jobs given to it. */
function changeKeys(): { readonly was: string; readonly is: string } {
  const { current: was, keys } = store.read();
  const { id: is, text } = newKey();
  store.write({ current: is, index: is, keys: { ...keys, [is]: text } });
  return { was, is };
}

test('A process opens at once what another one sealed by a new key', () => {
  const here = ring();
  changeKeys();
  const sealed = ring().seal('a', 'hello');
  expect(here.open('a', sealed)).toBe('hello');
});

test('A process seals by the new key within a second', () => {
  const here = ring();
  const before = here.seal('a', 'hello');
  changeKeys();
  expect(ring().reseal('a', here.seal('a', 'hello'))).not.toBeNull();
  milliseconds = 1_000;
  expect(ring().reseal('a', here.seal('a', 'hello'))).toBeNull();
  expect(here.open('a', here.reseal('a', before) ?? before)).toBe('hello');
});

test('A row indexed by either key is found while keys change', () => {
  const before = ring().blindIndex('card', '9');
  changeKeys();
  const [newest, oldest] = ring().blindIndexes('card', '9');
  expect(newest).toEqual(ring().blindIndex('card', '9'));
  expect(oldest).toEqual(before);
});

test('A retired key still vouches for what it signed and finds what it indexed, and opens nothing', () => {
  const old = ring();
  const index = old.blindIndex('one-time.confirm', 'link');
  const mac = old.mac('audit', 'row');
  const sealed = old.seal('a', 'hello');
  const { was, is } = changeKeys();
  const { keys } = store.read();
  const text = keys[was] ?? '';
  store.write({
    current: is,
    index: is,
    keys: { [is]: keys[is] ?? '' },
    retired: { [was]: retiredKey(was, text) },
  });
  expect(ring().vouches('audit', 'row', mac)).toBe(true);
  expect(ring().vouches('audit', 'other', mac)).toBe(false);
  expect(ring().blindIndexes('one-time.confirm', 'link')).toContainEqual(index);
  expect(() => ring().open('a', sealed)).toThrow(KeyUnknown);
});

test('A file that is gone for a moment leaves the keys as they were', () => {
  const here = ring();
  const sealed = here.seal('a', 'hello');
  rmSync(join(folder, 'keyring.json'));
  milliseconds = 5_000;
  expect(here.open('a', sealed)).toBe('hello');
});

test('A file that is half written leaves the keys as they were, until it is whole', () => {
  const here = ring();
  const sealed = here.seal('a', 'hello');
  const file = join(folder, 'keyring.json');
  const { is } = changeKeys();
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.slice(0, 20));
  milliseconds = 5_000;
  expect(here.open('a', sealed)).toBe('hello');
  writeFileSync(file, whole);
  milliseconds = 10_000;
  expect(keyIdOf(here.seal('a', 'hello'))).toBe(is);
});

test('The file is written in one step and stays its owner’s', () => {
  changeKeys();
  expect(readdirSync(folder)).toEqual(['keyring.json']);
  expect(statSync(join(folder, 'keyring.json')).mode & 0o777).toBe(0o600);
  expect(() => createKeyring(store.read())).not.toThrow();
});
