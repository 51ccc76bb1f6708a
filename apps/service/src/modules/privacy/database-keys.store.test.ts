import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type TestApp, aClinic, aPatient, testApp } from '../../../testing/index.ts';
import { sql } from '../../database/db.ts';
import { newKey, newKeyMaterial } from '../../security/keyring-file.ts';
import {
  createKeyring,
  type KeyMaterial,
  type KeyStore,
  reloadingKeyring,
} from '../../security/keyring.ts';
import { markKeys, whyKeysRefused } from './database-keys.store.ts';
import { putKeyBack, rotateKeys } from './rotate-keys.store.ts';

const OWN = newKeyMaterial('own');
const OTHER = newKeyMaterial('other');
/** A key of another clinic that has the name of ours. */
const NAMESAKE: KeyMaterial = { ...OWN, keys: { [OWN.current]: newKey().text } };

let clinic: TestApp;
let milliseconds = 0;
let material: KeyMaterial;
let archived: Record<string, string>;
const store: KeyStore = {
  read: () => material,
  write: (changed) => void (material = changed),
  archived: () => archived,
  archive: (keys) => void (archived = { ...archived, ...keys }),
  version: () => JSON.stringify(material),
};
beforeEach(async () => {
  material = OWN;
  archived = {};
  clinic = await testApp({ keyring: reloadingKeyring(store, () => milliseconds) });
  await aClinic(clinic);
});
afterEach(() => clinic.close());

const why = (keys: KeyMaterial) => whyKeysRefused(clinic.database.db, createKeyring(keys));
const mark = (keys: KeyMaterial) => markKeys(clinic.database, createKeyring(keys));
const marks = async () =>
  (
    await sql<{ key: string }>(clinic.database.db)`
      select key from installation where starts_with(key, 'key:') order by key`
  ).map(({ key }) => key);
const rotate = () =>
  rotateKeys(clinic.platform, store, {
    actor: 'clinic:desk',
    say: () => undefined,
    pause: async (ms) => (milliseconds += ms),
  });

describe('The keys of a database', () => {
  test('are whatever it is first opened with, and no others after that', async () => {
    await mark(OWN);
    expect(await why(OWN)).toBeNull();
    expect(await why(OTHER)).toBe(
      `The key '${OWN.current}' has sealed values of this database, and the keyring has no such key.`,
    );
    expect(await why(NAMESAKE)).toBe(
      `The keyring's '${OWN.current}' is another key than the '${OWN.current}' that has sealed values of this database.`,
    );
    await expect(mark(OTHER)).rejects.toThrow(/Put back the keyring that was kept with this/);
    expect(await marks()).toEqual([`key:${OWN.current}`]);
  });

  test.each([
    ['lacks the key', OTHER],
    ['has another key of this name', NAMESAKE],
  ])('of a version that marked none are not replaced by a keyring that %s', async (_, keys) => {
    await aPatient(clinic.platform, { cardNumber: '9876543218' });
    expect(await marks()).toEqual([]);
    await expect(mark(keys)).rejects.toThrow(/has sealed values of this database/);
    expect(await marks()).toEqual([]);
    await mark(OWN);
    expect(await marks()).toEqual([`key:${OWN.current}`]);
  });

  test('may have one value that nobody can read: the others say whose they are', async () => {
    await aPatient(clinic.platform, { cardNumber: '9876543218' });
    const broken = await aPatient(clinic.platform, { cardNumber: '9876543225' });
    await sql(clinic.database.db)`
      update patient set card_sealed = overlay(card_sealed placing '\\x00' from octet_length(card_sealed))
       where id = ${broken.id}`;
    expect(await why(OWN)).toBeNull();
    expect(await why(NAMESAKE)).toMatch(/is another key than/);
  });

  test('follow a rotation; a backup from before it needs the key of its day, which is put back from the archive', async () => {
    await aPatient(clinic.platform, { cardNumber: '9876543218' });
    await mark(OWN);
    const backup = await testApp({ keyring: createKeyring(OWN) });
    await markKeys(backup.database, backup.keyring);
    await aClinic(backup);
    await aPatient(backup.platform, { cardNumber: '9876543218' });
    await rotate();
    expect(await marks()).toEqual([`key:${material.current}`]);
    expect(await why(material)).toBeNull();
    expect(await why(OWN)).toBe(
      `The key '${material.current}' has sealed values of this database, and the keyring has no such key.`,
    );

    expect(await whyKeysRefused(backup.database.db, createKeyring(material))).toBe(
      `The key '${OWN.current}' has sealed values of this database and was retired after that.`,
    );
    expect(putKeyBack(store, 'nobody')).toBe(false);
    expect(putKeyBack(store, OWN.current)).toBe(true);
    expect(await whyKeysRefused(backup.database.db, createKeyring(material))).toBeNull();
    await backup.close();
    const { current } = material;
    await rotate();
    expect(Object.keys(material.keys)).toEqual([current]);
    expect(await why(material)).toBeNull();
  });

  test('lose the mark of a key that a version without marks has retired', async () => {
    await aPatient(clinic.platform, { cardNumber: '9876543218' });
    await mark(OWN);
    const [left] = await sql<{ value: string }>(clinic.database.db)`
      select value from installation where starts_with(key, 'key:')`;
    await rotate();
    await sql(clinic.database.db)`delete from installation where starts_with(key, 'key:')`;
    await sql(clinic.database.db)`
      insert into installation (key, value) values (${`key:${OWN.current}`}, ${left?.value})`;
    expect(await why(material)).toBeNull();
    await mark(material);
    expect(await marks()).toEqual([`key:${material.current}`]);
  });
});
