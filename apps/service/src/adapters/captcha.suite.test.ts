import { solveChallenge } from 'altcha-lib';
import type { Challenge } from 'altcha-lib/types';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../testing/test-database.ts';
import { newKeyMaterial } from '../security/keyring-file.ts';
import { createKeyring } from '../security/keyring.ts';
import { altchaCaptcha } from './captcha.ts';
import { fakeCaptcha } from '../../testing/captcha-fake.ts';
import { captchaSuite } from '../../testing/captcha.suite.ts';

const CHEAP = { cost: 10, tries: { from: 2, to: 10 } };
const keyring = createKeyring(newKeyMaterial());

async function solve(found: Record<string, unknown>): Promise<string> {
  const challenge = found as unknown as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

describe('altcha', () => {
  captchaSuite(async () => {
    const database = await testDatabase();
    return {
      captcha: altchaCaptcha(database, keyring, CHEAP),
      solve,
      close: () => database.close(),
    };
  });

  // Shows: S-6
  test('refuses a proof whose deadline was moved', async () => {
    const database = await testDatabase();
    const captcha = altchaCaptcha(database, keyring, CHEAP);
    const now = 1_795_000_000;
    const proof = await solve(await captcha.challenge(now));
    const read = JSON.parse(Buffer.from(proof, 'base64').toString('utf8')) as {
      challenge: { parameters: { expiresAt: number } };
    };
    read.challenge.parameters.expiresAt += 60;
    const moved = Buffer.from(JSON.stringify(read)).toString('base64');
    expect(await captcha.verify(moved, now)).toBe('refused');
    await database.close();
  });

  test('takes a proof whose challenge another process made, whose clock is two seconds ahead', async () => {
    const database = await testDatabase();
    const captcha = altchaCaptcha(database, keyring, CHEAP);
    const now = 1_795_000_000;
    const proof = await solve(await captcha.challenge(now + 2));
    expect(await captcha.verify(proof, now)).toBe('ok');
    await database.close();
  });

  test('refuses a proof that nests deeper than any that we make', async () => {
    const database = await testDatabase();
    const captcha = altchaCaptcha(database, keyring, CHEAP);
    const now = 1_795_000_000;
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const parameters = `{"keySignature":"ab","expiresAt":${now},"deep":${deep}}`;
    const challenge = `{"parameters":${parameters},"signature":"ab"}`;
    const proof = Buffer.from(`{"challenge":${challenge},"solution":{"derivedKey":"ab"}}`);
    expect(await captcha.verify(proof.toString('base64'), now)).toBe('refused');
    await database.close();
  });
});

describe('the fake', () => {
  captchaSuite(async () => {
    const captcha = fakeCaptcha();
    return { captcha, solve: async ({ proof }) => String(proof) };
  });
});
