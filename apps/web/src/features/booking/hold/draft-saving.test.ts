import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDraftSaver, DRAFT_AGAIN_MS, DRAFT_DELAY_MS } from './draft-saving.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const words = (reason: string) => ({ reason });

test('what the service takes too often is kept a little later', async () => {
  const said: string[] = [];
  const answers = [true, false];
  const saver = createDraftSaver(async ({ reason }) => {
    said.push(reason);
    return answers.shift() ?? false;
  });
  saver.later(words('A cough'));
  await vi.advanceTimersByTimeAsync(DRAFT_DELAY_MS);
  expect(said).toEqual(['A cough']);
  await vi.advanceTimersByTimeAsync(DRAFT_AGAIN_MS);
  expect(said).toEqual(['A cough', 'A cough']);
  await vi.advanceTimersByTimeAsync(10 * DRAFT_AGAIN_MS);
  expect(said).toHaveLength(2);
});

test('newer words, or an end of it, stand in for what was refused', async () => {
  const said: string[] = [];
  let tooOften = true;
  const saver = createDraftSaver(async ({ reason }) => {
    said.push(reason);
    return tooOften;
  });
  saver.later(words('A cough'));
  saver.flush();
  saver.later(words('A cough that stays'));
  tooOften = false;
  await vi.advanceTimersByTimeAsync(DRAFT_DELAY_MS + DRAFT_AGAIN_MS);
  expect(said).toEqual(['A cough', 'A cough that stays']);

  tooOften = true;
  saver.later(words('A rash'));
  await vi.advanceTimersByTimeAsync(DRAFT_DELAY_MS);
  saver.cancel();
  await vi.advanceTimersByTimeAsync(2 * DRAFT_AGAIN_MS);
  expect(said).toEqual(['A cough', 'A cough that stays', 'A rash']);
});
