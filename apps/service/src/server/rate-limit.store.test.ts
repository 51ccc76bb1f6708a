import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts';
import { newKey, newKeyMaterial } from '../security/keyring-file.ts';
import { createKeyring } from '../security/keyring.ts';
import { randomIds } from './ports.ts';
import { type RateLimit, createRateLimit, usesOf } from './rate-limit.store.ts';
import { Refusal } from './refusal.ts';
import { createMemoryLimit } from './memory-limit.ts';
import { rateWindow } from './schema.ts';

const rule = { name: 'test', count: 3, seconds: 900 };
const NOW = 1_797_364_800;
const ID = '00000000-0000-4000-8000-000000000001';
let database: TestDatabase;
let limit: RateLimit;
let material: ReturnType<typeof newKeyMaterial>;
beforeEach(async () => {
  database = await testDatabase();
  material = newKeyMaterial();
  limit = createRateLimit(database, createKeyring(material));
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
    for (let i = 0; i < 2; i++) await use();
    await limit.use(rule, 'casey', NOW, ID);
    await limit.giveBack(ID, [rule, 'casey']);
    await limit.giveBack(ID, [rule, 'casey']);
    expect([await use(), await use()]).toEqual(['allowed', 'tooMany']);
  });

  test('gives back nothing that was not taken', async () => {
    for (let i = 0; i < 3; i++) await use();
    limit.owe(ID, [rule, 'casey']);
    expect(await use()).toBe('tooMany');
    await limit.forgive(rule, 'casey');
    for (let i = 0; i < 3; i++) await use();
    await limit.giveBack(ID, [rule, 'casey']);
    expect(await use()).toBe('tooMany');
  });

  test('gives back what was counted in an earlier part of the window, under an earlier key', async () => {
    const old = newKeyMaterial();
    const next = newKey();
    const rotating = { ...old, index: next.id, keys: { ...old.keys, [next.id]: next.text } };
    limit = createRateLimit(database, createKeyring(old));
    await limit.use(rule, 'casey', NOW, ID);
    limit = createRateLimit(database, createKeyring(rotating));
    for (let i = 0; i < 2; i++) await use('casey', NOW + 61);
    await limit.giveBack(ID, [rule, 'casey']);
    expect([await use('casey', NOW + 61), await use('casey', NOW + 61)]).toEqual([
      'allowed',
      'tooMany',
    ]);
  });

  test('gives back what version 0.2.0 counts beside, each use once', async () => {
    await limit.use(rule, 'casey', NOW, ID);
    await database.db.update(rateWindow).set({ count: 2 });
    await limit.giveBack(ID, [rule, 'casey']);
    expect([await use(), await use(), await use()]).toEqual(['allowed', 'allowed', 'tooMany']);
  });

  test('gives back once it can: at the next use here, or by the job for other processes', async () => {
    const others = createRateLimit(database, createKeyring(material));
    for (let i = 0; i < 2; i++) await use();
    await limit.use(rule, 'casey', NOW, ID);
    limit.owe(ID, [rule, 'casey']);
    expect([await use(), await use()]).toEqual(['allowed', 'tooMany']);
    await limit.forgive(rule, 'casey');
    for (let i = 0; i < 2; i++) await use();
    await limit.use(rule, 'casey', NOW, ID);
    limit.owe(ID, [rule, 'casey']);
    // A use of somebody else does not pay for it.
    expect(await use('vera')).toBe('allowed');
    expect((await others.use(rule, 'casey', NOW))?.code).toBe('tooManyRequests');
    await limit.giveBackOwed();
    expect(await others.use(rule, 'casey', NOW)).toBeNull();
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

  test('keeps no name, and forgets what no longer counts, and nothing sooner', async () => {
    await use();
    const rows = await database.db.select().from(rateWindow);
    expect(Buffer.from(rows[0]?.subject ?? []).toString()).not.toContain('casey');
    await limit.sweep(NOW + 86_400);
    expect(await database.db.select().from(rateWindow)).toEqual(rows);
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
    for (let i = 0; i < 3; i++) await tried(NOW);
    await limit.use(waiting, 'casey', NOW, ID);
    expect(await tried(NOW)).toBe(2);
    await limit.giveBack(ID, [waiting, 'casey']);
    expect(await tried(NOW)).toBe(0);
    expect(await tried(NOW)).toBe(2);
  });
});

