import { fullName, patientQuery } from '@clinic/domain';
import { seededNumbers } from '@clinic/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../database/db.ts';
import { insertPeople, misspelt, peopleWithCommonNames } from '../../../testing/common-people.ts';
import { type TestApp, testApp } from '../../../testing/index.ts';
import { namesWritten, searchPatients } from './find-patients.store.ts';
import { foldNames } from './likely.ts';

const people = peopleWithCommonNames(20_000);
const ASKED = 200;
let clinic: TestApp;
beforeAll(async () => {
  clinic = await testApp();
  const { $client } = clinic.database.db;
  const [text, parameters] = insertPeople(people);
  await $client.query({ name: '', text, values: [...parameters] });
  // The clinic's own job may be at it: whoever comes second leaves the rest to it.
  while ((await namesWritten(clinic.database.db)).length > 0) await foldNames(clinic.platform);
  // As the server does by itself, in its own time.
  await $client.query({ name: '', text: 'vacuum analyze', values: [] });
});
afterAll(() => clinic.close());

test('Every part of a search by name has an index to read', async () => {
  const { database, keyring } = clinic;
  const read = await database.inTransaction(async (tx) => {
    // Which plan is the cheapest depends on the tables' size on disk: here what has an index reads it.
    for (const way of ['seqscan', 'indexscan', 'indexonlyscan'])
      await tx.$client.query({ name: '', text: `set local enable_${way} = off`, values: [] });
    // It counts from when the connection last told its figures, which is before this transaction.
    const before = await namesRead(tx);
    const typed = ['Maria Carter', 'carter', 'Mria Cartre', '1960-12-04 Carter', 'Ma Ca'];
    for (const query of typed.map(patientQuery))
      await searchPatients(tx, keyring, query ?? expect.fail(), 20);
    return (await namesRead(tx)) - before;
  });
  // A plan may look at the first name, and end.
  expect(read).toBeLessThan(100);
});

/** How many names this connection has read without an index. */
async function namesRead(tx: Tx): Promise<number> {
  const { rows } = await tx.$client.query({
    name: '',
    text: `select sum(seq_tup_read)::int as read from pg_stat_xact_user_tables
            where relname in ('patient_record', 'folded_name')`,
    values: [],
  });
  return (rows as { read: number }[])[0]?.read ?? expect.fail();
}

// Shows: R-121
test('Of 20,000 people, whoever is typed with one letter wrong is among the first five', async () => {
  const { database, keyring } = clinic;
  const below = seededNumbers(39);
  const missed: string[] = [];
  for (let asked = 0; asked < ASKED; asked++) {
    const person = people[below(people.length)];
    if (person === undefined) throw new Error('There are too few people');
    const typed = misspelt(fullName(person), below);
    const query = patientQuery(typed);
    const found = query && (await searchPatients(database.db, keyring, query, 20));
    const first = found?.patients.slice(0, 5).map(({ recordId }) => recordId) ?? [];
    if (!first.includes(person.id)) missed.push(`${typed} for ${fullName(person)}`);
  }
  // Those beyond one in twenty, by what was typed.
  expect(missed.slice(ASKED * 0.05)).toEqual([]);
});
