import { defineConfig } from 'vitest/config';

import { houses } from './tools/houses.mjs';

const node24 = { pool: 'forks', setupFiles: ['./tools/vitest-strict.ts'] } as const;
const withServer = { ...node24, globalSetup: ['./tools/vitest-postgres.ts'] };
const onPostgres = process.env.TEST_DATABASE === 'postgres';
const onEitherEngine = onPostgres ? withServer : node24;

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'rule', ...node24, ...houses.rule } },
      { test: { name: 'use-case', ...node24, ...houses['use-case'] } },
      { test: { name: 'store', ...onEitherEngine, ...houses.store } },
      { test: { name: 'route', ...onEitherEngine, ...houses.route } },
      { test: { name: 'suite', ...onEitherEngine, ...houses.suite } },
      { test: { name: 'house', ...onEitherEngine, ...houses.house } },
      {
        test: {
          name: 'race',
          ...withServer,
          ...houses.race,
          env: { TEST_DATABASE: 'postgres' },
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic' } },
        test: { name: 'component', ...node24, ...houses.component, environment: 'jsdom' },
      },
    ],
  },
});
