import { type AnyCall, deskCalls } from '@clinic/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { testConfig } from '../testing/test-config.ts';
import { type TestApp, ask, registeredCalls, testApp } from '../testing/index.ts';
import { everyCall } from './every-call.ts';

/** Of the patients, and of the front desk. */
const ofBothDoors: readonly AnyCall[] = [...everyCall, ...Object.values(deskCalls)];

let clinic: TestApp;
afterEach(() => clinic.close());

/** Outside of the registry: the pages, probes, and what the payment provider sends. */
const OTHER_ROUTES = [
  'GET /',
  'GET /api/docs',
  'GET /api/docs/style.css',
  'GET /api/openapi.json',
  'GET /healthz',
  'GET /readyz',
  'POST /webhooks/stripe',
];

/** `METHOD /path` of every route, read off Fastify's own drawing of its tree. */
function routesOf({ app }: TestApp): string[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', segment = '', methods = ''] =
        /^([│ ]*)[├└]── (\S*) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      if (methods === '') return [];
      above.splice(indent.length / 4);
      above.push(segment);
      return methods.split(', ').map((method) => `${method} ${above.join('')}`);
    });
}

describe('The registry of calls', () => {
  test('has a handler for every call, and no handler for any other', async () => {
    clinic = await testApp();
    const handled = registeredCalls(clinic).map(({ id }) => id);
    expect([...handled].sort()).toEqual(ofBothDoors.map(({ id }) => id).sort());
  });

  // Shows: 4.payment.3, R-1, R-41
  test('names every route of the service but a few', async () => {
    clinic = await testApp();
    // An address that ends in a slash is answered without it too.
    const named = ofBothDoors.flatMap(({ method, path }) =>
      [path, path.replace(/\/$/, '')]
        .filter((each, at, both) => both.indexOf(each) === at)
        .map((each) => `${method} /api${each}`),
    );
    const all = [...named, ...OTHER_ROUTES];
    const heads = all
      .filter((each) => each.startsWith('GET '))
      .map((each) => each.replace('GET', 'HEAD'));
    expect(routesOf(clinic).sort()).toEqual([...all, ...heads].sort());
  });
});

/** A clinic whose configuration holds what the contract does not have. */
async function withClinic(over: object) {
  const { clinic: plain } = testConfig();
  clinic = await testApp({ config: { clinic: { ...plain, ...over } }, expectBugs: true });
}

describe('An answer outside of the contract', () => {
  // Shows: R-2
  test('is a bug where tests run', async () => {
    await withClinic({ name: 7 });
    expect((await ask(clinic, 'getConfig')).statusCode).toBe(500);
    expect(clinic.log.failures).toMatchObject([{ code: 'bug' }]);
  });

  test('loses what the contract does not name (ADR 3)', async () => {
    const hours = { days: 'Monday', hours: '9am to noon' };
    await withClinic({ walkInHours: [{ ...hours, password: 'secret' }] });
    const { extras } = (await ask(clinic, 'getConfig')).answer();
    expect(extras.walkInHours).toEqual([hours]);
  });
});
