import { describe, expect, test } from 'vitest';
import { stripeOf } from '@clinic/service/configure.ts';
import { readPracticeSettings } from './practice-settings.ts';

describe('The practice clinic', () => {
  test('needs no setting', () => {
    expect(readPracticeSettings({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      PUBLIC_URL: 'http://127.0.0.1:3000',
      PRACTICE_CLINIC: 'specified',
      PRACTICE_EMR: false,
    });
  });

  test.each([
    ['PORT', 'x', 'must be a port'],
    ['PUBLIC_URL', 'ftp://x', 'must be an http(s) address'],
    ['PUBLIC_URL', 'http://127.0.0.1:3000/clinic', 'must be the address of a site alone'],
    ['PUBLIC_URL', 'http://a:b@127.0.0.1:3000', 'must not have a user name or password'],
    ['PRACTICE_NOW', '2026-12-15T20:00:00', 'must be an instant such as 2026-12-15T20:00:00Z'],
    ['PRACTICE_NOW', 'now', 'must be an instant'],
    ['PRACTICE_CLINIC', 'other', 'must be specified or lengths'],
    ['PRACTICE_EMR', 'yes', 'must be on or off'],
    ['PRACTICE_CLOCK', 'off', 'must be running or stopped'],
    ['EMR', 'oscar', 'must be fake-oscar'],
  ])('does not open with %s=%s', (name, value, why) => {
    expect(() => readPracticeSettings({ [name]: value })).toThrow(`  ${name} ${why}`);
  });

  test.each([{ PRACTICE_EMR: 'on' }, { PRACTICE_CLINIC: 'lengths' }])(
    'is on a fake OSCAR without %j',
    (other) => {
      expect(readPracticeSettings({ EMR: 'fake-oscar' }).EMR).toBe('fake-oscar');
      expect(() => readPracticeSettings({ EMR: 'fake-oscar', ...other })).toThrow(
        'leave out PRACTICE_EMR and PRACTICE_CLINIC',
      );
    },
  );

  test('begins at an instant with Z or an offset', () => {
    const startsAt = (PRACTICE_NOW: string) => readPracticeSettings({ PRACTICE_NOW }).PRACTICE_NOW;
    expect(startsAt('2026-12-15T20:00:00Z')).toBe(1_797_364_800);
    expect(startsAt('2026-12-15T13:00-07:00')).toBe(1_797_364_800);
  });

  test('takes cards at Stripe with all of its keys, and opens with none or all', () => {
    const keys = {
      STRIPE_SECRET_KEY: 'sk',
      STRIPE_PUBLISHABLE_KEY: 'pk',
      STRIPE_WEBHOOK_SECRET: 'wh',
    };
    const read = (env: Record<string, string>) => stripeOf(readPracticeSettings(env));
    expect(read({})).toBeNull();
    expect(read(keys)).toMatchObject({ secretKey: 'sk', publishableKey: 'pk' });
    for (const name of Object.keys(keys))
      expect(() => read({ ...keys, [name]: '' })).toThrow(`  ${name} is missing`);
    const local = {
      STRIPE_API_HOST: '127.0.0.1',
      STRIPE_API_PORT: '9',
      STRIPE_API_PROTOCOL: 'http',
    };
    expect(read({ ...keys, ...local })).toMatchObject({
      host: '127.0.0.1',
      port: 9,
      protocol: 'http',
      bankOrigins: ['https://hooks.stripe.com', 'https://stripe.com', 'http://127.0.0.1:9'],
    });
  });
});
