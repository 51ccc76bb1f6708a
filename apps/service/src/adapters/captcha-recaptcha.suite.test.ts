import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts';
import { captchaSuite } from '../../testing/captcha.suite.ts';
import { recaptchaCaptcha } from './captcha.ts';

const NOW = 1_795_000_000;
const iso = (at: number) => new Date(at * 1000).toISOString();

/** Google as far as we ask it: proofs that it made, and what it answers for them. */
let google: Server;
let verifyUrl: string;
let proofs: Map<string, { readonly hostname?: string; readonly solvedAt: number }>;
let answerWith: { readonly status: number; readonly body: string } | 'silence' | null;
let asked: URLSearchParams[];

beforeAll(async () => {
  google = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const form = new URLSearchParams(text);
      asked.push(form);
      if (answerWith === 'silence') return;
      if (answerWith) return void response.writeHead(answerWith.status).end(answerWith.body);
      const found = proofs.get(form.get('response') ?? '');
      const secretFits = form.get('secret') === 'the-secret';
      const verdict = !secretFits
        ? { success: false, 'error-codes': ['invalid-input-secret'] }
        : found
          ? { success: true, hostname: found.hostname, challenge_ts: iso(found.solvedAt) }
          : { success: false, 'error-codes': ['invalid-input-response'] };
      response.end(JSON.stringify(verdict));
    });
  });
  await new Promise<void>((listening) => google.listen(0, '127.0.0.1', listening));
  verifyUrl = `http://127.0.0.1:${(google.address() as AddressInfo).port}/siteverify`;
});
afterAll(() => {
  google.closeAllConnections();
  google.close();
});
beforeEach(() => {
  proofs = new Map();
  answerWith = null;
  asked = [];
});

function captchaOn(database: TestDatabase, secret = 'the-secret') {
  const failures: string[] = [];
  // What is silent may be given up soon; everything else may take its time.
  const timeoutMs = answerWith === 'silence' ? 200 : 30_000;
  const captcha = recaptchaCaptcha(
    { database, log: { error: (code) => void failures.push(code) } },
    { secret, hostname: 'booking.example', verifyUrl, timeoutMs },
  );
  return { captcha, failures };
}

describe('reCAPTCHA', () => {
  captchaSuite(async () => {
    const database = await testDatabase();
    return {
      captcha: captchaOn(database).captcha,
      solve: async () => {
        const proof = `proof-${proofs.size}`;
        proofs.set(proof, { hostname: 'booking.example', solvedAt: NOW });
        return proof;
      },
      close: () => database.close(),
    };
  });
});

describe('reCAPTCHA (S-6)', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
    proofs.set('good', { hostname: 'booking.example', solvedAt: NOW });
    proofs.set('elsewhere', { hostname: 'evil.example', solvedAt: NOW });
    proofs.set('nowhere', { solvedAt: NOW });
    proofs.set('ahead', { hostname: 'booking.example', solvedAt: NOW + 120 });
  });
  afterEach(() => database.close());

  // Shows: S-6
  test.each([
    ['a proof of another host', 'elsewhere'],
    ['a proof of no host', 'nowhere'],
    ['a proof from the future', 'ahead'],
    ['a proof that Google does not know', 'made up'],
  ])('refuses %s', async (_, proof) => {
    expect(await captchaOn(database).captcha.verify(proof, NOW)).toBe('refused');
  });

  test.each(['', '   ', 'x'.repeat(8_193)])('refuses %j without asking', async (proof) => {
    expect(await captchaOn(database).captcha.verify(proof, NOW)).toBe('refused');
    expect(asked).toEqual([]);
  });

  // Shows: S-6
  test.each([
    ['answers 500', { status: 500, body: '{"success":true}' }],
    ['answers no JSON', { status: 200, body: '<html>' }],
    ['answers nothing of use', { status: 200, body: '[]' }],
    ['answers nothing at all', { status: 200, body: '' }],
    ['redirects', { status: 302, body: '' }],
    ['is silent', 'silence' as const],
  ])('is unavailable when Google %s', async (_, answer) => {
    answerWith = answer;
    expect(await captchaOn(database).captcha.verify('good', NOW)).toBe('unavailable');
    answerWith = null;
    expect(await captchaOn(database).captcha.verify('good', NOW)).toBe('ok');
  });

  test('is unavailable with a wrong secret, and the operator is told', async () => {
    const { captcha, failures } = captchaOn(database, 'another-secret');
    expect(await captcha.verify('good', NOW)).toBe('unavailable');
    expect(failures).toEqual(['captcha-misconfigured']);
  });

  test('hands over the secret and the proof, and nothing of the patient', async () => {
    await captchaOn(database).captcha.verify('good', NOW);
    expect(asked.map((form) => [...form.keys()])).toEqual([['secret', 'response']]);
  });
});
