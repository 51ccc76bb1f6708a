import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { NOW } from '@clinic/domain/testing';

import { ask, signIn, testApp } from '../../../testing/index.ts';
import { testDatabase } from '../../../testing/test-database.ts';
import { unlimitedRates } from '../../../testing/test-config.ts';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { keyFileIn } from '../../security/keyring-file.ts';
import { keyIdOf, type Keyring, reloadingKeyring, sealedCard } from '../../security/keyring.ts';
import { type Database, sql } from '../../database/db.ts';
import { message, messageEntry, patient, patientRecord } from '../../schema.ts';
import { findRecord } from '../records/index.ts';
import { rotateKeys } from './rotate-keys.store.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const PATIENTS = process.env.LONG === '1' ? 3_400 : 340;
const BIRTH = '1984-05-17';

interface Kept {
  readonly id: string;
  readonly cardNumber: string;
  readonly messageId: string;
}

/** Each with a record, a sealed card in both, and a message. */
async function manyPatients(database: Database, keyring: Keyring): Promise<Kept[]> {
  const kept = Array.from({ length: PATIENTS }, (_, at) => ({
    id: randomUUID(),
    messageId: randomUUID(),
    cardNumber: validBcNumber(at + 1),
  }));
  for (let from = 0; from < kept.length; from += 200) {
    const some = kept.slice(from, from + 200);
    await database.inTransaction(async (tx) => {
      await tx.insert(patient).values(
        some.map(({ id, cardNumber }) => ({
          id,
          email: `${id}@test.example`,
          passwordHash: 'none',
          recordId: `T${id}`,
          firstName: 'Pat',
          lastName: 'Test',
          sex: 'Other',
          birthDate: BIRTH,
          address: '1 Main Street',
          city: 'Vancouver',
          province: 'BC',
          postal: 'V5K 0A1',
          country: 'Canada',
          phone: '6045550100',
          eligibility: 'E',
          createdAt: NOW,
          cardProvince: 'BC',
          ...sealedCard(keyring, id, cardNumber).patient,
        })),
      );
      await tx.insert(patientRecord).values(
        some.map(({ id, cardNumber }) => ({
          id: `T${id}`,
          firstName: 'Pat',
          lastName: 'Test',
          birthDate: BIRTH,
          cardProvince: 'BC',
          ...sealedCard(keyring, `T${id}`, cardNumber).record,
        })),
      );
      await tx.insert(message).values(
        some.map(({ id, messageId }) => ({
          id: messageId,
          patientId: id,
          state: 'sent',
          startedAt: NOW,
          changedAt: NOW,
        })),
      );
      await tx.insert(messageEntry).values(
        some.map(({ messageId }) => {
          const id = randomUUID();
          const textSealed = keyring.seal(`message_entry.text:${id}`, 'My knee');
          return { id, messageId, author: 'patient', at: NOW, textSealed };
        }),
      );
    });
  }
  return kept;
}

// Shows: S-13
test('Keys change under the eyes of patients: no value unreadable, no request failed (S-13)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  const store = keyFileIn(folder);
  const database = await testDatabase();
  let milliseconds = 0;
  // Two processes, each with its own look at the keys.
  const [one, other] = await Promise.all(
    [0, 1].map(() =>
      testApp({
        database,
        keyring: reloadingKeyring(store, () => milliseconds),
        config: { rates: unlimitedRates() },
      }),
    ),
  );
  if (!one || !other) throw new Error('There are two');
  const kept = await manyPatients(database, one.keyring);
  const tokens = await Promise.all(kept.slice(0, 50).map((each) => signIn(one, each)));
  const work = { over: false };
  let requests = 0;
  const turns = [0, 0, 0];
  const failures: string[] = [];

  async function aPatientAtWork(worker: number): Promise<void> {
    for (let turn = worker; !work.over; turn += 7) {
      const clinic = turn % 2 === 0 ? one : other;
      const who = kept[turn % 50];
      const token = tokens[turn % 50];
      if (!clinic || !who || !token) throw new Error('Nobody is here');
      const params = { id: who.messageId };
      const started = ask(clinic, 'startMessage', { token, body: { message: `Turn ${turn}` } });
      const answers = await Promise.all([
        ask(clinic, 'getMe', { token }),
        ask(clinic, 'readMessage', { token, params }),
        ask(clinic, 'changeMessage', { token, params, body: { message: `Knee ${turn}` } }),
        ask(clinic, 'listMessages', { token }),
        started,
      ]);
      for (const answer of answers) if (answer.statusCode !== 200) failures.push(answer.body);
      const found = await findRecord(clinic.platform, {
        cardProvince: 'BC',
        cardNumber: who.cardNumber,
        birthDate: BIRTH,
      });
      if (found.kind !== 'one') failures.push(`no chart of ${who.cardNumber}`);
      requests += answers.length + 1;
      turns[worker] = (turns[worker] ?? 0) + 1;
    }
  }
  /** What everybody does now ends, and they do something else as well. */
  async function everybodyGoesOn(): Promise<void> {
    const before = [...turns];
    while (turns.some((turn, worker) => turn < (before[worker] ?? 0) + 2)) await setImmediate();
  }

  const patients = turns.map((_, worker) => aPatientAtWork(worker));
  const old = store.read().current;
  const end = await rotateKeys(one.platform, store, {
    actor: 'clinic:desk',
    say: () => undefined,
    // Requests begin before the time that goes by, and end after it.
    pause: async (ms) => {
      await everybodyGoesOn();
      milliseconds += ms;
      await everybodyGoesOn();
    },
  });
  work.over = true;
  await Promise.all(patients);

  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(100);
  expect(end).toMatchObject({ kind: 'rotated', retired: [old] });
  expect(end.walk.values).toBeGreaterThanOrEqual(3 * PATIENTS);
  const fresh = reloadingKeyring(store);
  const { current } = store.read();
  let readable = 0;
  for (const { table, name, context, key = 'id' } of SEALED_COLUMNS) {
    const statement = `select ${key}::text as id, ${name} as sealed from ${table}
                        where ${name} is not null`;
    const rows = await sql<{ id: string; sealed: Uint8Array }>(database.db)([statement]);
    for (const { id, sealed } of rows) {
      expect(keyIdOf(sealed)).toBe(current);
      fresh.open(`${context}:${id}`, sealed);
      readable += 1;
    }
  }
  expect(readable).toBeGreaterThanOrEqual(3 * PATIENTS);
  await one.app.close();
  await other.close();
  rmSync(folder, { recursive: true });
});
