/// <reference types="node" />
import { defineConfig } from 'oxlint';

import { type Layer, layers } from './tools/lint/arrows.ts';
import { bans } from './tools/lint/bans.mjs';

const application = ['packages/**', 'apps/**', 'e2e/**', 'bench/**'];
const clinicTimeItself = [
  'packages/domain/src/clinic-time*.ts',
  'packages/domain/src/clinic-zone*.ts',
  'e2e/**/*zone*.ts',
];
const mains = ['apps/*/src/main.ts', 'apps/*/*.config.ts'];
const pure = ['packages/domain/src/**', 'packages/contract/src/**', 'apps/service/src/modules/**'];
const tests = ['**/*.test.{ts,tsx}', '**/*.suite.ts', '**/testing/**'];

const pages = ['apps/web/src', 'apps/desk/src'].flatMap((app) =>
  ['app', 'features', 'shared'].map((folder) => `${app}/${folder}/**`),
);

const banRules = (level: 'error' | 'off', only: (name: string) => boolean = () => true) =>
  Object.fromEntries(
    bans.filter(({ name }) => only(name)).map(({ name }) => [`clinic/${name}`, level]),
  );
const onPages = (name: string) => bans.some((ban) => ban.name === name && ban.ofApps === true);
const onTime = (name: string) => !onEnvironment(name) && !onPurity(name) && !onPages(name);
const onFocus = (name: string) => name === 'no-own-focus';
const onEnvironment = (name: string) => name === 'no-process-env';
const onPurity = (name: string) => name === 'no-clock' || name === 'no-chance';

const packagesOf = ({ packages }: Layer) => {
  const names = packages === true ? ['**'] : packages.filter((name) => name !== 'node:*');
  const core = packages === true || packages.includes('node:*');
  return [
    ...(names.length > 0 ? [{ to: { module: { origin: 'external', source: names } } }] : []),
    ...(core ? [{ to: { module: { origin: 'core' } } }] : []),
  ];
};

/**
 * A layer with parts reaches its own part and, by its door, the others. Few selectors, each with many
 * names: every selector of every layer is tried on every import.
 */