describe('Several limits of one request', () => {
  const longer = { name: 'longer', count: 4, seconds: 9_000 };
  const both = [
    [rule, 'casey'],
    [longer, 'casey'],
  ] as const;
  const waitAt = async (now: number) => {
    const counted = await usesOf({ rateLimit: limit, ids: randomIds }, now).count(both);
    return counted instanceof Refusal ? waitOf(counted) : 0;
  };

  test('are used all or none, and the wait is that of the last to open', async () => {
    for (let i = 0; i < 3; i++) expect(await waitAt(NOW)).toBe(0);
    expect(await waitAt(NOW + 60)).toBe(840);
    expect(await waitAt(NOW + 900)).toBe(0);
    for (let i = 0; i < 3; i++) expect(await waitAt(NOW + 900)).toBe(8_100);
    expect(await use('casey', NOW + 900)).toBe('allowed');
    expect(await use('casey', NOW + 900)).toBe('allowed');
    expect(await waitAt(NOW + 960)).toBe(8_040);
  });

  // Shows: S-5
  test('of a guess are asked in turn: what one refuses never counts against the next', async () => {
    for (let i = 0; i < 3; i++) await use();
    const asked: string[] = [];
    const rateLimit: RateLimit = {
      ...limit,
      use: (...given) => {
        asked.push(given[0].name);
        return limit.use(...given);
      },
    };
    const uses = usesOf({ rateLimit, ids: randomIds }, NOW);
    expect(await uses.count(both, { inTurn: true })).toBeInstanceOf(Refusal);
    expect(asked).toEqual(['test']);
  });
});

describe('The uses of one request', () => {
  const perAddress = { ...rule, name: 'test-address', ofAddress: true } as const;
  const usesAt = (now = NOW) => usesOf({ rateLimit: limit, ids: randomIds }, now);
  const counted = async (uses: ReturnType<typeof usesAt>, ...which: (typeof rule)[]) => {
    const found = await uses.count(which.map((each) => [each, 'casey']));
    if (found instanceof Refusal) throw new Error('Refused');
    return found;
  };

  test('are given back when it ends in 503 before they begin; those of an address stay', async () => {
    for (let i = 0; i < 3; i++) {
      const uses = usesAt();
      await counted(uses, rule, perAddress);
      uses.unanswered();
    }
    expect(await use()).toBe('allowed');
    expect((await limit.use(perAddress, 'casey', NOW))?.code).toBe('tooManyRequests');
  });

  test('count however it ends once they have begun, unless they turn out harmless', async () => {
    for (let i = 0; i < 2; i++) {
      const uses = usesAt();
      (await counted(uses, rule)).begun();
      uses.unanswered();
    }
    const harmless = await counted(usesAt(), rule);
    harmless.begun();
    await harmless.giveBack();
    await harmless.giveBack();
    expect([await use(), await use()]).toEqual(['allowed', 'tooMany']);
  });

  test('are given back where the answer of the counting was lost, whether it counted or not', async () => {
    const lost = { ...limit, use: async () => Promise.reject(new Error('Lost')) };
    const late: RateLimit = {
      ...limit,
      use: async (...given) => {
        await limit.use(...given);
        throw new Error('Lost');
      },
    };
    for (const rateLimit of [lost, late, late, late]) {
      const uses = usesOf({ rateLimit, ids: randomIds }, NOW);
      await expect(uses.count([[rule, 'casey']])).rejects.toThrow('Lost');
      uses.unanswered();
    }
    for (let i = 0; i < 3; i++) expect(await use()).toBe('allowed');
    expect(await use()).toBe('tooMany');
  });

  test('are given back to the memory, ten times as often as its rule allows, and not once work began', async () => {
    const memory = createMemoryLimit();
    const ask = () => {
      const uses = usesAt();
      return { refused: uses.inMemory(memory, rule, 'casey'), uses };
    };
    for (let i = 0; i < 31; i++) {
      const { refused, uses } = ask();
      expect(refused).toBeNull();
      uses.unanswered();
    }
    for (let i = 0; i < 2; i++) expect(ask().refused).toBeNull();
    expect(ask().refused?.code).toBe('tooManyRequests');
    const other = usesAt();
    expect(other.inMemory(memory, rule, 'vera')).toBeNull();
    (await counted(other, rule)).begun();
    other.unanswered();
    for (let i = 0; i < 2; i++) expect(usesAt().inMemory(memory, rule, 'vera')).toBeNull();
    expect(usesAt().inMemory(memory, rule, 'vera')?.code).toBe('tooManyRequests');
  });
});
