import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts';
import { newKey, newKeyMaterial } from '../security/keyring-file.ts';
import { createKeyring } from '../security/keyring.ts';
import { type RateLimit, countAll, createRateLimit } from './rate-limit.store.ts';
import type { Refusal } from './refusal.ts';
import { rateWindow } from './schema.ts';

const rule = { name: 'test', count: 3, seconds: 900 };
const NOW = 1_797_364_800;
let database: TestDatabase;
let limit: RateLimit;
beforeEach(async () => {
  database = await testDatabase();
  limit = createRateLimit(database, createKeyring(newKeyMaterial()));
});
afterEach(() => database.close());

/** Seconds to wait; 0 when it is allowed. */
const waitOf = (refused: Refusal | null) => refused?.details.retryAfter ?? 0;
const use = async (subject = 'casey', now = NOW) =>
  (await limit.use(rule, subject, now)) === null ? 'allowed' : 'tooMany';

describe('A limit of three in 15 minutes', () => {
  test('allows three uses and refuses the fourth, saying how long to wait', async () => {
    expect([await use(), await use(), await use()]).toEqual(['allowed', 'allowed', 'allowed']);
    const refused = await limit.use(rule, 'casey', NOW + 60);
    expect([refused?.code, waitOf(refused)]).toEqual(['tooManyRequests', 840]);
  });

  test('is not prolonged by uses that were refused', async () => {
    for (let i = 0; i < 3; i++) await use();
    for (let minute = 1; minute < 15; minute++) await use('casey', NOW + minute * 60);
    expect(await use('casey', NOW + 900)).toBe('allowed');
  });

  // Shows: S-5
  test('counts uses at once', async () => {
    const kinds = await Promise.all(Array.from({ length: 8 }, () => use()));
    expect(kinds.filter((kind) => kind === 'allowed')).toHaveLength(3);
  });

  test('counts each subject and each rule for itself', async () => {
    for (let i = 0; i < 3; i++) await use('casey');
    expect(await use('vera')).toBe('allowed');
    expect(await limit.use({ ...rule, name: 'other' }, 'casey', NOW)).toBeNull();
  });

  test('gives a use back', async () => {
    for (let i = 0; i < 3; i++) await use();
    await limit.giveBack(rule, 'casey', NOW);
    expect([await use(), await use()]).toEqual(['allowed', 'tooMany']);
  });

  test('forgives what was counted before the keys changed', async () => {
    const old = newKeyMaterial();
    const next = newKey();
    const rotating = { ...old, index: next.id, keys: { ...old.keys, [next.id]: next.text } };
    limit = createRateLimit(database, createKeyring(old));
    for (let i = 0; i < 3; i++) await use();
    limit = createRateLimit(database, createKeyring(rotating));
    expect(await use()).toBe('tooMany');
    await limit.forgive(rule, 'casey');
    expect(await use()).toBe('allowed');
  });

  test('is not doubled by waiting for the next window', async () => {
    for (let i = 0; i < 3; i++) await use('casey', NOW + 899);
    expect(await use('casey', NOW + 901)).toBe('tooMany');
    expect(await use('casey', NOW + 899 + 901)).toBe('allowed');
  });

  test('keeps no name, and forgets what no longer counts', async () => {
    await use();
    const [row] = await database.db.select().from(rateWindow);
    expect(Buffer.from(row?.subject ?? []).toString()).not.toContain('casey');
    await limit.sweep(NOW + 3 * 86_400);
    expect(await database.db.select().from(rateWindow)).toEqual([]);
  });
});

describe('A limit of ten whose uses make wait from the fourth on', () => {
  const waiting = { name: 'waiting', count: 10, seconds: 900, waitsFrom: 4 };
  const tried = async (now: number) => waitOf(await limit.use(waiting, 'casey', now));

  // Shows: S-5
  test('lets three go by, then asks for 2, 4, 8 … seconds between two, and stops after ten', async () => {
    let now = NOW;
    for (let i = 0; i < 4; i++) expect(await tried(now)).toBe(0);
    for (const wait of [2, 4, 8, 16, 32, 64]) {
      expect(await tried(now)).toBe(wait);
      expect(await tried(now + wait - 1)).toBe(1);
      now += wait;
      expect(await tried(now)).toBe(0);
    }
    expect(await tried(now)).toBe(NOW + 900 - now);
    expect(await tried(NOW + 900)).toBe(0);
  });

  test('allows four of those sent at once', async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => tried(NOW)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(4);
  });

  test('tells a wait that outlasts the oldest use of a full limit', async () => {
    const five = { ...waiting, count: 5 };
    for (const second of [0, 890, 892, 894, 899]) await limit.use(five, 'casey', NOW + second);
    const after = async (second: number) => waitOf(await limit.use(five, 'casey', NOW + second));
    expect(await after(899)).toBe(2);
    expect(await after(900)).toBe(1);
    expect(await after(901)).toBe(0);
  });

  test('forgets the wait of a use that is given back', async () => {
    for (let i = 0; i < 4; i++) await tried(NOW);
    await limit.giveBack(waiting, 'casey', NOW);
    expect(await tried(NOW)).toBe(0);
  });
});

describe('Several limits of one request', () => {
  const longer = { name: 'longer', count: 4, seconds: 9_000 };
  const both = [
    [rule, 'casey'],
    [longer, 'casey'],
  ] as const;
  const waitAt = async (now: number) => waitOf(await countAll(limit, now, both));

  test('are used all or none, and the wait is that of the last to open', async () => {
    for (let i = 0; i < 3; i++) expect(await waitAt(NOW)).toBe(0);
    expect(await waitAt(NOW + 60)).toBe(840);
    expect(await waitAt(NOW + 900)).toBe(0);
    for (let i = 0; i < 3; i++) expect(await waitAt(NOW + 900)).toBe(8_100);
    expect(await use('casey', NOW + 900)).toBe('allowed');
    expect(await use('casey', NOW + 900)).toBe('allowed');
    expect(await waitAt(NOW + 960)).toBe(8_040);
  });
});
