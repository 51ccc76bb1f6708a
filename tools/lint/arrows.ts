/**
 * Which layer may import which: the arrows of docs/architecture.md. A file belongs to the first layer whose
 * pattern it matches. A layer may import itself, the layers in `to` and the named packages.
 * tools/probe-boundaries.mjs plants a violation for every layer.
 */
export type Layer = {
  name: string;
  files: string[];
  to: string[];
  /** Allowed npm packages and `node:*`; true allows all. */
  packages: string[] | true;
  /** The pattern's first star names a part; files of such a layer may import only their own part. */
  parts?: true;
};

const domain = ['domain'];
const core = ['domain', 'contract', 'texts'];
const coreAndBuilders = [...core, 'domain-testing'];
const foundations = ['server', 'database', 'security'];
const service = [
  ...foundations,
  'schema',
  'ports',
  'adapters',
  'module',
  'module-door',
  'app',
  'main',
];
const starters = ['practice', 'cli'];
const web = ['ui', 'shared-app', 'web-app', 'web-feature', 'web-shared', 'web-messages'];

const desk = ['desk-app', 'desk-feature', 'desk-shared', 'desk-messages'];

const MODULE_PACKAGES = [
  'fastify',
  '@fastify/*',
  'drizzle-orm',
  'zod',
  'sharp',
  '@cantoo/pdf-lib',
  'csv-parse',
  'fflate',
  'p-limit',
  'node:*',
];

