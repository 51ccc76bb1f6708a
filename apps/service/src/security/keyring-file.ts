import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type KeyMaterial, type KeyStore, KeyringRefused } from './keyring.ts';

const texts = z.record(z.string(), z.string());
const material: z.ZodType<KeyMaterial> = z.object({
  current: z.string(),
  index: z.string(),
  keys: texts,
  retired: z.record(z.string(), z.object({ mac: z.string(), index: z.string() })).exactOptional(),
});

/** Reads `{"current":"…","index":"…","keys":{"…":"<32 bytes, base64>"}}`. */
export function parseKeyMaterial(text: string): KeyMaterial {
  try {
    return material.parse(JSON.parse(text));
  } catch {
    throw new KeyringRefused(
      'The keyring must be JSON with current, index and keys (docs/operating.md)',
    );
  }
}

/** A new random key with a new id. */
export function newKey(prefix = 'key'): { readonly id: string; readonly text: string } {
  const id = `${prefix}-${randomBytes(3).toString('hex')}`;
  return { id, text: randomBytes(32).toString('base64') };
}

export function newKeyMaterial(prefix = 'practice'): KeyMaterial {
  const { id, text } = newKey(prefix);
  return { current: id, index: id, keys: { [id]: text } };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** True when other users than its owner have access to a file. Windows has no such modes: false. */
export const isOpenToOthers = (file: string): boolean =>
  (statSync(file).mode & 0o077) !== 0 && process.platform !== 'win32';

/** Why the folder of a key file or the archive beside it endangers the keys, with the cure; null when neither does. */
export function whyKeysUnsafe(file: string): { says: string; cure: string } | null {
  const [folder, archive] = [dirname(file), `${file}.archive`];
  if ((statSync(folder).mode & 0o022) !== 0 && process.platform !== 'win32')
    return { says: `others can put keys into ${folder}`, cure: `chmod 700 ${folder}` };
  if (!existsSync(archive)) return null;
  if (isOpenToOthers(archive))
    return { says: `others can read ${archive}`, cure: `chmod 600 ${archive}` };
  try {
    texts.parse(JSON.parse(readFileSync(archive, 'utf8')));
    return null;
  } catch {
    return { says: `${archive} is not whole`, cure: 'Put it back from where you keep a copy' };
  }
}

/**
 * Keys in a file that only its owner may read; `setting` is the name of the setting with its path.
 * `read` throws `KeyringRefused` when the file cannot be read or is open to other users.
 */
export function keyFile(file: string, setting: string): KeyStore {
  const named = `The key file ${file}, which ${setting} names,`;
  const looking = <T>(look: () => T): T => {
    try {
      return look();
    } catch (error) {
      throw new KeyringRefused(`${named} cannot be read (${codeOf(error)}).`, { cause: error });
    }
  };
  const archiveFile = `${file}.archive`;
  const writeTo = (target: string, value: unknown) => {
    const making = `${target}.${process.pid}`;
    try {
      writeFileSync(making, JSON.stringify(value), { mode: 0o600, flush: true });
      renameSync(making, target);
    } catch (error) {
      throw new KeyringRefused(
        `${target} cannot be written (${codeOf(error)}). Its folder must belong to the user that changes the keys.`,
        { cause: error },
      );
    }
  };
  const archived = () =>
    existsSync(archiveFile) ? texts.parse(JSON.parse(readFileSync(archiveFile, 'utf8'))) : {};
  return {
    archived,
    archive: (keys) => writeTo(archiveFile, { ...archived(), ...keys }),
    read() {
      if (looking(() => isOpenToOthers(file)))
        throw new KeyringRefused(
          `${named} is open to others. Make it its owner's alone: chmod 600 ${file}`,
        );
      return parseKeyMaterial(looking(() => readFileSync(file, 'utf8')));
    },
    write: (material) => writeTo(file, material),
    version() {
      const { mtimeMs, ino, size } = looking(() => statSync(file));
      return `${ino}/${mtimeMs}/${size}`;
    },
  };
}

/** The practice clinic's keys, created together with its data folder. */
export function keyFileIn(folder: string): KeyStore {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'keyring.json');
  try {
    writeFileSync(file, JSON.stringify(newKeyMaterial()), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return keyFile(file, 'DATA_DIR');
}
