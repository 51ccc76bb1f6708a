// Which test files belong to which house; tools/check-files.mjs fails on one that belongs to none.
const packages = '**/node_modules/**';
const ofTheService = ['store', 'routes', 'suite', 'race', 'house'];
const inService = (name) => ({
  include: [`apps/{service,practice,cli}/**/${name}.test.ts`],
  exclude: [packages],
});

/** The houses that vitest runs, by the name of their project. */
export const houses = {
  rule: { include: ['packages/*/src/**/*.test.ts'], exclude: [] },
  'use-case': {
    include: ['apps/{service,practice,cli}/**/*.test.ts', 'bench/**/*.test.ts', 'e2e/**/*.test.ts'],
    exclude: [
      packages,
      ...ofTheService.map((suffix) => `**/*.${suffix}.test.ts`),
      '**/routes.test.ts',
    ],
  },
  store: inService('*.store'),
  route: {
    include: ['apps/{service,practice,cli}/**/{*.routes,routes}.test.ts'],
    exclude: [packages],
  },
  suite: inService('*.suite'),
  house: inService('*.house'),
  race: {
    include: ['{apps/service,apps/practice,apps/cli,e2e}/**/*.race.test.ts'],
    exclude: [packages],
  },
  component: { include: ['apps/web/{src,test}/**/*.test.{ts,tsx}'], exclude: [] },
};

/** Run by node --test and by Playwright. */
export const otherHouses = {
  tools: { include: ['tools/**/*.test.mjs'], exclude: [] },
  journey: { include: ['e2e/**/*.spec.ts'], exclude: [packages] },
};
