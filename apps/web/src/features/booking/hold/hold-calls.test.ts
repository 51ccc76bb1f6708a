import { expect, test } from 'vitest';
import { fakeService } from '../../../testing/fake-service.ts';
import { releaseHold, saveDraft } from './hold-calls.ts';

test('what is said of the hold as the page is closed goes out all the same (R-30)', async () => {
  const service = fakeService();
  const toService = globalThis.fetch;
  const outlivesThePage: (boolean | undefined)[] = [];
  globalThis.fetch = (input, init) => {
    outlivesThePage.push(init?.keepalive);
    return toService(input, init);
  };
  await saveDraft({ reason: 'a sore knee' }, 'book-hold-0001');
  await releaseHold('book-hold-0001');
  expect(service.calls).toEqual(['PUT /schedule/hold/draft', 'DELETE /schedule/hold']);
  expect(outlivesThePage).toEqual([true, true]);
});
