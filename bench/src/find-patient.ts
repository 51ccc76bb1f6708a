import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import type pg from 'pg';

import { fullName } from '@clinic/domain';
import { seededNumbers } from '@clinic/domain/testing';

import {
  insertPeople,
  misspelt,
  peopleWithCommonNames,
} from '../../apps/service/testing/common-people.ts';
import { testConfig } from '../../apps/service/testing/test-config.ts';
import { staffSession } from './desk-sheet.ts';
import { type Row, figure, grouped, quantile } from './report.ts';

const PEOPLE = 20_000;
const ROUNDS = 5;
const EACH = 100;
const P95_MS = 60;

/** The search at the front desk for somebody whose name was typed with one letter wrong, over HTTP. */
export async function measureFindPatient(port: number, client: pg.Client): Promise<Row[]> {
  const people = peopleWithCommonNames(PEOPLE);
  await client.query('delete from session');
  await client.query('delete from patient');
  const [statement, parameters] = insertPeople(people);
  await client.query(statement, [...parameters]);
  await untilFolded(client);
  await client.query('vacuum analyze');
  const find = finder(port, await staffSession(client));
  const below = seededNumbers(39);
  const p95s = { misspelt: [] as number[], born: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const times = { misspelt: [] as number[], born: [] as number[] };
    for (let each = 0; each < EACH; each++) {
      const person = people[below(PEOPLE)];
      if (person === undefined) throw new Error('There are too few people');
      times.misspelt.push((await find(misspelt(fullName(person), below))).time);
      const born = await find(person.birthDate);
      if (!born.found.includes(person.id)) throw new Error(`${person.id} was not found`);
      times.born.push(born.time);
    }
    // The first round is not counted.
    if (round === 0) continue;
    p95s.misspelt.push(quantile(times.misspelt, 0.95));
    p95s.born.push(quantile(times.born, 0.95));
  }
  const name = `find one of ${grouped(PEOPLE)} by a misspelt name, p95`;
  const ours = figure('ms', p95s.misspelt);
  const born = figure('ms', p95s.born);
  return [
    { name, ours, limit: { what: 'aim', value: P95_MS }, aim: 'under' },
    { name, ours, limit: { what: '4 × by birth date, p95', value: 4 * born.median }, aim: 'under' },
  ];
}

async function untilFolded(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ folded: number }>(
      'select count(*)::int as folded from folded_name f join patient_record r on r.id = f.person',
    );
    if (rows[0]?.folded === PEOPLE) return;
    await wait(500);
  }
}

interface Found {
  readonly extras: { readonly patients: readonly { readonly recordId: string }[] };
}

function finder(port: number, token: string) {
  const { publicUrl } = testConfig();
  return async (text: string) => {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/desk/patients/find`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `desk=${token}`, origin: publicUrl },
      body: JSON.stringify({ text }),
    });
    const body = await answer.text();
    const time = performance.now() - began;
    if (answer.status !== 200)
      throw new Error(`A search was answered with ${answer.status}: ${body}`);
    const { patients } = (JSON.parse(body) as Found).extras;
    return { time, found: patients.map(({ recordId }) => recordId) };
  };
}
