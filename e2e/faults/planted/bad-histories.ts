import type { Run } from '../run.ts';
import { tell } from './tell.ts';

export interface PlantedHistory {
  readonly says: string;
  /** The checker that must reject it. */
  readonly checker: string;
  readonly run: Run;
}

/** Ways to be wrong, each as small as it can be. */
export const badHistories: readonly PlantedHistory[] = [
  {
    says: 'two patients are told that one slot is theirs',
    checker: 'no overlap',
    run: tell()
      .book('A', 1, 'a')
      .book('B', 1, 'b')
      .row('A', 1, 'a', 'booked')
      .row('B', 1, 'b', 'booked')
      .run(),
  },
  {
    says: 'two patients had one slot for a moment, and the end looks clean',
    checker: 'no overlap',
    run: tell()
      .book('A', 1, 'a')
      .hold('B', 1, 'b')
      .release('B')
      .row('A', 1, 'a', 'booked')
      .row('B', 1, 'b', 'released')
      .run(),
  },
  {
    says: 'two patients have times of different starts and lengths that overlap',
    checker: 'no overlap',
    run: tell()
      .book('A', [1, 5], 'a')
      .book('B', [3, 4], 'b')
      .row('A', [1, 5], 'a', 'booked')
      .row('B', [3, 4], 'b', 'booked')
      .run(),
  },
  {
    says: 'two patients had times that overlap for a moment, and the end looks clean',
    checker: 'slot register',
    run: tell()
      .book('A', [1, 5], 'a')
      .hold('B', [4, 6], 'b')
      .release('B')
      .row('A', [1, 5], 'a', 'booked')
      .row('B', [4, 6], 'b', 'released')
      .run(),
  },
  {
    says: 'a time is refused as taken when the one that reached into it was given back',
    checker: 'taken by somebody',
    run: tell()
      .book('A', [1, 5], 'a')
      .cancel('A', 'a')
      .book('B', [4, 6], 'taken')
      .row('A', [1, 5], 'a', 'cancelled')
      .run(),
  },
  {
    says: 'an acknowledged visit is shorter than it was told',
    checker: 'acknowledged stands',
    run: tell().book('A', [1, 5], 'a').row('A', [1, 4], 'a', 'booked').run(),
  },
  {
    says: 'an acknowledged visit is gone after a crash',
    checker: 'acknowledged stands',
    run: tell().book('A', 1, 'a').run(),
  },
  {
    says: 'a visit is cancelled and its owner never asked',
    checker: 'acknowledged stands',
    run: tell()
      .book('A', 1, 'a')
      .book('B', 2, 'b')
      .cancel('B', 'b')
      .row('A', 1, 'a', 'cancelled')
      .row('B', 2, 'b', 'cancelled')
      .run(),
  },
  {
    says: 'an acknowledged cancellation was forgotten',
    checker: 'acknowledged stands',
    run: tell().book('A', 1, 'a').cancel('A', 'a').row('A', 1, 'a', 'booked').run(),
  },
  {
    says: 'a lost request is repeated and makes two visits',
    checker: 'no phantom',
    run: tell()
      .book('A', 1, 'lost')
      .book('A', 1, 'a')
      .row('A', 1, 'a', 'booked')
      .row('A', 1, 'again', 'cancelled')
      .run(),
  },
  {
    says: 'a refused booking was made all the same',
    checker: 'no phantom',
    run: tell()
      .book('B', 1, 'b')
      .book('A', 1, 'taken')
      .cancel('B', 'b')
      .row('B', 1, 'b', 'cancelled')
      .row('A', 1, 'a', 'booked')
      .run(),
  },
  {
    says: 'a slot that was given back is refused as taken',
    checker: 'slot register',
    run: tell()
      .book('A', 1, 'a')
      .cancel('A', 'a')
      .book('B', 1, 'taken')
      .row('A', 1, 'a', 'cancelled')
      .run(),
  },
  {
    says: 'a booking is missing from the next list of its owner',
    checker: 'own list',
    run: tell().book('A', 1, 'a').list('A').row('A', 1, 'a', 'booked').run(),
  },
  {
    says: 'a third upcoming visit',
    checker: 'limits',
    run: tell()
      .book('A', 1, 'a')
      .book('A', 2, 'b')
      .book('A', 101, 'c')
      .row('A', 1, 'a', 'booked')
      .row('A', 2, 'b', 'booked')
      .row('A', 101, 'c', 'booked')
      .run(),
  },
  {
    says: 'a move that leaves no visit',
    checker: 'moves are whole',
    run: tell().book('A', 1, 'a').move('A', 'a', 2, 'lost').row('A', 1, 'a', 'rescheduled').run(),
  },
  {
    says: 'a move that leaves two visits',
    checker: 'moves are whole',
    run: tell()
      .book('A', 1, 'a')
      .move('A', 'a', 2, 'lost')
      .row('A', 1, 'a', 'booked')
      .row('A', 2, 'b', 'booked', 'a')
      .run(),
  },
];
