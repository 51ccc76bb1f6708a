import { describe, expect, test } from 'vitest';
import {
  type AddressChange,
  addressStanding,
  maskedCard,
  mayAnswer,
  takesEffect,
  whyIdentityStands,
} from './address-standing.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const BEGUN: AddressChange = {
  begunAt: 0,
  isMailboxLost: false,
  provenAt: null,
  releasedAt: null,
  doneAt: null,
  overAt: null,
  stoppedAt: null,
  decidedAt: null,
};
const proven = { ...BEGUN, provenAt: HOUR };
const done = { ...proven, doneAt: 72 * HOUR };
const standing = (change: AddressChange, now: number) =>
  addressStanding({ changes: [change], passwordResetAt: null }, now);

describe('A corrected address', () => {
  test.each([
    ['never before its link was opened', BEGUN, 99 * DAY, false],
    ['never sooner than 72 hours', proven, 72 * HOUR - 1, false],
    ['after 72 hours', proven, 72 * HOUR, true],
    ['at once when it need not wait', { ...proven, releasedAt: HOUR }, HOUR, true],
    ['not while it is stopped', { ...proven, stoppedAt: HOUR }, 99 * DAY, false],
    ['not once it was given up', { ...proven, overAt: HOUR }, 99 * DAY, false],
  ])('takes effect %s', (_, change, now, takes) => {
    expect(takesEffect(change, now)).toBe(takes);
  });

  test('is stopped until 7 days after, and confirmed only while it waits', () => {
    expect(mayAnswer(proven, DAY)).toEqual({ stop: true, confirm: true });
    expect(mayAnswer({ ...proven, isMailboxLost: true }, DAY)).toEqual({
      stop: true,
      confirm: false,
    });
    expect(mayAnswer(done, 10 * DAY - 1)).toEqual({ stop: true, confirm: false });
    expect(mayAnswer(done, 10 * DAY)).toEqual({ stop: false, confirm: false });
  });
});

describe('An account', () => {
  const ORDINARY = {
    isFrozen: false,
    isPending: false,
    emailsTo: 'address',
    recovers: true,
    isWatched: false,
    watchedUntil: null,
    settledAt: null,
    reopensAt: null,
    takesMaskedCard: false,
  };
  const until = (at: number) => ({ settledAt: at, reopensAt: at });
  const pending = { ...ORDINARY, isPending: true, ...until(72 * HOUR) };
  test('is as ever for who is signed in while an address waits', () => {
    expect(standing(proven, DAY)).toEqual(pending);
    expect(standing({ ...proven, releasedAt: HOUR }, DAY)).toEqual(ORDINARY);
  });

  test('gets neither letters nor codes while its mailbox is somebody else’s', () => {
    const lost = { ...BEGUN, isMailboxLost: true };
    const silent = { emailsTo: 'nobody', recovers: false };
    expect(standing(lost, DAY)).toEqual({ ...pending, ...silent });
    const stopped = { ...ORDINARY, ...silent, isFrozen: true };
    expect(standing({ ...lost, stoppedAt: DAY }, DAY)).toEqual(stopped);
    expect(standing({ ...lost, overAt: DAY }, DAY)).toEqual(ORDINARY);
  });

  test('is watched for 72 hours, and takes the masked card a day longer', () => {
    const watched = (at: number) => ({
      ...ORDINARY,
      isWatched: true,
      takesMaskedCard: true,
      watchedUntil: at,
      ...until(at),
    });
    expect(standing(done, 144 * HOUR - 1)).toEqual(watched(144 * HOUR));
    expect(standing(done, 144 * HOUR)).toEqual({ ...ORDINARY, takesMaskedCard: true });
    expect(standing(done, 168 * HOUR)).toEqual(ORDINARY);
    expect(addressStanding({ changes: [], passwordResetAt: 0 }, DAY)).toEqual(watched(72 * HOUR));
  });

  test('whose new address was stopped stays so until a manager decides', () => {
    const stopped = { ...done, stoppedAt: 5 * DAY };
    expect(standing(stopped, 99 * DAY)).toEqual({
      ...ORDINARY,
      isFrozen: true,
      emailsTo: 'nobody',
      recovers: false,
      isWatched: true,
      takesMaskedCard: true,
    });
    expect(standing({ ...stopped, decidedAt: 99 * DAY }, 99 * DAY)).toEqual(ORDINARY);
  });
});

describe('Who an account belongs to', () => {
  const WRITES = ['email', 'names', 'birthDateOrCard', 'join', 'account'] as const;
  const facts = { changes: [], passwordResetAt: null };
  const stands = (of: Parameters<typeof addressStanding>[0], mayDecide = false) =>
    WRITES.map((write) => whyIdentityStands(addressStanding(of, DAY), write, mayDecide));
  const [frozen, asks, waits] = ['addressFrozen', 'managerDecides', 'addressUnsettled'];

  test('is written by staff while nothing is in doubt, or what waits was released', () => {
    const free = [null, null, null, null, null];
    expect(stands(facts)).toEqual(free);
    expect(stands({ ...facts, changes: [{ ...proven, releasedAt: 0 }] })).toEqual(free);
  });

  test('stands while an address waits: but a further one waits itself, and a name opens nothing', () => {
    const waiting = { ...facts, changes: [proven] };
    expect(stands(waiting)).toEqual([null, null, asks, waits, waits]);
    expect(stands(waiting, true)).toEqual([null, null, null, waits, waits]);
  });

  test('stands for 72 hours after', () => {
    const watched = { ...facts, passwordResetAt: 0 };
    expect(stands(watched)).toEqual([asks, asks, asks, waits, waits]);
    expect(stands(watched, true)).toEqual([null, null, null, waits, waits]);
  });

  test('stands for everybody once it was stopped', () => {
    const stopped = { ...facts, changes: [{ ...proven, stoppedAt: HOUR }] };
    const all = [frozen, frozen, frozen, frozen, frozen];
    expect(stands(stopped)).toEqual(all);
    expect(stands(stopped, true)).toEqual(all);
  });

  test('is not given to another account right after it was closed', () => {
    expect(stands({ ...facts, closedAt: 0 })).toEqual([null, null, null, null, waits]);
    expect(stands({ ...facts, closedAt: -2 * DAY })).toEqual([null, null, null, null, null]);
  });
});

test('A masked card shows its last three characters', () => {
  expect(['9876543218', '12', ''].map(maskedCard)).toEqual(['*******218', '12', '']);
});
