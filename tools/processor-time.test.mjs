import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ProcessorTime } from './processor-time.mjs';

/** A process as it is looked at; seconds are a hundred ticks each. */
const look = (pid, parent, own, ofChildren = 0, suite) => ({
  id: `${pid}`,
  pid,
  parent,
  own: own * 100,
  ofChildren: ofChildren * 100,
  readMark: () => suite && [String(process.pid), suite],
});
const self = (own, ofChildren = 0) => look(process.pid, 1, own, ofChildren);

function after(...looks) {
  const time = new ProcessorTime();
  for (const each of looks) time.note(each);
  return (suite) => time.secondsOf(suite);
}

test('a process counts for the suite of its mark, or of its parent', () => {
  const of = after([
    self(1),
    look(20, process.pid, 5, 0, 'race'),
    look(30, 20, 3),
    look(40, 1, 9),
    look(50, 1, 2, 0, 'race'),
  ]);
  assert.equal(of('race'), 10);
  assert.equal(of('vitest'), 1);
});

test('what a process used after its last look is in the account of its parent, and counts for its own suite', () => {
  const of = after(
    [self(1), look(20, process.pid, 5, 0, 'rule')],
    [self(1, 7), look(21, process.pid, 0, 0, 'store')],
  );
  assert.equal(of('rule'), 7);
  assert.equal(of('vitest'), 1);
});

test('a process that came and went between two looks counts for its parent', () => {
  const of = after(
    [self(1), look(20, process.pid, 5, 0, 'fault')],
    [self(1), look(20, process.pid, 5, 4)],
  );
  assert.equal(of('fault'), 9);
});

test('a child that ended with its parent counts once', () => {
  const of = after([self(0), look(20, process.pid, 5, 0, 'fault'), look(30, 20, 3)], [self(0, 9)]);
  assert.equal(of('fault'), 9);
});

test('an orphan keeps its suite', () => {
  const of = after(
    [self(0), look(20, process.pid, 5, 0, 'journey'), look(30, 20, 1)],
    [self(0, 5), look(30, 1, 4)],
    [self(0, 5)],
  );
  assert.equal(of('journey'), 9);
});

test('a process that was looked at before it had its own environment is given to its suite', () => {
  const of = after(
    [self(1), look(20, process.pid, 0)],
    [self(1), look(20, process.pid, 5, 0, 'route')],
  );
  assert.equal(of('route'), 5);
});

test('nothing is known where there is no /proc', () => {
  assert.equal(after([])('rule'), undefined);
});
