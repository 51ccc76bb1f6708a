import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toClinic, toInstant } from '../clinic-time.ts';
import {
  type FeeAtClinic,
  type FeeNote,
  WAIVE_REASONS,
  feeStateOf,
  noteOnFee,
  strikeableOf,
} from './fee-at-clinic.ts';
import { FEE_MEANS, type MoneyMoved, REFUND_REASONS, takingsOf } from './money.ts';

const CENTS = 7_500;
const BEGINS = toInstant('2026-11-23', '09:00');

/** What a fee was taken as, and what came back, as the reports sum it. */
const movedOf = ({ cents, taken, givenBack }: FeeAtClinic): MoneyMoved[] =>
  taken === undefined
    ? []
    : [
        {
          means: taken.means,
          cents,
          at: taken.at,
          state: givenBack === undefined ? 'captured' : 'refunded',
          refundedAt: givenBack?.at ?? null,
          refundMeans: givenBack?.means ?? null,
        },
      ];

/** A press at the desk, with how long after the one before; a striking names the note that stands, or another. */
const press = fc.record({
  after: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3_600 }), fc.constant(86_400)),
  kind: fc.constantFrom('taken', 'waived', 'givenBack', 'struck', 'struck late'),
  means: fc.constantFrom(...FEE_MEANS),
  back: fc.constantFrom(...REFUND_REASONS),
  why: fc.constantFrom(...WAIVE_REASONS),
});
type Press = typeof press extends fc.Arbitrary<infer Of> ? Of : never;

function noteOf({ kind, means, back, why }: Press, fee: FeeAtClinic): FeeNote {
  const noted = (fee.taken ?? fee.waived)?.at ?? 0;
  switch (kind) {
    case 'taken':
      return { kind, means };
    case 'waived':
      return { kind, reason: why };
    case 'givenBack':
      return { kind, means, reason: back };
    default:
      return { kind: 'struck', at: kind === 'struck' ? noted : noted - 1 };
  }
}

const FOLLOWS: Readonly<Record<string, string>> = {
  'due taken': 'taken',
  'due waived': 'waived',
  'taken givenBack': 'givenBack',
  'taken struck': 'due',
  'waived struck': 'due',
};

// Shows
describe('A fee at the clinic, whatever is noted of it', () => {
  test('goes only from state to state as the table says, keeps its amount, and is struck on its day alone', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.array(press, { maxLength: 12 }), (presses) => {
        let fee: FeeAtClinic = { cents: CENTS };
        let at = BEGINS;
        for (const each of presses) {
          at += each.after;
          const state = feeStateOf(fee);
          const isSameDay =
            toClinic((fee.taken ?? fee.waived)?.at ?? at).date === toClinic(at).date;
          const next = FOLLOWS[`${state} ${each.kind}`];
          const expected = each.kind === 'struck' && !isSameDay ? undefined : next;
          expect(strikeableOf(fee, at) !== null).toBe(
            isSameDay && (state === 'taken' || state === 'waived'),
          );
          const noted = noteOnFee(fee, noteOf(each, fee), { by: 'robin', at });
          expect(noted && feeStateOf(noted)).toBe(expected ?? null);
          if (noted === null) continue;
          expect(noted.cents).toBe(CENTS);
          reached.add(`${state} ${feeStateOf(noted)}`);
          fee = noted;
        }
      }),
      { seed: 1, numRuns: 2_000 },
    );
    expect(reached.size).toBe(Object.keys(FOLLOWS).length);
  });

  test('changes the sums of days by what was taken and given back, and by no waiver', () => {
    fc.assert(
      fc.property(fc.array(press, { maxLength: 12 }), (presses) => {
        let fee: FeeAtClinic = { cents: CENTS };
        let at = BEGINS;
        for (const each of presses) {
          at += each.after;
          const before = takingsOf(movedOf(fee));
          const noted = noteOnFee(fee, noteOf(each, fee), { by: 'robin', at });
          if (noted === null) continue;
          const after = takingsOf(movedOf(noted));
          if (fee.waived !== undefined || noted.waived !== undefined) expect(after).toEqual(before);
          // What was summed on an earlier day stays.
          const today = toClinic(at).date;
          expect(after.filter(({ date }) => date < today)).toEqual(
            before.filter(({ date }) => date < today),
          );
          fee = noted;
        }
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });
});
