import assert from 'node:assert/strict';
import { test } from 'node:test';

import { testsOf } from './changed-tests.mjs';
import { importGraph } from './import-graph.mjs';
import { filesByTest, readTestMap } from './test-map.mjs';

const texts = {
  'apps/service/src/pay.ts':
    "import { fee } from './fee.ts';\nimport type { Name } from './name.ts';",
  'apps/service/src/fee.ts': 'export const fee = () => 1;',
  'apps/service/src/limits.ts': 'export const most = 2;',
  'apps/service/src/schema.ts': 'export const table = 1;',
  'apps/service/src/name.ts': 'export type Name = string;',
  'apps/service/src/app.ts':
    "export * from './pay.ts';\nimport './limits.ts';\nimport './schema.ts';\nnew URL('./thread.ts', import.meta.url);",
  'apps/service/src/thread.ts': '',
  'apps/service/migrations/0001.sql': '',
  'apps/service/src/pay.routes.test.ts': "import './app.ts';",
  'apps/service/src/list.routes.test.ts': "import './app.ts';",
  'apps/service/src/new.routes.test.ts': "import './app.ts';",
  'apps/service/src/kill.race.test.ts': "import './app.ts';\nprocess.env.TEST_PROGRAMS;",
  'tools/vitest-programs.ts': '',
  'packages/domain/src/rule.test.ts': '',
};
const graph = importGraph(Object.keys(texts), (path) => texts[path]);
const ran = (...names) => ({ files: names.map((name) => `apps/service/src/${name}`), since: [] });
const map = {
  'apps/service/src/pay.routes.test.ts': ran('pay.ts', 'fee.ts'),
  'apps/service/src/list.routes.test.ts': ran('app.ts', 'schema.ts'),
  'apps/service/src/kill.race.test.ts': ran(),
};
const namedBy = (known, ...changed) =>
  testsOf(changed, { graph, map: known }).map((path) => path.split('/').at(-1).split('.')[0]);
const named = (...changed) => namedBy(map, ...changed);

test('a change runs the tests that ran a function of it, those that nothing is known of, and those of programs', () => {
  assert.deepEqual(named('apps/service/src/fee.ts'), ['pay', 'new', 'kill']);
});

test('a file of which no function was ever seen to run leads to all that import or name it', () => {
  assert.deepEqual(named('apps/service/src/limits.ts'), ['pay', 'list', 'new', 'kill']);
  assert.deepEqual(named('apps/service/src/thread.ts'), ['pay', 'list', 'new', 'kill']);
});

test('a table, and a migration, lead to all of their users', () => {
  assert.deepEqual(named('apps/service/src/schema.ts'), ['pay', 'list', 'new', 'kill']);
  assert.deepEqual(named('apps/service/migrations/0001.sql'), ['pay', 'list', 'new', 'kill']);
});

test('types alone lead nowhere: the compiler looks at all of them', () => {
  assert.deepEqual(named('apps/service/src/name.ts'), []);
});

test('what changed since a test was noted may lead it to what that imports', () => {
  const since = ['apps/service/src/app.ts'];
  const later = Object.fromEntries(
    Object.entries(map).map(([test, { files }]) => [test, { files, since }]),
  );
  assert.deepEqual(named('apps/service/src/pay.ts'), ['pay', 'new', 'kill']);
  assert.deepEqual(namedBy(later, 'apps/service/src/pay.ts'), ['pay', 'list', 'new', 'kill']);
});

test('a map says what changed since, and forgets what nobody ran for a week', () => {
  const kept = {
    runs: { '2026-11-20T00:00:00Z': { 'fee.ts': 'a', 'pay.ts': 'a', 'gone.ts': 'a' } },
    tests: { 'pay.test.ts': { at: '2026-11-20T00:00:00Z', files: ['pay.ts'] } },
  };
  const hashes = { 'fee.ts': 'a', 'pay.ts': 'b', 'new.ts': 'a' };
  const after = (days) => Date.parse('2026-11-20T00:00:00Z') + days * 86_400_000;
  assert.deepEqual(readTestMap(hashes, kept, after(6)), {
    'pay.test.ts': { files: ['pay.ts'], since: ['pay.ts', 'new.ts'] },
  });
  assert.deepEqual(readTestMap(hashes, kept, after(7)), {});
});

test('a new version of vitest leads to every test', () => {
  assert.equal(named('package.json').length, 5);
});

test('what every test runs that starts the service does not count, where some run more', () => {
  const app = 'apps/service/src/app.ts';
  const start = Array.from({ length: 20 }, (_, index) => ({
    test: `${index}`,
    functions: { 'pay.ts': [1], [app]: [1] },
  }));
  const pay = { test: 'pay', functions: { 'pay.ts': [1, 50], [app]: [1], 'book.ts': [1] } };
  const book = { test: 'book', functions: { 'book.ts': [1] } };
  const files = filesByTest([...start, pay, book]);
  assert.deepEqual([...files.get('3')], [app]);
  assert.deepEqual([...files.get('pay')], ['pay.ts', app, 'book.ts']);
  assert.deepEqual([...files.get('book')], ['book.ts']);
});
