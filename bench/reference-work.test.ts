import { expect, test } from 'vitest';

import { SPECIFIED_NAMES, scheduledSlots } from '@clinic/domain';

import { FREE, referenceWork, TEMPLATE } from './reference-work.ts';

test('the reference work has 8,640 booked slots and 17,280 free ones', () => {
  const work = referenceWork();
  expect(work).toHaveLength(240);
  expect(work.flatMap(({ booked }) => booked)).toHaveLength(8_640);
  const free = work.flatMap(({ date, booked }) =>
    scheduledSlots({ date, template: TEMPLATE }, SPECIFIED_NAMES).filter(
      ({ start }) => !booked.includes(start),
    ),
  );
  expect(free).toHaveLength(FREE);
});
