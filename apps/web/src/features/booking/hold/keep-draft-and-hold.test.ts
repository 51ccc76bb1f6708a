import { createStore } from '@clinic/app/store';
import { keyOfHold } from '@clinic/domain';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { accessToken } from '../../../api/access-token.ts';
import { aHold } from '../../../testing/booking-clinic.ts';
import { fakeService } from '../../../testing/fake-service.ts';
import { NEW_JOURNEY, nextJourney, type Journey, type JourneyEvent } from '../journey.ts';
import {
  DRAFT_AGAIN_MS,
  DRAFT_DELAY_MS,
  keepDraftAndHold,
  nextKept,
  type KeptEvent,
  type KeptState,
} from './keep-draft-and-hold.ts';

const hold = aHold();
const { doctor, start, end } = hold;
const slot = { doctor, start, end };
const pick: JourneyEvent = { type: 'pick', slot, form: 'standard', requestKey: 'book-picked' };
const after = (journey: Journey, ...events: readonly JourneyEvent[]) =>
  events.reduce(nextJourney, journey);
const atSlots = after(
  NEW_JOURNEY,
  { type: 'choose', search: { type: 'O', doctor: 'earliest', date: null } },
  { type: 'search', firstDay: '2026-11-22' },
);
const atConfirm = after(atSlots, pick);
const typed = (reason: string) => after(atConfirm, { type: 'answer', reason });
const booked: JourneyEvent = {
  type: 'booked',
  booked: {
    bookingNumber: 'AB12',
    appointment: null,
    type: 'O',
    slot,
    outcome: 'booked',
    oldAppointmentStands: false,
  },
};

/** What is called for as a journey goes on from another. */
const callOf = (journey: Journey, now: Journey, known: Parameters<typeof nextKept>[2] = hold) =>
  nextKept({ journey, draft: null }, { type: 'moved', journey: now }, known).call;

const kept = (state: KeptState, ...events: readonly KeptEvent[]) =>
  events.reduce((before, event) => nextKept(before, event, hold).state, state);
const moved = (journey: Journey): KeptEvent => ({ type: 'moved', journey });
const none: KeptState = { journey: atSlots, draft: null };

test('the draft is due when a slot is picked and when its answers change, and then only', () => {
  const picked = kept(none, moved(atConfirm));
  expect(picked.draft).toMatchObject({ answers: { reason: '' }, dueIn: DRAFT_DELAY_MS });
  const cough = typed('a cough');
  const answered = kept(picked, moved(cough));
  expect(answered.draft).toMatchObject({ answers: { reason: 'a cough' }, dueIn: DRAFT_DELAY_MS });
  const paying = kept(answered, moved(after(cough, { type: 'pay', chargeCents: 9_000 })));
  expect(paying.draft).toBe(answered.draft);
  expect(kept({ journey: NEW_JOURNEY, draft: null }, moved(atSlots)).draft).toBeNull();
});

test('a draft is sent once, with the key of the hold that stands', () => {
  const waiting = kept(none, moved(typed('a cough')));
  const { state, call } = nextKept(waiting, { type: 'due' }, hold);
  const key = keyOfHold(hold.id);
  expect(call).toMatchObject({ type: 'saveDraft', answers: { reason: 'a cough' }, key });
  expect(nextKept(waiting, { type: 'due' }, null).call).toMatchObject({ key: 'book-picked' });
  expect(nextKept(state, { type: 'due' }, hold).call).toBeUndefined();
});

test('what the service takes too often is kept a little later, unless there is a newer one', () => {
  const sent = kept(none, moved(typed('a cough')), { type: 'due' });
  const refused: KeptEvent = { type: 'tooOften', answers: sent.draft?.answers ?? { reason: '' } };
  const again = kept(sent, refused);
  expect(again.draft).toEqual({ answers: sent.draft?.answers, dueIn: DRAFT_AGAIN_MS });
  expect(nextKept(again, { type: 'due' }, hold).call).toMatchObject({ type: 'saveDraft' });
  const newer = kept(sent, moved(typed('a cough that stays')));
  expect(kept(newer, refused)).toBe(newer);
  expect(kept(sent, moved(atSlots), refused).draft).toBeNull();
});

// Shows: R-30
test('a slot that is no longer in hand is released by the key of the hold that stands for it', () => {
  const left = after(atConfirm, { type: 'back' });
  const released = { type: 'letGo', release: keyOfHold(hold.id) };
  expect(callOf(atConfirm, left)).toEqual(released);
  expect(callOf(atConfirm, NEW_JOURNEY)).toEqual(released);
  // Of a hold on another slot, or none that is known, it is the key of the request.
  const other = aHold({ start: start + 900, end: end + 900 });
  for (const known of [other, null, undefined])
    expect(nextKept(kept(none, moved(atConfirm)), moved(left), known)).toEqual({
      state: { journey: left, draft: null },
      call: { type: 'letGo', release: 'book-picked' },
    });
});

test('a slot that became an appointment is not released', () => {
  const done = after(atConfirm, booked);
  expect(callOf(atConfirm, done)).toEqual({ type: 'letGo', release: null });
  const byClinic = aHold({ byClinic: true });
  expect(callOf(atConfirm, done, byClinic)).toEqual({ type: 'letGo', release: null });
});

test('a hold that the clinic placed stays when the patient leaves it', () => {
  const left = after(atConfirm, { type: 'back' });
  const byClinic = aHold({ byClinic: true });
  expect(callOf(atConfirm, left, byClinic)).toEqual({ type: 'askForHold' });
});

afterEach(() => {
  vi.useRealTimers();
  accessToken.set(null);
});

test('a draft goes out after the last key, and again later when it came too often', async () => {
  vi.useFakeTimers();
  const saved: unknown[] = [];
  fakeService({
    'PUT /schedule/hold/draft': ({ body }) => {
      saved.push(body);
      return saved.length === 1 ? { status: 429, body: {} } : { body: { success: true } };
    },
  });
  accessToken.set('a-token');
  const journey = createStore(atSlots);
  const stop = keepDraftAndHold(new QueryClient(), journey);
  journey.set(atConfirm);
  await vi.advanceTimersByTimeAsync(DRAFT_DELAY_MS - 1);
  journey.set(typed('a cough'));
  await vi.advanceTimersByTimeAsync(DRAFT_DELAY_MS - 1);
  expect(saved).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  const cough = { draft: expect.objectContaining({ reason: 'a cough' }) as unknown };
  expect(saved).toEqual([cough]);
  await vi.advanceTimersByTimeAsync(DRAFT_AGAIN_MS);
  expect(saved).toEqual([cough, cough]);
  journey.set(typed('a rash'));
  stop();
  await vi.advanceTimersByTimeAsync(10 * DRAFT_AGAIN_MS);
  expect(saved).toHaveLength(2);
});
