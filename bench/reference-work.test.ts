import { expect, test } from 'vitest';

import { cellsOf, searchFree } from '@clinic/domain';

import { FREE, referenceWork, SEARCHED_AT, TEMPLATE } from './reference-work.ts';

test('the reference work has 8,640 booked slots and 17,280 free ones', () => {
  const work = referenceWork();
  expect(work).toHaveLength(240);
  expect(work.flatMap(({ booked }) => booked)).toHaveLength(8_640);
  const rows = work.map(({ providerId, date, booked }) => ({
    doctor: providerId,
    date,
    template: TEMPLATE,
    busy: cellsOf(date, booked),
  }));
  const free = searchFree(rows, 'O', SEARCHED_AT).flatMap(({ starts }) => starts);
  expect(free).toHaveLength(FREE);
});
