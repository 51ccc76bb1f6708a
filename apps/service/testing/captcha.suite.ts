import { expect, test } from 'vitest';
import type { Captcha } from '../src/server/ports.ts';

export interface CaptchaUnderTest {
  readonly captcha: Captcha;
  /** What a browser would send for a challenge. */
  readonly solve: (challenge: Record<string, unknown>) => Promise<string>;
  readonly close?: () => Promise<void>;
}

/** The promises of the captcha port (S-6). */
export function captchaSuite(open: () => Promise<CaptchaUnderTest>): void {
  const now = 1_795_000_000;
  const promises: [string, (under: CaptchaUnderTest) => Promise<void>][] = [];
  const promise = (...each: (typeof promises)[number]) => promises.push(each);

  // Shows: S-6
  promise('takes a proof once', async ({ captcha, solve }) => {
    const proof = await solve(await captcha.challenge(now));
    expect(await captcha.verify(proof, now + 1)).toBe('ok');
    expect(await captcha.verify(proof, now + 2)).toBe('refused');
  });

  promise('takes one of two proofs sent at once', async ({ captcha, solve }) => {
    const proof = await solve(await captcha.challenge(now));
    const answers = await Promise.all([captcha.verify(proof, now), captcha.verify(proof, now)]);
    expect(answers.sort()).toEqual(['ok', 'refused']);
  });

  // Shows: S-6
  promise('refuses a proof after ten minutes', async ({ captcha, solve }) => {
    const proof = await solve(await captcha.challenge(now));
    expect(await captcha.verify(proof, now + 601)).toBe('refused');
  });

  promise('refuses what is no proof', async ({ captcha }) => {
    const other = Buffer.from('{"challenge":{},"solution":{}}').toString('base64');
    for (const text of ['', 'x', '{}', other])
      expect(await captcha.verify(text, now)).toBe('refused');
  });

  test.each(promises)('%s', async (_, assertKept) => {
    const under = await open();
    try {
      await assertKept(under);
    } finally {
      await under.close?.();
    }
  });
}
