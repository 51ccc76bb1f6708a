import { expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '../../database/db.ts';
import { likelyOf } from './likely.store.ts';

/** So many have one birth date after an import from a system that asked for none. */
const MANY = 200;
/** Each look at the clock is so much later, however fast the machine. */
const LOOK_MS = 1;

test('Who may be one person is found among many of one birth date, and other work goes on meanwhile', async () => {
  const named = (n: number) => ({ firstName: `Casey${n}`, lastName: 'Morgan', recordId: `${n}` });
  const born = { birthDate: '1900-01-01', province: 'BC', index: null, sealed: null };
  const rows = Array.from({ length: MANY }, (_, n) => ({ ...named(n), ...born, patientId: null }));
  const answers: Pick<Db, '$client'> = { $client: { query: async () => ({ rows }) } };
  const people = Array.from({ length: 100 }, (_, n) => ({
    ...named(n),
    recordId: `again-${n}`,
    birthDate: born.birthDate,
    card: { province: 'BC', indexes: [] },
  }));

  let at = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (at += LOOK_MS));
  onTestFinished(() => void vi.restoreAllMocks());
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const likely = await likelyOf(answers, people);
  isOver = true;

  expect(likely.map((found) => found.map(({ recordId }) => recordId))).toEqual(
    people.map((_, n) => [`${n}`]),
  );
  expect(turns).toBeGreaterThan(MANY / 20);
});
