// The violations that tools/probe-boundaries.mjs plants: { file, code, rule, arrow? }.
import { layers } from './arrows.ts';
import { bans } from './bans.mjs';

const folders = {
  tools: 'tools',
  'domain-test': 'packages/domain/src/booking',
  'domain-testing': 'packages/domain/src/testing',
  domain: 'packages/domain/src/booking',
  'texts-test': 'packages/texts/src',
  texts: 'packages/texts/src',
  'contract-test': 'packages/contract/src',
  contract: 'packages/contract/src',
  'ui-testing': 'packages/ui/src/testing',
  ui: 'packages/ui/src',
  'shared-app-test': 'packages/app/src',
  'shared-app': 'packages/app/src',
  'oscar-test': 'packages/oscar/src',
  'oscar-fake': 'packages/oscar/fake',
  oscar: 'packages/oscar/src',
  'service-testing': 'apps/service/testing',
  practice: 'apps/practice/src',
  cli: 'apps/cli/src',
  schema: 'apps/service/src',
  ports: 'apps/service/src/modules/records',
  adapters: 'apps/service/src/adapters',
  'module-door': 'apps/service/src/modules/appointments',
  module: 'apps/service/src/modules/appointments',
  server: 'apps/service/src/server',
  database: 'apps/service/src/database',
  security: 'apps/service/src/security',
  app: 'apps/service/src',
  main: 'apps/service/src',
  'web-test': 'apps/web/src/app',
  'web-app': 'apps/web/src/app',
  'web-feature': 'apps/web/src/features/booking',
  'web-shared': 'apps/web/src/shared/forms',
  'web-messages': 'apps/web/src/messages/en',
  'desk-test': 'apps/desk/src/features/day',
  'desk-app': 'apps/desk/src/app',
  'desk-feature': 'apps/desk/src/features/day',
  'desk-shared': 'apps/desk/src/shared',
  'desk-messages': 'apps/desk/src/messages',
  e2e: 'e2e/src',
  bench: 'bench/src',
};
const fixedNames = {
  app: 'app.ts',
  schema: 'schema.ts',
  ports: 'emr.ts',
  'module-door': 'index.ts',
};

/** A file of the layer. Layers with one fixed file per folder get all their imports in that file. */
function fileIn(layer, name) {
  const suffix = layer.endsWith('-test') ? '.test.ts' : '.ts';
  return `${folders[layer]}/${fixedNames[layer] ?? `${name}${suffix}`}`;
}

function pathFrom(file, target) {
  const up = '../'.repeat(file.split('/').length - 1);
  return `./${up}${target}`;
}

const imports = (specifier) => `import '${specifier}';`;
const rule = 'boundaries(dependencies)';

/** A second part of the layers whose parts import no other. */
const otherParts = {
  module: 'apps/service/src/modules/schedule/target.ts',
  'module-door': 'apps/service/src/modules/schedule/target.ts',
  'web-feature': 'apps/web/src/features/account/target.ts',
  'desk-feature': 'apps/desk/src/features/money/target.ts',
};

/** A file to import from every layer, and a second module and feature for imports across parts. */
export const targets = [
  ...layers.map(({ name }) => fileIn(name, 'target')),
  'apps/service/src/modules/schedule/index.ts',
  ...Object.values(otherParts),
];

function forbiddenImports({ name, to, packages, parts }) {
  const file = fileIn(name, 'planted');
  const into = (target) => ({ file, code: imports(pathFrom(file, target)), rule, arrow: name });
  const layersBeyond = layers
    .filter((other) => other.name !== name && !to.includes(other.name))
    .map((other) => into(fileIn(other.name, 'target')));
  const partsBeyond = parts === true ? [into(otherParts[name])] : [];
  const unresolved = ['./not-there.ts', '@clinic/domain/not-there', 'no-such-package'].map(
    (specifier) => ({
      file,
      code: imports(specifier),
      rule: 'boundaries(no-unknown-dependencies)',
      arrow: name,
    }),
  );
  const packagesBeyond =
    packages === true
      ? []
      : ['prettier', ...(packages.includes('node:*') ? [] : ['node:fs'])].map((specifier) => ({
          file,
          code: imports(specifier),
          rule,
          arrow: name,
        }));
  return [...layersBeyond, ...partsBeyond, ...unresolved, ...packagesBeyond];
}

