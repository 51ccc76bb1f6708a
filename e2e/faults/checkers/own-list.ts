import { requestsOf } from '../requests.ts';
import type { Checker } from '../run.ts';

const open = new Set(['booked', 'registered']);

/** Whoever was told that a visit is booked, or ended, sees that in the next list they ask for. */
export const ownList: Checker = {
  name: 'own list',
  check({ operations }) {
    const lists = Map.groupBy(
      operations.filter(({ call, outcome }) => call === 'list' && outcome === 'ok'),
      ({ patient }) => patient,
    );
    const touches = Map.groupBy(
      operations.filter(({ visit, outcome }) => visit !== undefined && outcome !== 'refused'),
      ({ visit }) => visit,
    );
    return requestsOf(operations).flatMap(({ first, claim, answeredAt }) => {
      if (claim === undefined) return [];
      const ends = touches.get(claim) ?? [];
      const endSent = Math.min(...ends.map(({ sentAt }) => sentAt));
      const endDone = Math.min(
        ...ends.filter(({ outcome }) => outcome === 'ok').map((end) => end.answeredAt),
      );
      return (lists.get(first.patient) ?? []).flatMap((list) => {
        const entries = (list.listed ?? []).filter(({ id }) => id === claim);
        const shown = entries.some(({ status }) => open.has(status));
        if (entries.length > 1) return [`List ${list.id} shows visit ${claim} twice`];
        if (list.sentAt > answeredAt && list.answeredAt < endSent && !shown)
          return [`List ${list.id} of ${first.patient} lacks visit ${claim}, booked before`];
        if (list.sentAt > endDone && shown)
          return [`List ${list.id} of ${first.patient} still shows visit ${claim}, ended before`];
        return [];
      });
    });
  },
};
