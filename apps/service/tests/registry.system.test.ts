import { afterEach, describe, expect, test } from 'vitest';
import { builtInEmr } from '../src/modules/records/index.ts';
import { newKeyMaterial } from '../src/security/keyring-file.ts';
import { createKeyring } from '../src/security/keyring.ts';
import type { EmrProvider } from '../src/modules/records/emr.ts';
import {
  type TestApp,
  aPatient,
  ask,
  registeredCalls,
  signIn,
  testApp,
  testDatabase,
} from '../testing/index.ts';
import { everyCall, everyCallId } from './every-call.ts';

let clinic: TestApp;
afterEach(() => clinic.close());

/** Outside of the registry: the pages, probes, and what the payment provider sends. */
const OTHER_ROUTES = [
  'GET /',
  'HEAD /',
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
    expect([...handled].sort()).toEqual([...everyCallId].sort());
  });

  // Shows: 4.payment.3, R-1, R-41
  test('names every route of the service but a few', async () => {
    clinic = await testApp();
    // An address that ends in a slash is answered without it too.
    const named = everyCall.flatMap(({ method, path }) =>
      [path, path.replace(/\/$/, '')]
        .filter((each, at, both) => both.indexOf(each) === at)
        .map((each) => `${method} /api${each}`),
    );
    expect(routesOf(clinic).sort()).toEqual([...named, ...OTHER_ROUTES].sort());
  });
});

/** Records that answer what the contract does not have. */
async function withProvider(provider: unknown): Promise<string> {
  const database = await testDatabase();
  const keyring = createKeyring(newKeyMaterial());
  const emr = {
    ...builtInEmr(database, keyring),
    getProvider: async () => provider as EmrProvider,
  };
  clinic = await testApp({
    database,
    keyring,
    emr,
    expectBugs: true,
  });
  return signIn(clinic, await aPatient(clinic.platform));
}

describe('An answer outside of the contract', () => {
  // Shows: R-2
  test('is a bug where tests run', async () => {
    const token = await withProvider({ status: 7 });
    const response = await ask(clinic, 'getProvider', { token, params: { id: '101' } });
    expect(response.statusCode).toBe(500);
    expect(clinic.log.failures).toMatchObject([{ code: 'bug' }]);
  });

  test('loses what the contract does not name (ADR 3)', async () => {
    const token = await withProvider({ status: '1', password: 'secret' });
    const response = await ask(clinic, 'getProvider', { token, params: { id: '101' } });
    expect(response.json()).toEqual({ success: true, provider: { status: '1' } });
  });
});
