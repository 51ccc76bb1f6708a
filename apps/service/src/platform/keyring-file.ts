import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyStore } from './keyring-reload.ts';
import { type KeyMaterial, KeyringRefused } from './keyring.ts';

/** Reads `{"current":"…","index":"…","keys":{"…":"<32 bytes, base64>"}}`. */
export function parseKeyMaterial(text: string): KeyMaterial {
  const malformed = new KeyringRefused(
    'The keyring must be JSON with current, index and keys (docs/operating.md)',
  );
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw malformed;
  }
  if (!isMaterial(found)) throw malformed;
  return found;
}

function isMaterial(value: unknown): value is KeyMaterial {
  if (typeof value !== 'object' || value === null) return false;
  const { current, index, keys, retired } = value as Partial<Record<keyof KeyMaterial, unknown>>;
  return (
    typeof current === 'string' &&
    typeof index === 'string' &&
    areTexts(keys) &&
    (retired === undefined || isRetired(retired))
  );
}

const isRetired = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(areTexts);

const areTexts = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => typeof each === 'string');

/** A new key under a name of its own. */
export function newKey(prefix = 'key'): { readonly id: string; readonly text: string } {
  const id = `${prefix}-${randomBytes(3).toString('hex')}`;
  return { id, text: randomBytes(32).toString('base64') };
}

export function newKeyMaterial(): KeyMaterial {
  const { id, text } = newKey('practice');
  return { current: id, index: id, keys: { [id]: text } };
}

/** Keys in a file, readable by its owner only. */
export function keyFile(file: string): KeyStore {
  return {
    read: () => parseKeyMaterial(readFileSync(file, 'utf8')),
    write(material) {
      const making = `${file}.${process.pid}`;
      writeFileSync(making, JSON.stringify(material), { mode: 0o600, flush: true });
      renameSync(making, file);
    },
    version() {
      const { mtimeMs, ino, size } = statSync(file);
      return `${ino}/${mtimeMs}/${size}`;
    },
  };
}

/** The practice clinic's keys: made with its data folder. */
export function keyFileIn(folder: string): KeyStore {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'keyring.json');
  try {
    writeFileSync(file, JSON.stringify(newKeyMaterial()), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return keyFile(file);
}

export const keyMaterialIn = (folder: string): KeyMaterial => keyFileIn(folder).read();
