import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '@clinic/service/database/open-database.ts';
import { newClinicUrl } from '@clinic/service/testing/clinics.ts';
import { testDatabaseUrl } from '@clinic/service/testing/test-database.ts';
import { type Pooler, startTransactionPooler } from '@clinic/service/testing/transaction-pooler.ts';
import type { Finding } from './doctor-judgements.ts';
import { surroundings } from './doctor-surroundings.ts';
import { examine } from './doctor.ts';

describe('The doctor, of a real PostgreSQL server', () => {
  let pooler: Pooler;
  let url: string;
  beforeAll(async () => {
    pooler = await startTransactionPooler();
    url = await testDatabaseUrl();
  });
  afterAll(() => pooler.close());

  const ofDatabase = async (env: Record<string, string>) => {
    const found = await examine({ STRIPE_SECRET_KEY: 'sk', ...env }, surroundings('.'));
    const names = ['database', 'schema', 'pooler', 'clock', 'webhooks'];
    const state = (name: string) => found.find(({ what }) => what === name)?.state;
    return Object.fromEntries(names.map((name) => [name, state(name)]));
  };
  const well: Record<string, Finding['state']> = {
    database: 'right',
    schema: 'right',
    pooler: 'right',
    clock: 'right',
    webhooks: 'right',
  };

  test('finds it well, directly and behind a pooler that is declared', async () => {
    await (await openDatabase({ url })).close();
    const pooled = pooler.through(url);
    expect(await ofDatabase({ DATABASE_URL: url })).toEqual(well);
    expect(await ofDatabase({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: url })).toEqual(well);
  });

  test('finds a pooler that is not declared, and one that is declared as none', async () => {
    const pooled = pooler.through(url);
    expect(await ofDatabase({ DATABASE_URL: pooled })).toEqual({ ...well, pooler: 'wrong' });
    expect(await ofDatabase({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: pooled })).toEqual({
      ...well,
      pooler: 'wrong',
    });
  });

  test('finds a role that may use what is another clinic’s', async () => {
    const clinic = await newClinicUrl(url);
    await (await openDatabase({ url: clinic })).close();
    expect(await ofDatabase({ DATABASE_URL: clinic })).toEqual(well);
    expect(await ofDatabase({ DATABASE_URL: url })).toEqual({ ...well, schema: 'wrong' });
  });

  test('finds a server that is not there', async () => {
    const found = await ofDatabase({ DATABASE_URL: 'postgres://clinic@127.0.0.1:1/clinic' });
    expect(new Set(Object.values(found))).toEqual(new Set(['wrong']));
  });
});
