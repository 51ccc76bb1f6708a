import type { Run } from '../run.ts';
import { tell } from './tell.ts';

/** Ordinary and unlucky runs that no checker may complain about. */
export const goodHistories: readonly { readonly says: string; readonly run: Run }[] = [
  {
    says: 'hold, book, see it, cancel, and the next patient books',
    run: tell()
      .hold('A', 1, 'a')
      .book('B', 1, 'taken')
      .book('A', 1, 'a')
      .list('A', ['a', 1, 'booked'])
      .cancel('A', 'a')
      .list('A', ['a', 1, 'cancelled'])
      .book('B', 1, 'b')
      .row('A', 1, 'a', 'cancelled')
      .row('B', 1, 'b', 'booked')
      .run(),
  },
  {
    says: 'a lost answer, the same key again, one visit',
    run: tell()
      .book('A', 1, 'lost')
      .book('A', 1, 'a')
      .book('B', 1, 'taken')
      .row('A', 1, 'a', 'booked')
      .run(),
  },
  {
    says: 'a lost booking that did happen keeps the others out',
    run: tell()
      .book('A', 1, 'lost')
      .book('B', 1, 'taken')
      .list('A', ['a', 1, 'booked'])
      .row('A', 1, 'a', 'booked')
      .run(),
  },
  {
    says: 'a lost booking that never happened lets the next one in',
    run: tell().book('A', 1, 'lost').book('B', 1, 'b').row('B', 1, 'b', 'booked').run(),
  },
  {
    says: 'a hold moves on, and a lost hold keeps a slot for a while',
    run: tell()
      .hold('A', 1, 'a')
      .hold('A', 2, 'a2')
      .hold('B', 1, 'b')
      .hold('C', 3, 'lost')
      .book('B', 3, 'taken')
      .release('C')
      .hold('B', 3, 'b3')
      .row('A', 1, 'a', 'released')
      .row('A', 2, 'a2', 'held')
      .row('B', 1, 'b', 'released')
      .row('C', 3, 'c', 'released')
      .row('B', 3, 'b3', 'held')
      .run(),
  },
  {
    says: 'a moved visit, whose old slot somebody else takes, on the day of another visit',
    run: tell(['A'])
      .book('A', 1, 'a')
      .book('A', 101, 'x')
      .move('A', 'a', 102, 'a2')
      .book('B', 1, 'b')
      .book('B', 102, 'taken')
      .list('A', ['a', 1, 'rescheduled'], ['a2', 102, 'booked'], ['x', 101, 'booked'])
      .row('A', 1, 'a', 'rescheduled')
      .row('A', 101, 'x', 'booked')
      .row('A', 102, 'a2', 'booked', 'a')
      .row('B', 1, 'b', 'booked')
      .run(),
  },
  {
    says: 'times of mixed lengths beside each other, and a hold that moves by a part of itself',
    run: tell()
      .hold('A', [1, 5], 'a')
      .hold('B', [3, 4], 'taken')
      .hold('A', [2, 4], 'a2')
      .book('B', [4, 8], 'b')
      .book('C', [1, 3], 'taken')
      .book('A', [2, 4], 'a2')
      .book('C', 1, 'c')
      .cancel('A', 'a2')
      .hold('C', [2, 4], 'c2')
      .row('A', [1, 5], 'a', 'released')
      .row('A', [2, 4], 'a2', 'cancelled')
      .row('B', [4, 8], 'b', 'booked')
      .row('C', 1, 'c', 'booked')
      .row('C', [2, 4], 'c2', 'held')
      .run(),
  },
];
