// The texts of a new feature: files to write, and lines to add to files that list features.

/** The name in the shapes the code needs: waiting-list, waitingList, WaitingList, waiting list. */
export function namesOf(kebab) {
  if (!/^[a-z]+(-[a-z]+)*$/.test(kebab)) {
    throw new Error('A feature is named in small letters with hyphens, such as waiting-list.');
  }
  const pascal = kebab.replaceAll(/(^|-)([a-z])/g, (_, _hyphen, letter) => letter.toUpperCase());
  const camel = pascal[0].toLowerCase() + pascal.slice(1);
  return { kebab, pascal, camel, words: kebab.replaceAll('-', ' ') };
}

const failing = (sentence) => `import { expect, test } from 'vitest';

test('${sentence}', () => {
  expect.fail('write this test');
});
`;

/** Path -> text. */
export const filesOf = ({ kebab, pascal, camel, words }) => ({
  [`packages/domain/src/${kebab}/why-no-${kebab}.ts`]: `/** All that the rule looks at. */
export interface ${pascal}Facts {
  readonly isOpen: boolean;
}

/** Why the patient may not have the ${words}, or null. */
export function whyNo${pascal}({ isOpen }: ${pascal}Facts): 'closed' | null {
  return isOpen ? null : 'closed';
}
`,
  [`packages/domain/src/${kebab}/why-no-${kebab}.test.ts`]: failing(
    `the rule of the ${words} holds on both sides of its boundary`,
  ),
  [`packages/contract/src/${kebab}.ts`]: `import { z } from 'zod';
import { call } from './call.ts';

export const read${pascal} = call('read${pascal}', {
  summary: 'Says whether the ${words} is open to the caller.',
  section: 'R-2',
  answer: z.object({
    success: z.literal(true),
    extras: z.object({ closed: z.boolean() }),
  }),
});
`,
  [`apps/service/src/modules/${kebab}/index.ts`]: `export { register${pascal} } from './routes.ts';
`,
  [`apps/service/src/modules/${kebab}/routes.ts`]: `import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http.ts';
import type { Platform } from '../../platform/platform.ts';
import { ${camel}Facts } from './${kebab}.store.ts';
import { read${pascal} } from './read-${kebab}.ts';

export function register${pascal}(app: FastifyInstance, { database }: Platform): void {
  const facts = (patientId: string) => ${camel}Facts(database.db, patientId);

  route(app, calls.read${pascal}, async ({ patient }) => {
    const refusal = await read${pascal}({ facts }, patient.id);
    return { success: true as const, extras: { closed: refusal === 'closed' } };
  });
}
`,
  [`apps/service/src/modules/${kebab}/routes.test.ts`]: failing(
    `the ${words} answers over HTTP as the contract says`,
  ),
  [`apps/service/src/modules/${kebab}/read-${kebab}.ts`]: `import { type ${pascal}Facts, whyNo${pascal} } from '@clinic/domain';

/** What this use case needs of the outside. */
export interface Read${pascal}Ports {
  readonly facts: (patientId: string) => Promise<${pascal}Facts>;
}

export async function read${pascal}({ facts }: Read${pascal}Ports, patientId: string) {
  return whyNo${pascal}(await facts(patientId));
}
`,
  [`apps/service/src/modules/${kebab}/read-${kebab}.test.ts`]: failing(
    `the story of the ${words} and each of its refusals`,
  ),
  [`apps/service/src/modules/${kebab}/${kebab}.store.ts`]: `import type { ${pascal}Facts } from '@clinic/domain';
import type { Db } from '../../platform/db.ts';
import { run, type Statement } from '../../platform/statement.ts';

const facts: Statement = {
  name: '${kebab}-facts',
  text: \`select true as "isOpen" where $1::text is not null\`,
};

export async function ${camel}Facts(db: Db, patientId: string): Promise<${pascal}Facts> {
  const [row] = await run<${pascal}Facts>(db, facts, [patientId]);
  return row ?? { isOpen: false };
}
`,
  [`apps/service/src/modules/${kebab}/${kebab}.store.test.ts`]: failing(
    `the ${words} keeps what it is told`,
  ),
  [`apps/web/src/messages/en/${kebab}.ts`]: `/** Words of the ${words}. */
export const ${camel} = {
  '${camel}.title': '${words[0].toUpperCase()}${words.slice(1)}',
  '${camel}.open': 'Open',
  '${camel}.closed': 'Closed',
} as const;
`,
  [`apps/web/src/features/${kebab}/${kebab}-queries.ts`]: `import { queryOptions } from '@tanstack/react-query';
import { request } from '../../shared/api/service.ts';

export const ${camel}Query = queryOptions({
  queryKey: ['${kebab}'],
  queryFn: async ({ signal }) => (await request('read${pascal}', {}, { signal })).extras,
});
`,
  [`apps/web/src/features/${kebab}/${kebab}-page.tsx`]: `import { useQuery } from '@tanstack/react-query';
import { t } from '../../messages/t.ts';
import { FailedState, LoadingState } from '../../shared/ui/page-states.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { ${camel}Query } from './${kebab}-queries.ts';
import styles from './${kebab}.module.css';

export function ${pascal}Page() {
  const ${camel} = useQuery(${camel}Query);
  return (
    <Page title={t('${camel}.title')}>
      {${camel}.isPending && <LoadingState />}
      {${camel}.isError && <FailedState onRetry={() => void ${camel}.refetch()} />}
      {${camel}.data && (
        <p className={styles.state}>
          {t(${camel}.data.closed ? '${camel}.closed' : '${camel}.open')}
        </p>
      )}
    </Page>
  );
}
`,
  [`apps/web/src/features/${kebab}/${kebab}-page.test.tsx`]: failing(
    `a patient reads whether the ${words} is open`,
  ),
  [`apps/web/src/features/${kebab}/${kebab}.module.css`]: `.state {
  font-weight: 600;
}
`,
});

