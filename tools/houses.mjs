/**
 * Which test files belong to which house. The first pattern list says what is in, the second what
 * another house has. `tools/check-houses.mjs` fails on a test file that no house runs.
 */
const inService = ['store', 'routes', 'suite', 'race', 'house'];

export const houses = {
  rule: { include: ['packages/*/src/**/*.test.ts'], exclude: [] },
  'use-case': {
    include: ['apps/service/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      ...inService.map((suffix) => `**/*.${suffix}.test.ts`),
      '**/routes.test.ts',
    ],
  },
  store: { include: ['apps/service/**/*.store.test.ts'], exclude: ['**/node_modules/**'] },
  route: {
    include: ['apps/service/**/*.routes.test.ts', 'apps/service/**/routes.test.ts'],
    exclude: ['**/node_modules/**'],
  },
  suite: { include: ['apps/service/**/*.suite.test.ts'], exclude: ['**/node_modules/**'] },
  race: {
    include: ['apps/service/**/*.race.test.ts', 'e2e/**/*.race.test.ts'],
    exclude: ['**/node_modules/**'],
  },
  house: { include: ['apps/service/**/*.house.test.ts'], exclude: ['**/node_modules/**'] },
  component: { include: ['apps/web/src/**/*.test.{ts,tsx}'], exclude: [] },
};
