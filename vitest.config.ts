import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

import './tools/test-seed.ts';

const inService = (name: string) => [`apps/{service,practice,cli}/**/${name}.test.ts`];
const store = inService('*.store');
const route = inService('{*.routes,routes}');
/** What the embedded engine must keep as PostgreSQL does. With LONG=1 it runs all stores and routes. */
const promise = ['apps/service/src/database/*.{store,routes}.test.ts'];
const onEmbedded = process.env.LONG === '1' ? [...store, ...route] : promise;
const port = inService('*.suite');
const system = inService('*.system');
const race = ['{apps/service,apps/practice,apps/cli,e2e}/**/*.race.test.ts'];
const fault = ['e2e/faults/*.fault.test.ts'];
const globalSetup = ['./tools/vitest-postgres.ts'];
const programs = './tools/vitest-programs.ts';
const postgres = { env: { TEST_DATABASE: 'postgres' }, globalSetup };
/** The embedded database, unless TEST_DATABASE=postgres is in the environment. */
const eitherEngine = { globalSetup: process.env.TEST_DATABASE === 'postgres' ? globalSetup : [] };
/** Modules are imported once for all files of a suite: no file leaves anything in a module. */
const shared = { isolate: false };

/** Calls of other systems are not given up because the machine is busy. */
const patient = { setupFiles: ['./tools/vitest-patient.ts'] };

/** Only while the map of the tests is noted. */
const touched = process.env.TEST_MAP === undefined ? [] : ['./tools/vitest-touched.ts'];

/** The suites. One alone: `npm run vitest -- run --project <name>`. */
export default defineConfig({
  test: {
    // All suites run together, one more at a time than there are cores: races and faults mostly wait.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ['./tools/vitest-strict.ts', ...touched],
    // Generous: on a busy machine no test fails for being slow.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    teardownTimeout: 300_000,
    expect: { poll: { timeout: 300_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'rule', include: ['packages/*/src/**/*.test.ts'], ...shared },
      },
      {
        extends: true,
        test: { name: 'oscar', include: ['packages/oscar/tests/*.test.ts'], ...patient },
      },
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
          ...patient,
        },
      },
      {
        extends: true,
        test: { name: 'store', include: store, ...postgres, ...shared, ...patient },
      },
      {
        extends: true,
        test: { name: 'route', include: route, ...postgres, ...shared, ...patient },
      },
      { extends: true, test: { name: 'embedded', include: onEmbedded, ...shared, ...patient } },
      { extends: true, test: { name: 'port', include: port, ...postgres, ...patient } },
      {
        extends: true,
        test: {
          name: 'system',
          include: system,
          globalSetup: [...eitherEngine.globalSetup, programs],
          ...shared,
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'race',
          include: race,
          ...postgres,
          globalSetup: [...globalSetup, programs],
          ...patient,
        },
      },
      {
        extends: true,
        test: { name: 'fault', include: fault, globalSetup: [programs], testTimeout: 1_800_000 },
      },
      {
        extends: true,
        oxc: { jsx: { runtime: 'automatic' } },
        test: {
          name: 'component',
          include: [
            'apps/web/{src,test}/**/*.test.{ts,tsx}',
            'apps/desk/src/**/*.test.tsx',
            'packages/{app,ui}/src/**/*.test.tsx',
          ],
          environment: 'jsdom',
          // A fresh jsdom for each file without a fresh process: half the time.
          pool: 'vmForks',
          setupFiles: ['./tools/vitest-component.ts'],
        },
      },
    ],
  },
});
