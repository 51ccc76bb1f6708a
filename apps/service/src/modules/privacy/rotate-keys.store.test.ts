import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import { type TestApp, aClinic, aPatient, ask, signIn, testApp } from '../../../testing/index.ts';
import { keyFileIn, newKey } from '../../security/keyring-file.ts';
import { keyIdOf, type KeyStore, reloadingKeyring } from '../../security/keyring.ts';
import { verifyAudit } from '../../security/audit-chain.store.ts';
import { findRecord } from '../records/index.ts';
import { noteBesideMessage } from '../messages/index.ts';
import { rotateKeys } from './rotate-keys.store.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

let folder: string;
let store: KeyStore;
let clinic: TestApp;
let milliseconds = 0;
const said: string[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
  store = keyFileIn(folder);
  const keyring = reloadingKeyring(store, () => milliseconds);
  clinic = await testApp({ keyring });
  await aClinic(clinic);
});
afterEach(async () => {
  await clinic.close();
  rmSync(folder, { recursive: true });
});

const rotate = () =>
  rotateKeys(clinic.platform, store, {
    actor: 'clinic:desk',
    say: (line) => void said.push(line),
    pause: async (ms) => (milliseconds += ms),
  });

/** A patient with something in every sealed column that a request can fill. */
async function aFullPatient(cardNumber: string) {
  const row = await aPatient(clinic.platform, { cardNumber });
  const token = await signIn(clinic, row);
  const start = toInstant('2026-11-25', '08:00');
  const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' };
  await ask(clinic, 'placeHold', { token, body: slot });
  await ask(clinic, 'saveDraft', { token, body: { draft: { reason: 'A cough' } } });
  const files = [{ name: 'a.json', bytes: Buffer.from('{"a":1}') }];
  const started = await ask(clinic, 'startMessage', { token, body: { message: 'Hi' }, files });
  const { id, entries } = started.answer().extras.message;
  await ask(clinic, 'changeMessage', { token, params: { id }, body: { message: 'Hello' } });
  await noteBesideMessage(
    clinic.platform,
    id,
    { id: crypto.randomUUID(), staffId: crypto.randomUUID(), text: 'Called back' },
    { actor: 'staff:robin', now: clinic.clock.now(), ofProvider: null },
  );
  return { row, token, cardNumber, messageId: id, file: entries[0]?.files[0]?.id ?? '' };
}

async function keysInUse(): Promise<string[]> {
  const used = new Set<string>();
  for (const { table, name } of SEALED_COLUMNS) {
    const { rows } = await clinic.database.db.execute<{ sealed: Uint8Array }>(
      sql.raw(`select ${name} as sealed from ${table} where ${name} is not null`),
    );
    for (const { sealed } of rows) used.add(keyIdOf(sealed));
  }
  return [...used];
}

describe('Changing the keys (S-13)', () => {
  // Shows: S-13
  test('brings every value and index under the new key, and retires the old one', async () => {
    const patient = await aFullPatient('9876543218');
    const old = store.read().current;
    expect(await keysInUse()).toEqual([old]);
    const end = await rotate();
    expect(end).toMatchObject({ kind: 'rotated', retired: [old], walk: { left: [] } });
    const { current, index, keys, retired } = store.read();
    expect([index, Object.keys(keys)]).toEqual([current, [current]]);
    expect(Object.keys(retired ?? {})).toEqual([old]);
    expect(await keysInUse()).toEqual([current]);

    const indexes = await clinic.database.db.execute<{ index: Uint8Array }>(
      sql`select card_index as index from patient union all select card_index from patient_record`,
    );
    const indexed = Buffer.from(clinic.keyring.blindIndex('card', '9876543218'));
    expect(indexes.rows.map((each) => Buffer.from(each.index))).toEqual([indexed, indexed]);

    const { token, messageId, file, row } = patient;
    const me = (await ask(clinic, 'getMe', { token })).answer();
    expect(me.careCard.number).toBe('9876543218');
    const hold = (await ask(clinic, 'readHold', { token })).answer().extras.hold;
    expect(hold?.draft).toMatchObject({ reason: 'A cough' });
    const read = await ask(clinic, 'readMessage', { token, params: { id: messageId } });
    expect(read.answer().extras.message.entries).toMatchObject([{ message: 'Hello' }]);
    const download = await ask(clinic, 'readAttachment', { token, params: { id: file } });
    expect(download.body).toBe('{"a":1}');
    const record = await findRecord(clinic.platform, {
      cardProvince: 'BC',
      cardNumber: '9876543218',
      birthDate: row.birthDate,
    });
    expect(record).toMatchObject({ kind: 'one' });
    expect((await verifyAudit(clinic.database, clinic.keyring)).findings).toEqual([]);
  });

  test('goes on where it was interrupted, without a further key', async () => {
    await aFullPatient('9876543218');
    const { keys, ...rest } = store.read();
    const { id, text } = newKey();
    store.write({ ...rest, keys: { ...keys, [id]: text } });
    milliseconds += 1_000;
    expect(await rotate()).toMatchObject({ kind: 'rotated' });
    expect(Object.keys(store.read().keys)).toEqual([id]);
    expect(await keysInUse()).toEqual([id]);
  });

  test('keeps the old key as long as something stands under it', async () => {
    const { row } = await aFullPatient('9876543218');
    const old = store.read().current;
    await clinic.database.db.execute(
      sql`update patient set card_sealed = set_byte(card_sealed, 45, get_byte(card_sealed, 45) # 1)`,
    );
    expect(await rotate()).toMatchObject({
      kind: 'keysKept',
      kept: [old],
      walk: { left: [`patient card_sealed ${row.id}`] },
    });
    expect(Object.keys(store.read().keys)).toContain(old);
  });

  test('keeps the old key while some process seals by it still', async () => {
    await aFullPatient('9876543218');
    const old = store.read().current;
    const { database } = clinic.platform;
    const { rows } = await database.db.execute<{ sealed: Uint8Array }>(
      sql`select card_sealed as sealed from patient`,
    );
    const sealedByOld = rows[0]?.sealed;
    const inTransaction = database.inTransactionOrConflict.bind(database);
    database.inTransactionOrConflict = async (work) => {
      const outcome = await inTransaction(work);
      await database.db.execute(sql`update patient set card_sealed = ${sealedByOld}`);
      return outcome;
    };
    expect(await rotate()).toMatchObject({ kind: 'keysKept', kept: [old] });
    expect(Object.keys(store.read().keys)).toContain(old);
  });

  test('is in the trail', async () => {
    await rotate();
    const { rows } = await clinic.database.db.execute<{ action: string }>(
      sql`select action from audit order by id`,
    );
    expect(rows.map(({ action }) => action)).toEqual(['keys changed', 'key retired']);
  });

  // Shows: S-13
  test('leaves no sealed column out', async () => {
    const { rows } = await clinic.database.db.execute<{ name: string }>(sql`
      select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'bytea'
         and (column_name like '%sealed' or column_name like '%index')`);
    const listed = SEALED_COLUMNS.flatMap(({ table, name, index }) => [
      `${table}.${name}`,
      ...(index ? [`${table}.${index}`] : []),
    ]);
    // Sealed under another key than the keyring's.
    listed.push('stored_file.content_sealed');
    expect(rows.map(({ name }) => name).sort()).toEqual(listed.sort());
  });
});
