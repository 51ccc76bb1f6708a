import { defineConfig } from 'vitest/config';

import { houses } from './tools/houses.mjs';

// Generous: on a busy machine no test fails for being slow.
const strict = {
  setupFiles: ['./tools/vitest-strict.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
};
const withServer = { ...strict, globalSetup: ['./tools/vitest-postgres.ts'] };
/** The service is imported once for all files of a house: none of them leaves anything in a module. */
const shared = { isolate: false };
const onPostgres = process.env.TEST_DATABASE === 'postgres';
const onEitherEngine = onPostgres ? withServer : strict;

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'rule', ...strict, ...houses.rule } },
      { test: { name: 'use-case', ...strict, ...houses['use-case'], ...shared } },
      { test: { name: 'store', ...onEitherEngine, ...houses.store, ...shared } },
      { test: { name: 'route', ...onEitherEngine, ...houses.route, ...shared } },
      { test: { name: 'suite', ...onEitherEngine, ...houses.suite } },
      { test: { name: 'house', ...onEitherEngine, ...houses.house, ...shared } },
      {
        test: {
          name: 'race',
          ...withServer,
          ...houses.race,
          env: { TEST_DATABASE: 'postgres' },
          fileParallelism: false,
          testTimeout: 120_000,
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic' } },
        test: {
          name: 'component',
          ...strict,
          ...houses.component,
          environment: 'jsdom',
          setupFiles: [...strict.setupFiles, './tools/vitest-component.ts'],
        },
      },
    ],
  },
});
