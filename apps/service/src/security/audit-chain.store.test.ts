import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type TestDatabase, testDatabase } from '../../testing/test-database.ts';
import { sealAudit, verifyAudit } from './audit-chain.store.ts';
import { type AppendAudit, createAudit } from './audit.store.ts';
import { newKey, newKeyMaterial } from './keyring-file.ts';
import { type Keyring, createKeyring, retiredKey } from './keyring.ts';

const material = newKeyMaterial();
let database: TestDatabase;
let keyring: Keyring;
let appendAudit: AppendAudit;

beforeEach(async () => {
  database = await testDatabase();
  keyring = createKeyring(material);
  appendAudit = createAudit(keyring);
});
afterEach(() => database.close());

async function wrote(count: number): Promise<void> {
  await database.inTransaction(async (tx) => {
    for (let at = 1; at <= count; at++)
      await appendAudit(tx, {
        actor: 'patient:1',
        action: 'signed in',
        subject: `patient:${at}`,
        details: { b: at, a: [1, { z: null }] },
        at,
      });
  });
}
const findings = async () => (await verifyAudit(database, keyring)).findings;
const ids = async () => {
  const { rows } = await database.db.execute<{ id: number }>(
    sql`select id::int4 as id from audit order by id`,
  );
  return rows.map(({ id }) => id);
};

/** As somebody could who owns the server and puts its guards aside. */
async function behindTheGuards(...tampering: readonly ReturnType<typeof sql>[]): Promise<void> {
  await database.inTransaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const each of tampering) await tx.execute(each);
  });
}

describe('The trail as it was written', () => {
  test('verifies, linked and not yet linked', async () => {
    await wrote(3);
    expect(await verifyAudit(database, keyring)).toMatchObject({ rows: 3, unlinked: 3 });
    expect(await sealAudit(database, keyring)).toBe(3);
    await wrote(2);
    expect(await sealAudit(database, keyring)).toBe(2);
    expect(await sealAudit(database, keyring)).toBe(0);
    expect(await verifyAudit(database, keyring)).toMatchObject({
      rows: 5,
      unlinked: 0,
      findings: [],
    });
  });

  // Shows: S-14
  test('is linked once by sealers that run at the same time', async () => {
    await wrote(30);
    const counts = await Promise.all([1, 2, 3].map(() => sealAudit(database, keyring)));
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(30);
    expect(await findings()).toEqual([]);
  });

  test('verifies across a change of keys, and after the old one was retired', async () => {
    await wrote(2);
    await sealAudit(database, keyring);
    const { id, text } = newKey();
    keyring = createKeyring({
      current: id,
      index: id,
      keys: { [id]: text },
      retired: {
        [material.index]: retiredKey(material.index, material.keys[material.index] ?? ''),
      },
    });
    appendAudit = createAudit(keyring);
    await wrote(2);
    await sealAudit(database, keyring);
    expect(await findings()).toEqual([]);
    expect(await verifyAudit(database, createKeyring(newKeyMaterial()))).toMatchObject({
      findings: expect.arrayContaining([expect.stringContaining('was changed')]) as unknown,
    });
  });
});

describe('The verifier finds', () => {
  test.each([
    ['actor', sql`update audit set actor = 'patient:2' where id = (select min(id) + 1 from audit)`],
    ['time', sql`update audit set at_s = at_s + 1 where id = (select min(id) + 1 from audit)`],
    [
      'details',
      sql`update audit set details = '{"b": 7}' where id = (select min(id) + 1 from audit)`,
    ],
    [
      'MAC',
      sql`update audit set mac = set_byte(mac, 5, get_byte(mac, 5) # 1) where id = (select min(id) + 1 from audit)`,
    ],
  ])('a changed %s', async (_, tamper) => {
    await wrote(3);
    await sealAudit(database, keyring);
    const [, second] = await ids();
    await behindTheGuards(tamper);
    expect(await findings()).toContain(`Row ${second} was changed after it was written.`);
  });

  // Shows: S-14
  test('any flipped byte of a MAC or a link', async () => {
    await wrote(2);
    await sealAudit(database, keyring);
    const [first] = await ids();
    for (const [column, length] of [
      ['mac', 32],
      ['chain', 40],
    ] as const)
      for (let at = 0; at < length; at++) {
        const flip = sql`update audit set ${sql.raw(column)} =
          set_byte(${sql.raw(column)}, ${at}, get_byte(${sql.raw(column)}, ${at}) # 1)
          where id = ${first}`;
        await behindTheGuards(flip);
        expect(await findings(), `${column} ${at}`).not.toEqual([]);
        await behindTheGuards(flip);
      }
    expect(await findings()).toEqual([]);
  });

  test('a flipped byte in a row that is not linked yet', async () => {
    await wrote(1);
    const [first] = await ids();
    await behindTheGuards(sql`update audit set action = 'signed out'`);
    expect(await findings()).toEqual([`Row ${first} was changed after it was written.`]);
  });

  // Shows: S-14
  test('a row that is missing', async () => {
    await wrote(4);
    await sealAudit(database, keyring);
    const [, second, third] = await ids();
    await behindTheGuards(sql`delete from audit where id = ${second}`);
    expect(await findings()).toEqual([`Number 2 of the chain is missing before row ${third}.`]);
  });

  test('a trail that was cut off at its end', async () => {
    await wrote(4);
    await sealAudit(database, keyring);
    const [, , third] = await ids();
    await behindTheGuards(sql`delete from audit where id >= ${third}`);
    expect(await findings()).toEqual([
      'The rows after number 2 are missing: the sealer had come to 4.',
    ]);
  });

  // Shows: S-14
  test('two rows that changed places', async () => {
    await wrote(4);
    await sealAudit(database, keyring);
    const [, second, third] = await ids();
    const { rows } = await database.db.execute<{ chain: Uint8Array }>(
      sql`select chain from audit where id in (${second}, ${third}) order by id`,
    );
    const [one, other] = rows.map(({ chain }) => Buffer.from(chain));
    await behindTheGuards(
      sql`update audit set chain = null where id in (${second}, ${third})`,
      sql`update audit set chain = ${other} where id = ${second}`,
      sql`update audit set chain = ${one} where id = ${third}`,
    );
    expect(await findings()).toEqual([
      `Row ${third} does not belong at number 2: it was moved or replaced.`,
      `Row ${second} does not belong at number 3: it was moved or replaced.`,
    ]);
  });

  test('a row that was put in by somebody without the key', async () => {
    await wrote(2);
    await sealAudit(database, keyring);
    await database.inTransaction((tx) =>
      createAudit(createKeyring(newKeyMaterial()))(tx, {
        actor: 'visitor',
        action: 'signed in',
        subject: randomBytes(4).toString('hex'),
        at: 9,
      }),
    );
    await sealAudit(database, keyring);
    expect(await findings()).toHaveLength(1);
  });
});

describe('The database itself refuses', () => {
  // Shows: S-14
  test.each([
    ['a change', sql`update audit set actor = 'nobody'`],
    ['a link that is written again', sql`update audit set chain = decode('00', 'hex')`],
    ['a link that is taken away', sql`update audit set chain = null`],
    ['a deletion', sql`delete from audit`],
    ['emptying', sql`truncate audit`],
  ])('%s', async (_, statement) => {
    await wrote(1);
    await sealAudit(database, keyring);
    await expect(database.inTransaction((tx) => tx.execute(statement))).rejects.toMatchObject({
      cause: { message: 'The audit trail is append-only' },
    });
    expect(await verifyAudit(database, keyring)).toMatchObject({ rows: 1, findings: [] });
  });
});
