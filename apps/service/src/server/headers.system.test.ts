import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServiceConfig } from './config.ts';
import { type TestApp, ask, registeredCalls, requestOf, testApp } from '../../testing/index.ts';

let clinic: TestApp;
let webRoot: string;

beforeAll(async () => {
  webRoot = mkdtempSync(join(tmpdir(), 'web-'));
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(
    join(webRoot, 'index.html'),
    '<!doctype html><html lang="en-CA"><title>Clinic</title>',
  );
  writeFileSync(join(webRoot, 'assets', 'app-3f2a.js'), 'export {};');
  writeFileSync(join(webRoot, 'assets', 'app-3f2a.js.br'), 'made ahead by brotli');
  writeFileSync(join(webRoot, 'assets', 'app-3f2a.js.gz'), 'made ahead by gzip');
  writeFileSync(join(webRoot, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  clinic = await testApp({ config: { webRoot } });
});
afterAll(async () => {
  await clinic.close();
  rmSync(webRoot, { recursive: true });
});

function expectGuarded(what: string, headers: Readonly<Record<string, unknown>>): void {
  const policy = String(headers['content-security-policy']);
  expect(`${what}: ${policy}`).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|http:/);
  expect({ what, ...headers }).toMatchObject({
    what,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
  expect(`${what}: ${String(headers['strict-transport-security'])}`).toContain('max-age=31536000');
  expect(`${what}: ${String(headers['permissions-policy'])}`).toContain('camera=()');
  expect([what, headers['x-powered-by'], headers.server]).toEqual([what, undefined, undefined]);
}

describe('The headers of S-9', () => {
  // Shows: 7.me.1, S-9
  test('stand on every call, refused or not, and nothing of it is stored', async () => {
    for (const call of registeredCalls(clinic))
      for (const type of ['application/json', 'text/plain']) {
        const request = requestOf(call.id, { headers: { 'content-type': type }, body: '{}' });
        const { headers } = await clinic.app.inject(request);
        expectGuarded(call.id, headers);
        // A public list that is asked for again with its tag; everything else is private.
        const caching = call.id === 'listPharmacies' ? 'no-cache' : 'no-store';
        expect([call.id, headers['cache-control']]).toEqual([call.id, caching]);
      }
  });

  // Shows: S-9
  test.each([
    ['/', 200, 'no-store'],
    ['/login', 200, 'no-store'],
    ['/booking/payment/success?payment_intent=pi_1', 200, 'no-store'],
    ['/auth/token/I', 200, 'no-store'],
    ['/no-such-page', 404, 'no-store'],
    ['/favicon.svg', 200, 'no-store'],
    ['/assets/app-3f2a.js', 200, 'public, max-age=31536000, immutable'],
    ['/assets/gone.js', 404, 'no-store'],
    ['/assets', 404, 'no-store'],
    ['/assets/', 404, 'no-store'],
    ['/api/nothing', 404, 'no-store'],
    ['/api/doctors/provider/%zz', 400, 'no-store'],
    ['/../package.json', 404, 'no-store'],
    ['/healthz', 200, 'no-store'],
    ['/readyz', 200, 'no-store'],
  ])('stand on %s', async (url, status, caching) => {
    const response = await clinic.app.inject(url);
    expect(response.statusCode).toBe(status);
    expectGuarded(url, response.headers);
    expect(response.headers['cache-control']).toBe(caching);
  });

  test.each([
    ['br, gzip', 'br', 'made ahead by brotli'],
    ['gzip', 'gzip', 'made ahead by gzip'],
    ['identity', undefined, 'export {};'],
  ])('an asset is sent to whoever takes %s as it was made ahead', async (takes, encoding, body) => {
    const headers = { 'accept-encoding': takes };
    const response = await clinic.app.inject({ url: '/assets/app-3f2a.js', headers });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers['content-type']).toMatch(/javascript/);
    expect(response.headers['cache-control']).toMatch(/immutable/);
    expect(response.headers.vary).toMatch(/accept-encoding/i);
    expect(response.body).toBe(body);
  });

  // Shows: S-9
  test('the page says itself that a clinic is for practice, and only there', async () => {
    const pageOf = async (practice: boolean) => {
      const other = await testApp({ config: { webRoot, practice } });
      const { body } = await other.app.inject('/');
      await other.close();
      return body;
    };
    expect(await pageOf(true)).toContain('<html data-practice lang="en-CA">');
    expect(await pageOf(false)).not.toContain('data-practice');
  });

  test('ask for https only where the clinic is reached by https', async () => {
    const policyAt = async (publicUrl: string) => {
      const other = await testApp({ config: { publicUrl } });
      const { headers } = await ask(other, 'getConfig');
      await other.close();
      return String(headers['content-security-policy']);
    };
    expect(await policyAt('http://127.0.0.1:3000')).not.toContain('upgrade-insecure-requests');
    expect(await policyAt('https://clinic.example')).toContain('upgrade-insecure-requests');
  });

  test('let the card provider in only where it is configured', async () => {
    const policyWith = async (payments: ServiceConfig['payments']) => {
      const other = await testApp({ config: { payments } });
      const { headers } = await ask(other, 'getConfig');
      await other.close();
      return String(headers['content-security-policy']);
    };
    expect(await policyWith({ kind: 'stripe', publishableKey: 'pk' })).toMatch(
      /script-src 'self' https:\/\/js\.stripe\.com.* connect-src 'self' https:\/\/api\.stripe\.com; frame-src https:\/\/js\.stripe\.com/,
    );
    expect(await policyWith({ kind: 'practice', publishableKey: null })).not.toContain('stripe');
    expect(await policyWith(null)).not.toContain('stripe');
  });

  // Shows: S-9
  test('let Google in only where its captcha is configured', async () => {
    const policyWith = async (captcha: ServiceConfig['captcha']) => {
      const other = await testApp({ config: { captcha } });
      const { headers } = await ask(other, 'getConfig');
      await other.close();
      return String(headers['content-security-policy']);
    };
    expect(await policyWith({ kind: 'recaptcha', siteKey: 'site' })).toMatch(
      /script-src 'self' https:\/\/www\.google\.com\/recaptcha\/ .* frame-src https:\/\/www\.google\.com\/recaptcha\//,
    );
    expect(await policyWith({ kind: 'altcha', siteKey: null })).not.toMatch(/google|frame-src/);
  });
});