/** Text for the files that name every feature, put before the first match. */
export const additionsOf = ({ kebab, pascal, camel }) => [
  {
    file: 'packages/domain/src/index.ts',
    before: /$/,
    text: `\nexport * from './${kebab}/why-no-${kebab}.ts';\n`,
  },
  {
    file: 'packages/contract/src/routes.ts',
    before: /\} as const satisfies Record/,
    text: `\n  read${pascal}: ['GET', '/${kebab}', 'patient'],\n`,
  },
  {
    file: 'packages/contract/src/index.ts',
    before: /import \{[^}]*\} from '\.\/auth\.ts';/,
    text: `import { read${pascal} } from './${kebab}.ts';\n`,
  },
  {
    file: 'packages/contract/src/index.ts',
    before: /\} as const satisfies \{/,
    text: `  read${pascal},\n`,
  },
  {
    file: 'apps/service/src/app.ts',
    before: /import Fastify/,
    text: `import { register${pascal} } from './modules/${kebab}/index.ts';\n`,
  },
  {
    file: 'apps/service/src/app.ts',
    before: /\n\}\n*$/,
    text: `\n  register${pascal}(app, platform);`,
  },
  {
    file: 'apps/web/src/messages/t.ts',
    before: /import \{ shell \}/,
    text: `import type { ${camel} } from './en/${kebab}.ts';\n`,
  },
  {
    file: 'apps/web/src/messages/t.ts',
    before: /;\n\nexport type MessageKey/,
    text: ` & typeof ${camel}`,
  },
];

/** What no skeleton can know. */
export const stepsOf = ({ kebab, pascal, words }) => [
  `name the section in packages/contract/src/${kebab}.ts, then npm run gen:openapi`,
  `give the call read${pascal} its row in the two-patient matrix`,
  `give ${pascal}Page a route in apps/web/src/app/routes.tsx, with its words`,
  'write a migration if the store keeps something, and a port with its fake if it asks outside',
  `write one journey sentence about the ${words} in e2e`,
  'name the tests in docs/spec-map.md, and write an ADR if you chose something',
];
