import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyFile, keyFileIn, newKeyMaterial, parseKeyMaterial } from './keyring-file.ts';
import { createKeyring, KeyringRefused, reloadingKeyring } from './keyring.ts';

const material = newKeyMaterial();
const keyring = createKeyring(material);

describe('A sealed value', () => {
  const sealed = keyring.seal('patient.card:1', '9876543218');

  test('opens in its context', () => {
    expect(keyring.open('patient.card:1', sealed)).toBe('9876543218');
  });

  // Shows: S-13
  test('does not show what it is, and is different each time', () => {
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('9876543218');
    expect(keyring.seal('patient.card:1', '9876543218')).not.toEqual(sealed);
  });

  // Shows: S-13
  test('does not open for another owner, nor when a bit was flipped', () => {
    expect(() => keyring.open('patient.card:2', sealed)).toThrow();
    const flipped = Uint8Array.from(sealed);
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    expect(() => keyring.open('patient.card:1', flipped)).toThrow();
    expect(() => keyring.open('patient.card:1', new Uint8Array([9, 9]))).toThrow();
  });

  // Shows: S-13
  test('opens after another key became current, and not without its key', () => {
    const next = newKeyMaterial();
    const keys = { ...material.keys, ...next.keys };
    const rotated = createKeyring({ current: next.current, index: material.index, keys });
    expect(rotated.open('patient.card:1', sealed)).toBe('9876543218');
    expect(() => keyring.open('x', rotated.seal('x', 'y'))).toThrow('not in the keyring');
    expect(rotated.blindIndex('card', '1')).toEqual(keyring.blindIndex('card', '1'));
  });
});

// Shows: S-13
test('A blind index is the same for the same value in the same context only', () => {
  const index = keyring.blindIndex('card', '9876543218');
  expect(keyring.blindIndex('card', '9876543218')).toEqual(index);
  expect(keyring.blindIndex('card', '9876543219')).not.toEqual(index);
  expect(keyring.blindIndex('other', '9876543218')).not.toEqual(index);
  expect(keyring.blindIndex('a', 'bc')).not.toEqual(keyring.blindIndex('ab', 'c'));
});

test.each([
  ['a short key', { current: 'a', index: 'a', keys: { a: 'c2hvcnQ=' } }],
  ['zeros', { current: 'a', index: 'a', keys: { a: Buffer.alloc(32).toString('base64') } }],
  ['a current key that is not there', { ...material, current: 'gone' }],
])('A keyring refuses %s', (_, refused) => {
  expect(() => createKeyring(refused)).toThrow(KeyringRefused);
});

test.each(['', '{}', '[]', '{"current":1,"index":"a","keys":{}}'])(
  'A keyring is not read from %j',
  (text) => {
    expect(() => parseKeyMaterial(text)).toThrow(KeyringRefused);
  },
);

test('The practice keyring is made once, for its owner only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  const made = keyFileIn(folder).read();
  expect(keyFileIn(folder).read()).toEqual(made);
  expect(statSync(join(folder, 'keyring.json')).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(folder, 'keyring.json'), 'utf8'))).toEqual(made);
  rmSync(folder, { recursive: true });
});

describe('A key file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
    file = join(folder, 'keyring.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const open = () => reloadingKeyring(keyFile(file, 'KEYRING_FILE'));

  test.each(['640', '604', '620', '601'])('open to others (mode %s) is refused', (mode) => {
    keyFileIn(folder);
    chmodSync(file, Number.parseInt(mode, 8));
    expect(open).toThrow(
      `The key file ${file}, which KEYRING_FILE names, is open to others. Make it its owner's alone: chmod 600 ${file}`,
    );
    chmodSync(file, 0o400);
    expect(open).not.toThrow();
  });

  test('keeps retired keys beside itself, for its owner alone', () => {
    keyFileIn(folder);
    const store = keyFile(file, 'KEYRING_FILE');
    expect(store.archived()).toEqual({});
    store.archive({ k1: 'one' });
    store.archive({ k2: 'two' });
    expect(store.archived()).toEqual({ k1: 'one', k2: 'two' });
    expect(statSync(`${file}.archive`).mode & 0o777).toBe(0o600);
  });

  test('in a folder that cannot be written says whose it must be', () => {
    const store = keyFile(join(folder, 'gone', 'keyring.json'), 'KEYRING_FILE');
    expect(() => store.write(material)).toThrow(
      /gone\/keyring.json cannot be written \(ENOENT\). Its folder must belong to the user/,
    );
  });

  test('that is not there is named by its setting', () => {
    expect(open).toThrow(
      `The key file ${file}, which KEYRING_FILE names, cannot be read (ENOENT).`,
    );
    expect(open).toThrow(KeyringRefused);
  });
});
