import assert from 'node:assert/strict';
import { test } from 'node:test';

import { specMap, tagsIn } from './check-spec-map.mjs';

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
const tests = `
// Shows: 4.slot-search.1, R-12,
// S-1
test.each([['a', 1]])('covers $days', () => {});

// Shows: text.post-services-agreement-save
test('a failure', () => {});
`;

const mapOf = (text) => specMap({ documents, sources: [{ file: 'a.test.ts', text }] });

test('the map names the tests of each statement', () => {
  const { map, problems } = mapOf(tests);
  assert.ok(
    map.includes(
      '| `4.slot-search.1` | The first fetch covers 6 days. | a.test.ts › covers $days |',
    ),
  );
  assert.ok(map.includes('| `S-1` | Default deny: a matrix | a.test.ts › covers $days |'));
  assert.ok(
    map.includes('| `text.post-services-agreement-save` | Server error. | a.test.ts › a failure |'),
  );
  assert.deepEqual(problems, []);
});

test('the title stands under the tag: of a test, of a group, of a row of a table', () => {
  const text = `
describe('a group', () => {
  // Shows: R-1
  it('a test', async () => {});
  // Shows: R-2
  test.each(rows)(\`with \${this}\`, () => {});
});
const rows = [
  // Shows: R-3
  { name: 'a row', takes: 'more' },
  // Shows: R-4
  ['another', 1],
];
`;
  assert.deepEqual(
    tagsIn('a.test.ts', text).map(({ ids, title }) => [...ids, title].join(' ')),
    ['R-1 a test', 'R-2 with ${this}', 'R-3 a row', 'R-4 another'],
  );
});

test('a statement without a test is reported', () => {
  assert.deepEqual(mapOf(tests.replace('R-12,', '')).problems, ['R-12: no test shows it']);
});

test('a tag of an unknown statement, and one that no test stands under, are reported', () => {
  assert.deepEqual(mapOf(`${tests}\n// Shows: 9.nowhere.1\n`).problems, [
    'a.test.ts: no test stands under a tag',
    'a.test.ts: shows 9.nowhere.1, which no document states',
  ]);
});

test('a citation without a home is reported with its place', () => {
  assert.deepEqual(
    mapOf(`// §4 Slot search, R-12, S-1\n// §14, R-13 and S-99\n${tests}`).problems,
    [
      'a.test.ts:2: §14 has no home in requirements.md',
      'a.test.ts:2: no document states R-13',
      'a.test.ts:2: no document states S-99',
    ],
  );
});

test('a statement that stands twice is reported', () => {
  const security = `${documents.security}| S-1 | again | a matrix |\n`;
  const { problems } = specMap({
    documents: { ...documents, security },
    sources: [{ file: 'a.test.ts', text: tests }],
  });
  assert.deepEqual(problems, ['S-1: a document states it twice']);
});