/** Imports that must pass; without them, arrows that forbid everything would go unnoticed. */
export const permitted = layers.flatMap(({ name, to }) => {
  const file = fileIn(name, 'permitted');
  return to
    .filter((other) => !(name === 'module' && other === 'module-door'))
    .map((other) => ({ file, code: imports(pathFrom(file, fileIn(other, 'target'))) }))
    .concat(
      name === 'module'
        ? [{ file, code: imports(pathFrom(file, 'apps/service/src/modules/schedule/index.ts')) }]
        : [],
    );
});

export const arrows = layers.flatMap(forbiddenImports);

const ban = (rule, file, code) => ({ file, code, rule });
const inDomain = 'packages/domain/src/booking';
const inService = 'apps/service/src/server';
const inWeb = 'apps/web/src/features/booking';
const inDesk = 'apps/desk/src/features/day';

/** Violations that the probe writes to files of their own: each must be reported. */
export const banned = [
  ...bans.flatMap(({ name, planted, ofApps }) =>
    (ofApps ? ['apps/web/src/features/account', inDesk] : [inDomain]).map((folder) =>
      ban(`clinic(${name})`, `${folder}/${name}.ts`, planted),
    ),
  ),
  ban('clinic(no-own-focus)', 'packages/ui/src/own-focus.ts', 'document.body.focus();'),
  ban('typescript(no-explicit-any)', `${inDomain}/any.ts`, 'export const a: any = 1;'),
  // A planted violation: the ban on silenced types must report it.
  ban('typescript(ban-ts-comment)', `${inDomain}/ignore.ts`, '// @ts-ignore\nexport const a = 1;'),
  ban('eslint(no-console)', `${inService}/console.ts`, 'console.log(1);'),
  // A planted violation: the ban on unfinished work must report it.
  ban('eslint(no-warning-comments)', `${inDomain}/todo.ts`, '// TODO later\nexport const a = 1;'),
  ban(
    'typescript(no-floating-promises)',
    `${inService}/floating.ts`,
    'export async function a() {}\na();',
  ),
  ban(
    'typescript(no-misused-promises)',
    `${inService}/misused.ts`,
    'export async function a() {}\nif (a()) void 0;',
  ),
  ban(
    'typescript(switch-exhaustiveness-check)',
    `${inDomain}/switch.ts`,
    `export function a(b: 'x' | 'y') {\n  switch (b) {\n    case 'x':\n      return 1;\n  }\n}`,
  ),
  ban(
    'typescript(no-unsafe-call)',
    `${inService}/unsafe.ts`,
    `export const a = JSON.parse('1')();`,
  ),
  ban('eslint(no-restricted-imports)', `${inWeb}/zod.ts`, `import { z } from 'zod';\nvoid z;`),
  ban(
    'eslint(no-restricted-imports)',
    `${inWeb}/calls.ts`,
    `import { calls } from '@clinic/contract';\nvoid calls;`,
  ),
  ban(
    'eslint(no-restricted-imports)',
    'packages/contract/src/relative.ts',
    `import '../../../packages/domain/src/booking/target.ts';`,
  ),
  ban(
    'vitest(no-restricted-vi-methods)',
    `${inDomain}/mock.test.ts`,
    `import { vi } from 'vitest';\nvi.mock('./target.ts');`,
  ),
  ban(
    'vitest(no-disabled-tests)',
    `${inDomain}/skip.test.ts`,
    `import { test } from 'vitest';\ntest.skip('a', () => undefined);`,
  ),
  ban(
    'react-hooks(rules-of-hooks)',
    `${inWeb}/hooks.tsx`,
    `import { useState } from 'react';\nexport function A({ b }: { b: boolean }) {\n  if (b) useState(1);\n  return null;\n}`,
  ),
  ban('jsx-a11y(alt-text)', `${inWeb}/alt.tsx`, 'export const A = () => <img src="a.png" />;'),
];
