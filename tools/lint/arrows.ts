/**
 * Who may import whom: the arrows of docs/architecture.md. A file belongs to the first layer whose
 * pattern it matches; a layer may import itself, the layers in `to` and the packages named.
 * tools/probe-boundaries.mjs plants a violation for every layer.
 */
export type Layer = {
  name: string;
  files: string[];
  to: string[];
  /** npm packages and `node:*`; true: any. */
  packages: string[] | true;
  /** The pattern's first star names a part; layers with parts reach only their own. */
  parts?: true;
};

const domain = ['domain'];
const core = ['domain', 'contract'];
const coreAndBuilders = [...core, 'domain-testing'];
const service = ['ports', 'adapters', 'module', 'module-door', 'platform', 'app', 'main'];
const web = ['web-app', 'web-feature', 'web-shared', 'web-messages', 'web-styles'];

export const layers: Layer[] = [
  {
    name: 'tools',
    files: [
      'tools/**',
      '*.{ts,mjs}',
      '*/*.config.ts',
      '*/*/*.config.ts',
      'apps/service/tools/**',
      'apps/web/build/**',
      'apps/web/public/**',
    ],
    to: [...coreAndBuilders, ...service, 'service-testing', 'e2e'],
    packages: true,
  },
  {
    name: 'domain-test',
    files: ['packages/domain/src/**/*.test.ts'],
    to: ['domain', 'domain-testing', 'tools'],
    packages: ['vitest', 'fast-check', 'node:*'],
  },
  {
    name: 'domain-testing',
    files: ['packages/domain/src/testing/**'],
    to: domain,
    packages: ['fast-check'],
  },
  { name: 'domain', files: ['packages/domain/src/**'], to: [], packages: [] },
  {
    name: 'contract-test',
    files: ['packages/contract/src/**/*.test.ts'],
    to: coreAndBuilders,
    packages: ['vitest', 'fast-check', 'zod', 'node:*'],
  },
  { name: 'contract', files: ['packages/contract/src/**'], to: domain, packages: ['zod'] },
  {
    name: 'service-testing',
    files: [
      'apps/service/testing/**',
      'apps/service/houses/**',
      'apps/service/src/**/*.test.ts',
      'apps/service/src/**/*.suite.ts',
    ],
    to: [...coreAndBuilders, ...service],
    packages: true,
  },
  { name: 'ports', files: ['apps/service/src/ports/**'], to: domain, packages: [] },
  {
    name: 'adapters',
    files: ['apps/service/src/adapters/**'],
    to: ['ports', 'domain', 'platform'],
    packages: true,
  },
  {
    name: 'module-door',
    files: ['apps/service/src/modules/*/index.ts'],
    parts: true,
    to: [...core, 'ports', 'platform', 'module'],
    packages: ['fastify', 'drizzle-orm', 'zod', 'node:*'],
  },
  {
    name: 'module',
    files: ['apps/service/src/modules/*/**'],
    parts: true,
    to: [...core, 'ports', 'platform', 'module-door'],
    packages: [
      'fastify',
      '@fastify/*',
      'drizzle-orm',
      'zod',
      'sharp',
      '@cantoo/pdf-lib',
      'csv-parse',
      'p-limit',
      'node:*',
    ],
  },
  {
    name: 'platform',
    files: ['apps/service/src/platform/**'],
    to: ['contract', 'ports'],
    packages: true,
  },
  {
    name: 'app',
    files: ['apps/service/src/app.ts', 'apps/service/src/jobs.ts'],
    to: ['domain', 'module', 'module-door', 'platform', 'ports'],
    packages: ['fastify', '@fastify/*', 'fastify-type-provider-zod', 'node:*'],
  },
  {
    name: 'main',
    files: [
      'apps/service/src/*.ts',
      'apps/service/src/practice/**',
      'apps/service/src/clinic-command/**',
    ],
    to: [...core, ...service],
    packages: true,
  },
  {
    name: 'web-test',
    files: [
      'apps/web/{src,test}/**/*.test.{ts,tsx}',
      'apps/web/test/**',
      'apps/web/src/testing/**',
    ],
    to: [...coreAndBuilders, ...web],
    packages: true,
  },
  {
    name: 'web-app',
    files: ['apps/web/src/app/**', 'apps/web/src/*'],
    to: ['web-feature', 'web-shared', 'web-messages', 'web-styles'],
    packages: true,
  },
  {
    name: 'web-feature',
    files: ['apps/web/src/features/*/**'],
    parts: true,
    to: ['web-shared', ...core, 'web-messages', 'web-styles'],
    packages: true,
  },
  {
    name: 'web-shared',
    files: ['apps/web/src/shared/**'],
    to: [...core, 'web-messages', 'web-styles'],
    packages: true,
  },
  { name: 'web-messages', files: ['apps/web/src/messages/**'], to: core, packages: true },
  { name: 'web-styles', files: ['apps/web/src/styles/**'], to: [], packages: true },
  {
    name: 'e2e',
    files: ['e2e/**'],
    to: ['contract', 'domain-testing', 'service-testing'],
    packages: true,
  },
  {
    name: 'bench',
    files: ['bench/**'],
    to: ['app', 'main', 'domain', 'domain-testing', 'service-testing'],
    packages: true,
  },
];
