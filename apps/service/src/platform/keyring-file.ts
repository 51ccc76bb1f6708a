import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const { current, index, keys } = value as Partial<Record<keyof KeyMaterial, unknown>>;
  return (
    typeof current === 'string' &&
    typeof index === 'string' &&
    typeof keys === 'object' &&
    keys !== null &&
    Object.values(keys).every((key) => typeof key === 'string')
  );
}

export function newKeyMaterial(): KeyMaterial {
  const id = `practice-${randomBytes(3).toString('hex')}`;
  return { current: id, index: id, keys: { [id]: randomBytes(32).toString('base64') } };
}

/** The practice clinic's keyring: made with its data folder, readable by its owner only. */
export function keyMaterialIn(folder: string): KeyMaterial {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'keyring.json');
  try {
    writeFileSync(file, JSON.stringify(newKeyMaterial()), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return parseKeyMaterial(readFileSync(file, 'utf8'));
}
