import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkSpecMap } from './check-spec-map.mjs';

const documents = {
  requirements: '## §4 States\n\n- `4.slot-search.1` The first fetch covers 6 days.\n',
  rulings: [
    '- R-12 Slots start more than 30 minutes ahead.',
    '## When each error text of section 8 shows',
    '| text | call | when |',
    '| ---- | ---- | ---- |',
    '| Server error. | POST /services/agreement/save | any failure |',
  ].join('\n'),
  security: '| S-1 | Default deny | a matrix |\n',
};

const wholeMap = [
  '| `4.slot-search.1` | first fetch | search.test.ts › covers 6 days |',
  '| `R-12` | 30 minutes | planned |',
  '| `text.post-services-agreement-save` | Server error. | planned |',
  '| `S-1` | default deny | planned |',
];

const tests = { 'search.test.ts': `describe('search', () => { it('covers 6 days', () => {}); });` };

function check({ map = wholeMap, sources = [] } = {}) {
  return checkSpecMap({
    ...documents,
    map: map.join('\n'),
    sources,
    readTest: (file) => tests[file],
  });
}

const withTest = (cell) => [
  `| \`4.slot-search.1\` | first fetch | ${cell} |`,
  ...wholeMap.slice(1),
];

test('a whole map has no problems and is counted', () => {
  assert.deepEqual(check(), { rows: 4, planned: 3, shown: 1, problems: [] });
});

test('a row that names no test is reported', () => {
  assert.deepEqual(check({ map: withTest('') }).problems, ['4.slot-search.1: names no test']);
});

test('a file that does not exist is reported', () => {
  assert.deepEqual(check({ map: withTest('gone.test.ts › covers 6 days') }).problems, [
    '4.slot-search.1: gone.test.ts does not exist',
  ]);
});

test('a title that is not in its file, or only part of one, is reported', () => {
  assert.deepEqual(check({ map: withTest('search.test.ts › covers 6') }).problems, [
    "4.slot-search.1: search.test.ts has no test titled 'covers 6'",
  ]);
});

test('a file without a title is reported', () => {
  assert.deepEqual(check({ map: withTest('search.test.ts') }).problems, [
    "4.slot-search.1: 'search.test.ts' is not 'path › title'",
  ]);
});

test('several tests in one row are each looked up, with or without their describe', () => {
  const both = 'search.test.ts › search › covers 6 days<br>search.test.ts › covers 5 days';
  assert.deepEqual(check({ map: withTest(both) }).problems, [
    "4.slot-search.1: search.test.ts has no test titled 'covers 5 days'",
  ]);
});

test('a row with tests and planned is shown in part and counts as planned', () => {
  const part = check({ map: withTest('search.test.ts › covers 6 days<br>planned') });
  assert.deepEqual(part, { rows: 4, planned: 4, shown: 0, problems: [] });
});

test('a requirement, ruling, error text or security rule without a row is reported', () => {
  assert.deepEqual(check({ map: [] }).problems, [
    '4.slot-search.1: has no row',
    'R-12: has no row',
    'S-1: has no row',
    'text.post-services-agreement-save: has no row',
  ]);
});

test('a row that no document states, or that stands twice, is reported', () => {
  const map = [...wholeMap, '| `R-99` | ? | planned |', '| `S-1` | again | planned |'];
  assert.deepEqual(check({ map }).problems, ['R-99: no document states it', 'S-1: stands twice']);
});

test('a citation without a home is reported with its place', () => {
  const text = '// §4 Slot search, R-12, S-1\n// §14, R-13 and S-99\n';
  assert.deepEqual(check({ sources: [{ file: 'a.ts', text }] }).problems, [
    'a.ts:2: §14 has no home in requirements.md',
    'a.ts:2: R-13 has no home in rulings.md',
    'a.ts:2: S-99 has no home in security.md',
  ]);
});
