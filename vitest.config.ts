import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const inService = (name: string) => [`apps/{service,practice,cli}/**/${name}.test.ts`];
const store = inService('*.store');
const route = inService('{*.routes,routes}');
/** Whose answer depends on the engine: what it refuses, locks and leaves of a broken transaction. */
const routeOfEngine = [
  'apps/service/src/database/*.routes.test.ts',
  'apps/service/src/modules/appointments/{booking,sweep}.routes.test.ts',
  'apps/service/src/modules/patients/{registration,same-cost}.routes.test.ts',
  'apps/service/src/modules/schedule/{earliest,schedule}.routes.test.ts',
];
const port = inService('*.suite');
const system = inService('*.system');
const race = ['{apps/service,apps/practice,apps/cli,e2e}/**/*.race.test.ts'];
const fault = ['e2e/faults/*.fault.test.ts'];
const globalSetup = ['./tools/vitest-postgres.ts'];
const programs = './tools/vitest-programs.ts';
const postgres = { env: { TEST_DATABASE: 'postgres' }, globalSetup };
/** The embedded database, unless TEST_DATABASE=postgres is in the environment. */
const eitherEngine = { globalSetup: process.env.TEST_DATABASE === 'postgres' ? globalSetup : [] };
/** The service is imported once for all files of a suite: no file leaves anything in a module. */
const shared = { isolate: false };

/** The suites. One alone: `npm run vitest -- run --project <name>`. */
export default defineConfig({
  test: {
    // All suites run together, one more at a time than there are cores: races and faults mostly wait.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ['./tools/vitest-strict.ts'],
    // Generous: on a busy machine no test fails for being slow.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'rule', include: ['packages/*/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'oscar', include: ['packages/oscar/tests/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'use-case',
          include: ['{apps/service,apps/practice,apps/cli,bench,e2e}/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            ...store,
            ...route,
            ...port,
            ...system,
            ...race,
            ...fault,
          ],
          ...shared,
        },
      },
      { extends: true, test: { name: 'store', include: store, ...eitherEngine, ...shared } },
      {
        extends: true,
        test: {
          name: 'route',
          include: process.env.ROUTES === 'of-engine' ? routeOfEngine : route,
          ...eitherEngine,
          ...shared,
        },
      },
      {
        extends: true,
        test: { name: 'store-postgres', include: store, ...postgres, ...shared },
      },
      {
        extends: true,
        test: { name: 'route-postgres', include: route, ...postgres, ...shared },
      },
      { extends: true, test: { name: 'port', include: port, ...postgres } },
      {
        extends: true,
        test: {
          name: 'system',
          include: system,
          globalSetup: [...eitherEngine.globalSetup, programs],
          ...shared,
        },
      },
      {
        extends: true,
        test: { name: 'race', include: race, ...postgres, globalSetup: [...globalSetup, programs] },
      },
      {
        extends: true,
        test: { name: 'fault', include: fault, globalSetup: [programs], testTimeout: 900_000 },
      },
      {
        extends: true,
        oxc: { jsx: { runtime: 'automatic' } },
        test: {
          name: 'component',
          include: [
            'apps/web/{src,test}/**/*.test.{ts,tsx}',
            'apps/desk/src/**/*.test.tsx',
            'packages/ui/src/**/*.test.tsx',
          ],
          environment: 'jsdom',
          // A fresh jsdom for each file without a fresh process: half the time.
          pool: 'vmThreads',
          setupFiles: ['./tools/vitest-component.ts'],
        },
      },
    ],
  },
});
