import type { Answered, Asked, ListedVisit, Operation, Slot } from '../history.ts';
import type { ClaimState, FinalClaim, Run } from '../run.ts';

/** Slot `n` of the one provider of the planted histories; slots from 100 on lie on the next day. */
export const slot = (n: number): Slot => ({
  provider: 'dr',
  start: n * 300,
  end: (n + 1) * 300,
  date: n < 100 ? '2026-12-07' : '2026-12-08',
});

/** Tells a run step by step; each step is sent and answered before the next unless told otherwise. */
export function tell(onceADay: readonly string[] = []) {
  const operations: Operation[] = [];
  const claims: FinalClaim[] = [];
  let time = 0;

  const add = (asked: Asked, answered: Answered) => {
    time += 10;
    const known = answered.outcome !== 'unknown';
    operations.push({
      ...asked,
      ...answered,
      id: operations.length + 1,
      sentAt: time,
      answeredAt: known ? time + 5 : Infinity,
    });
    return story;
  };
  const refusedOr = (claim: string): Answered =>
    claim === 'taken'
      ? { outcome: 'refused', status: 409, code: 'slotTaken' }
      : claim === 'lost'
        ? { outcome: 'unknown' }
        : { outcome: 'ok', status: 200, claim };

  const story = {
    /** `claim` is the visit's id, 'taken' for a refusal, 'lost' for no answer. */
    book: (patient: string, n: number, claim: string, key = `${patient}-${n}`) =>
      add({ call: 'book', patient, slot: slot(n), key }, refusedOr(claim)),
    hold: (patient: string, n: number, claim: string) =>
      add({ call: 'hold', patient, slot: slot(n) }, refusedOr(claim)),
    release: (patient: string) => add({ call: 'release', patient }, { outcome: 'ok', status: 200 }),
    cancel: (patient: string, visit: string) =>
      add({ call: 'cancel', patient, visit }, { outcome: 'ok', status: 200 }),
    move: (patient: string, visit: string, n: number, claim: string) =>
      add(
        { call: 'reschedule', patient, visit, slot: slot(n), key: `${patient}-${visit}-${n}` },
        refusedOr(claim),
      ),
    list: (patient: string, ...visits: readonly (readonly [string, number, string])[]) =>
      add(
        { call: 'list', patient },
        {
          outcome: 'ok',
          status: 200,
          listed: visits.map(([id, n, status]): ListedVisit => ({
            id,
            provider: 'dr',
            start: n * 300,
            status,
          })),
        },
      ),
    /** What the database has at the end. */
    claim(patient: string, n: number, id: string, state: ClaimState, from?: string) {
      const key = from === undefined ? `${patient}-${n}` : `${patient}-${from}-${n}`;
      claims.push({
        ...slot(n),
        id,
        patient,
        state,
        rescheduledFrom: from ?? null,
        requestKey: state === 'held' || state === 'released' ? null : key,
      });
      return story;
    },
    run: (): Run => ({ operations, claims, onceADay: new Set(onceADay) }),
  };
  return story;
}
