import { requestsOf } from '../requests.ts';
import type { Checker } from '../run.ts';

const open = new Set(['booked', 'registered']);

/** Whoever was told that an appointment is booked, or ended, sees that in the next list they ask for. */
export const ownList: Checker = {
  name: 'own list',
  check({ operations }) {
    const lists = Map.groupBy(
      operations.filter(({ call, outcome }) => call === 'list' && outcome === 'ok'),
      ({ patient }) => patient,
    );
    const touches = Map.groupBy(
      operations.filter(
        ({ appointment, outcome }) => appointment !== undefined && outcome !== 'refused',
      ),
      ({ appointment }) => appointment,
    );
    return requestsOf(operations).flatMap(({ first, row, answeredAt }) => {
      if (row === undefined) return [];
      const ends = touches.get(row) ?? [];
      const endSent = Math.min(...ends.map(({ sentAt }) => sentAt));
      const endDone = Math.min(
        ...ends.filter(({ outcome }) => outcome === 'ok').map((end) => end.answeredAt),
      );
      return (lists.get(first.patient) ?? []).flatMap((list) => {
        const entries = (list.listed ?? []).filter(({ id }) => id === row);
        const shown = entries.some(({ status }) => open.has(status));
        if (entries.length > 1) return [`List ${list.id} shows visit ${row} twice`];
        if (list.sentAt > answeredAt && list.answeredAt < endSent && !shown)
          return [`List ${list.id} of ${first.patient} lacks visit ${row}, booked before`];
        if (list.sentAt > endDone && shown)
          return [`List ${list.id} of ${first.patient} still shows visit ${row}, ended before`];
        return [];
      });
    });
  },
};