export const layers: Layer[] = [
  {
    name: 'tools',
    files: [
      'tools/**',
      '*.{ts,mjs}',
      '*/*.config.ts',
      '*/*/*.config.ts',
      'apps/desk/build/**',
      'apps/web/build/**',
      'packages/app/build/**',
      'apps/web/public/**',
    ],
    to: [
      ...coreAndBuilders,
      ...service,
      ...starters,
      'web-messages',
      'desk-messages',
      'service-testing',
      'e2e',
      'oscar-fake',
    ],
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
    name: 'texts-test',
    files: ['packages/texts/src/**/*.test.ts'],
    to: ['texts', 'domain'],
    packages: ['vitest', 'node:*'],
  },
  {
    name: 'texts',
    files: ['packages/texts/src/**'],
    to: domain,
    packages: ['@lingui/message-utils', 'pofile-ts', 'node:*'],
  },
  {
    name: 'contract-test',
    files: ['packages/contract/src/**/*.test.ts'],
    to: coreAndBuilders,
    packages: ['vitest', 'fast-check', 'zod', 'node:*'],
  },
  {
    name: 'contract',
    files: ['packages/contract/src/**'],
    to: ['domain', 'texts'],
    packages: ['zod'],
  },
  {
    name: 'ui-testing',
    files: ['packages/ui/src/**/*.test.{ts,tsx}', 'packages/ui/src/testing/**'],
    to: ['ui', 'domain'],
    packages: true,
  },
  { name: 'ui', files: ['packages/ui/src/**'], to: domain, packages: ['react', 'lucide-react'] },
  {
    name: 'shared-app-test',
    files: ['packages/app/src/**/*.test.{ts,tsx}'],
    to: [...core, 'ui', 'ui-testing', 'shared-app'],
    packages: true,
  },
  {
    name: 'shared-app',
    files: ['packages/app/src/**'],
    to: [...core, 'ui'],
    packages: ['react', '@tanstack/react-query', 'socket.io-client'],
  },
  {
    name: 'oscar-test',
    files: [
      'packages/oscar/src/**/*.test.ts',
      'packages/oscar/tests/**',
      'packages/oscar/examples/**',
    ],
    to: ['oscar', 'oscar-fake'],
    packages: ['vitest', 'fast-check', 'node:*'],
  },
  {
    name: 'oscar-fake',
    files: ['packages/oscar/fake/**'],
    to: [],
    packages: ['fast-xml-parser', 'node:*'],
  },
  {
    name: 'oscar',
    files: ['packages/oscar/src/**'],
    to: [],
    packages: ['fast-xml-parser', 'oauth-1.0a', 'p-limit', 'node:*'],
  },
  {
    name: 'service-testing',
    files: [
      'apps/{service,practice}/testing/**',
      'apps/service/tests/**',
      'apps/service/src/**/*.test.ts',
      'apps/{practice,cli}/src/**/*.test.ts',
    ],
    to: [...coreAndBuilders, ...service, ...starters, 'oscar', 'oscar-fake', 'tools'],
    packages: true,
  },
  {
    name: 'practice',
    files: ['apps/practice/src/**'],
    to: [...core, ...service, 'cli', 'oscar-fake'],
    packages: true,
  },
  {
    name: 'cli',
    files: ['apps/cli/src/**'],
    to: [...core, ...service, 'practice'],
    packages: true,
  },
  {
    name: 'schema',
    files: ['apps/service/src/schema.ts'],
    to: [...foundations, 'module'],
    packages: ['drizzle-orm'],
  },
  {
    name: 'ports',
    files: [
      'apps/service/src/platform.ts',
      'apps/service/src/modules/records/emr.ts',
      'apps/service/src/modules/payments/gateway.ts',
    ],
    to: ['domain', ...foundations],
    packages: [],
  },
  {
    name: 'adapters',
    files: ['apps/service/src/adapters/**'],
    to: ['ports', 'domain', ...foundations, 'oscar'],
    packages: true,
  },
  {
    name: 'module-door',
    files: ['apps/service/src/modules/*/index.ts'],
    parts: true,
    to: [...core, 'ports', ...foundations, 'module'],
    packages: MODULE_PACKAGES,
  },
  {
    name: 'module',
    files: ['apps/service/src/modules/*/**'],
    parts: true,
    to: [...core, 'ports', ...foundations, 'module-door'],
    packages: MODULE_PACKAGES,
  },
  {
    name: 'server',
    files: ['apps/service/src/server/**'],
    to: [...core, 'database', 'security'],
    packages: true,
  },
  {
    name: 'database',
    files: ['apps/service/src/database/**'],
    to: ['domain', 'server', 'security'],
    packages: true,
  },
  {
    name: 'security',
    files: ['apps/service/src/security/**'],
    to: ['domain', 'server', 'database'],
    packages: true,
  },
  {
    name: 'app',
    files: ['apps/service/src/app.ts'],
    to: [...core, 'module', 'module-door', ...foundations, 'ports', 'main'],
    packages: true,
  },
  { name: 'main', files: ['apps/service/src/*.ts'], to: [...core, ...service], packages: true },
  {
    name: 'web-test',
    files: [
      'apps/web/{src,test}/**/*.test.{ts,tsx}',
      'apps/web/test/**',
      'apps/web/src/testing/**',
    ],
    to: [...coreAndBuilders, ...web, 'ui-testing'],
    packages: true,
  },
  {
    name: 'web-app',
    files: ['apps/web/src/app/**', 'apps/web/src/*'],
    to: ['web-feature', 'web-shared', 'domain', 'web-messages', 'ui', 'shared-app'],
    packages: true,
  },
  {
    name: 'web-feature',
    files: ['apps/web/src/features/*/**'],
    parts: true,
    to: ['web-shared', ...core, 'web-messages', 'ui', 'shared-app'],
    packages: true,
  },
  {
    name: 'web-shared',
    files: ['apps/web/src/{api,shared}/**'],
    to: [...core, 'web-messages', 'ui', 'shared-app'],
    packages: true,
  },
  {
    name: 'web-messages',
    files: ['apps/web/src/messages/**'],
    to: [...core, 'ui', 'shared-app'],
    packages: true,
  },
  {
    name: 'desk-test',
    files: ['apps/desk/src/**/*.test.{ts,tsx}', 'apps/desk/src/testing/**'],
    to: [...coreAndBuilders, ...desk, 'ui', 'ui-testing', 'shared-app'],
    packages: true,
  },
  {
    name: 'desk-app',
    files: ['apps/desk/src/app/**', 'apps/desk/src/*'],
    to: ['desk-feature', 'desk-shared', ...core, 'desk-messages', 'ui', 'shared-app'],
    packages: true,
  },
  {
    name: 'desk-feature',
    files: ['apps/desk/src/features/*/**'],
    parts: true,
    to: ['desk-shared', ...core, 'desk-messages', 'ui', 'shared-app'],
    packages: true,
  },
  {
    name: 'desk-shared',
    files: ['apps/desk/src/shared/**'],
    to: [...core, 'desk-messages', 'ui', 'shared-app'],
    packages: true,
  },
  { name: 'desk-messages', files: ['apps/desk/src/messages/**'], to: [], packages: [] },
  {
    name: 'e2e',
    files: ['e2e/**'],
    to: [...coreAndBuilders, 'service-testing', 'tools', 'oscar-fake'],
    packages: true,
  },
  {
    name: 'bench',
    files: ['bench/**'],
    to: ['app', 'main', ...core, 'domain-testing', 'service-testing', 'e2e', 'tools'],
    packages: true,
  },
];
