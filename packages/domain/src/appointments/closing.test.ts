import { describe, expect, test } from 'vitest';
import { type CallOutcome, isReached, lastCall } from './closing.ts';

const call = (outcome: CallOutcome, isTakenBack = false) => ({
  outcome,
  takenBack: isTakenBack ? {} : null,
});
const reached = call('reached');
const mistaken = call('reached', true);
const noAnswer = call('noAnswer');
const messageLeft = call('messageLeft');

// Shows: R-124
describe('Calls to a patient, the newest first', () => {
  test.each([
    ['of none', [], false, null],
    ['that nobody answered', [noAnswer], false, noAnswer],
    ['that left a message', [messageLeft, noAnswer], false, messageLeft],
    ['that reached them', [reached, noAnswer], true, reached],
    ['that reached them before somebody had no answer', [noAnswer, reached], true, noAnswer],
    ['that was taken back', [mistaken], false, null],
    ['that was taken back before another', [messageLeft, mistaken], false, messageLeft],
    ['that was taken back after another', [mistaken, reached], true, reached],
  ])('%s', (_, calls, isTold, last) => {
    expect(isReached(calls)).toBe(isTold);
    expect(lastCall(calls)).toBe(last);
  });
});