function arrowsOf(layer: Layer) {
  const samePart = { captured: { part: '{{ from.file.captured.part }}' } };
  const reached = [layer.name, ...layer.to];
  const isTwin = (name: string) =>
    layer.parts === true && (name === layer.name || name === 'module');
  const twins = reached.filter(isTwin);
  const others = reached.filter((name) => !isTwin(name));
  return {
    from: { file: { categories: layer.name } },
    allow: [
      ...(others.length > 0 ? [{ to: { file: { categories: others } } }] : []),
      ...(twins.length > 0 ? [{ to: { file: { categories: twins, ...samePart } } }] : []),
      ...packagesOf(layer),
    ],
  };
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise', 'vitest'],
  jsPlugins: ['eslint-plugin-boundaries', './tools/lint/bans.mjs'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: [
    '**/node_modules',
    '**/dist/**',
    '**/*.generated.ts',
    'coverage/**',
    'screens/**',
    'data/**',
  ],
  settings: {
    'import/resolver': { [`${import.meta.dirname}/tools/lint/import-resolver.cjs`]: {} },
    'boundaries/root-path': import.meta.dirname,
    'boundaries/legacy-templates': false,
    'boundaries/files-single-match': true,
    'boundaries/elements': [],
    'boundaries/files': layers.flatMap(({ name, files, parts }) =>
      files.map((pattern) => ({
        category: name,
        pattern,
        ...(parts === true ? { capture: ['part'] } : {}),
      })),
    ),
  },
  rules: {
    'boundaries/no-unknown-files': 'error',
    'boundaries/no-unknown-dependencies': ['error', { require: 'file' }],
    'boundaries/dependencies': [
      'error',
      {
        default: 'disallow',
        checkAllOrigins: true,
        checkInternals: true,
        policies: layers.map(arrowsOf),
      },
    ],

    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/return-await': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-return': 'off',

    'no-console': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    eqeqeq: 'error',
    'no-shadow': 'off',
    'no-warning-comments': 'error',
    'no-underscore-dangle': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',

    'import/no-cycle': 'error',
    'import/no-self-import': 'error',
    'import/no-duplicates': 'error',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default': 'off',
    'import/no-named-as-default-member': 'off',
    'promise/always-return': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/require-post-message-target-origin': 'off',

    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/jsx-key': 'error',
    'react/react-in-jsx-scope': 'off',
    'react/no-danger': 'error',
    'react/exhaustive-effect-dependencies': 'off',

    // A grid listens once for all of its steps, and a table may be one; axe looks at the result.
    'jsx-a11y/no-noninteractive-element-interactions': 'off',
    'jsx-a11y/no-noninteractive-element-to-interactive-role': 'off',
    'jsx-a11y/no-static-element-interactions': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',

    'vitest/no-disabled-tests': 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-restricted-vi-methods': [
      'error',
      {
        mock: 'Fakes, not mocks.',
        doMock: 'Fakes, not mocks.',
        waitFor: 'It gives up after a second: expect.poll.',
        waitUntil: 'It gives up after a second: expect.poll.',
      },
    ],
    'vitest/require-mock-type-parameters': 'off',
    'vitest/no-conditional-tests': 'off',
    'vitest/no-conditional-expect': 'off',
    'vitest/require-to-throw-message': 'off',
    'vitest/expect-expect': [
      'error',
      { assertFunctionNames: ['expect', 'expect*', 'fc.assert', 'assert*'] },
    ],
  },
  overrides: [
    { files: application, rules: banRules('error', onTime) },
    { files: clinicTimeItself, rules: banRules('off', onTime) },
    { files: ['packages/**', 'apps/*/src/**'], rules: banRules('error', onEnvironment) },
    { files: pure, rules: banRules('error', onPurity) },
    { files: [...mains, ...tests], rules: banRules('off', onEnvironment) },
    { files: tests, rules: banRules('off', onPurity) },
    { files: pages, rules: banRules('error', onPages) },
    { files: ['packages/ui/src/**'], rules: banRules('error', onFocus) },
    { files: ['packages/ui/src/focus.ts'], rules: banRules('off', onFocus) },
    { files: tests, rules: banRules('off', onPages) },
    // What the card company says of a card is for people, and its field is focused by its code.
    {
      files: ['apps/web/src/features/booking/payment/card-form.tsx'],
      rules: banRules('off', (name) => name === 'no-error-message' || onFocus(name)),
    },
    {
      files: [
        'apps/desk/src/shared/under-way.tsx',
        'apps/web/src/shared/shell/question-dialog.tsx',
      ],
      rules: banRules('off', (name) => name === 'no-own-dialog'),
    },
    {
      files: ['packages/**', 'apps/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['**/packages/*', '**/apps/*', '**/packages/**', '**/apps/**'],
                message: 'Another workspace is imported by its name.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['apps/web/src/**', 'packages/app/src/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: ['zod', 'zod/mini', '@clinic/contract'].map((name) => ({
              name,
              allowTypeImports: true,
              message: 'The browser takes types from the contract: zod stays on the server.',
            })),
          },
        ],
      },
    },
    {
      files: ['apps/web/src/**/*.test.{ts,tsx}', 'apps/web/test/**', 'apps/web/src/testing/**'],
      rules: { 'no-restricted-imports': 'off' },
    },
    {
      files: [
        'tools/**',
        'bench/**',
        '*.config.ts',
        '**/tools/**',
        'apps/*/src/main.ts',
        'tools/vitest-strict.ts',
      ],
      rules: { 'no-console': 'off' },
    },
    // node:test hands back a promise that nobody is meant to await.
    { files: ['tools/**/*.test.mjs'], rules: { 'typescript/no-floating-promises': 'off' } },
    { files: ['apps/web/public/**'], rules: { 'no-var': 'off' } },
    {
      files: ['**/*.{mjs,cjs}'],
      rules: Object.fromEntries(
        [
          ...['argument', 'assignment', 'call', 'member-access', 'return'].map(
            (part) => `no-unsafe-${part}`,
          ),
          'unbound-method',
          'restrict-template-expressions',
        ].map((rule) => [`typescript/${rule}`, 'off']),
      ),
    },
  ],
});
