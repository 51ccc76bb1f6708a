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

test('a migration that takes something away is reported', () => {
  assert.match(mistakes[3], /^apps\/service\/migrations\/0010_less\.sql: 0\.2\.0 must serve/);
  assert.equal(mistakes.length, 4);
});
