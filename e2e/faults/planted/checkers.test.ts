import { expect, test } from 'vitest';

import { judge } from '../checkers/index.ts';
import { badHistories } from './bad-histories.ts';
import { goodHistories } from './good-histories.ts';

test.each(badHistories)('$checker rejects $says', ({ run, checker }) => {
  expect(judge(run).map((anomaly) => anomaly.checker)).toContain(checker);
});

test.each(goodHistories)('no checker rejects $says', ({ run }) => {
  expect(judge(run)).toEqual([]);
});
