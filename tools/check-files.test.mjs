import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mistakesIn } from './check-files.mjs';

const texts = {
  'packages/domain/src/booking/hold.test.ts': 'test',
  'packages/domain/hold.test.ts': 'test',
  // A planted violation: a rule that is switched off in code must be reported.
  'apps/service/src/modules/auth/log-in.ts': '// oxlint-disable-next-line\n',
  'apps/service/migrations/0001.sql': "select now() at time zone 'UTC'",
  'apps/service/migrations/0010_less.sql': 'DROP TABLE "session"',
  // The same word in prose breaks nothing.
  'docs/lint.md': 'never oxlint-disable',
  // A link to a heading with a link and code, and two that lead nowhere.
  'docs/page.md':
    '# A [page](lint.md), `a_b`\n[1](#a-page-a_b) [2](gone.md) [3](../docs/page.md#3)',
};
const mistakes = mistakesIn(Object.keys(texts), (path) => texts[path]);

test('a test that no suite runs is reported', () => {
  assert.equal(mistakes[0], 'packages/domain/hold.test.ts: no suite runs this test');
});

test('a switched-off lint rule and a zone in SQL are reported', () => {
  assert.deepEqual(mistakes.slice(1, 3), [
    'apps/service/src/modules/auth/log-in.ts: no lint rule is switched off',
    'apps/service/migrations/0001.sql: SQL does no zone arithmetic',
  ]);
});

test('a link to a file or a heading that is not there is reported', () => {
  assert.deepEqual(mistakes.slice(3, 5), [
    'docs/page.md: the link to gone.md leads nowhere',
    'docs/page.md: the link to ../docs/page.md#3 leads nowhere',
  ]);
});

test('a migration that takes something away is reported', () => {
  assert.match(mistakes[5], /^apps\/service\/migrations\/0010_less\.sql: 0\.2\.0 must serve/);
  assert.equal(mistakes.length, 6);
});
