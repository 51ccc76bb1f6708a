import { type ApiCancelled, deskCalls } from '@clinic/contract';
import { dayRuler, mayAny, shortName, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { cancellationsOf } from '../../../security/audit.store.ts';
import { look, recordIds, showing } from '../../../server/audited-reads.ts';
import { route } from '../../../server/http.ts';
import { everyDueWish } from '../../patients/index.ts';
import { knownTypes, readLengths } from '../../schedule/index.ts';
import { namesOfStaff, ownOnly } from '../../staff/index.ts';
import { openSpans, typesOfCodes } from '../day/sheet-of-day.ts';
import { cancelledRows, toCall } from './cancelled.store.ts';

/** Who has cancelled, and to whom the place can be given. */
export function registerCancelled(app: FastifyInstance, { database }: Platform): void {
  const { db } = database;

  route(app, deskCalls.deskCancelled, async ({ params: { date }, staff, now, locale }) => {
    const mayBook = mayAny(staff.roles, 'bookAppointment');
    const [rows, due, nameOf, types, lengths] = await Promise.all([
      cancelledRows(db, date, ownOnly(staff), now, locale),
      mayBook ? everyDueWish(db, toClinic(now).date) : [],
      namesOfStaff(db),
      knownTypes(db, locale),
      readLengths(db),
    ]);
    const by = await cancellationsOf(
      db,
      rows.map(({ id }) => id),
    );

    /** The types that may be booked in the whole place; null where nobody works then. */
    const typesIn = ({ codes, providerId, date: day, start, end }: (typeof rows)[number]) =>
      (codes === null
        ? []
        : openSpans(codes, dayRuler(day), typesOfCodes({ types, lengths }, providerId))
      ).find((span) => span.start <= start && end <= span.end)?.types ?? null;

    const places = rows.map((row) => {
      const open = typesIn(row);
      const place = placeOf(row, open !== null, now);
      const isFor = (type: string | null) => open?.includes(type ?? row.type) === true;
      const wishes = due.filter(
        (wish) =>
          place === 'free' &&
          wish.recordId !== row.recordId &&
          isFor(wish.type) &&
          (wish.providerId ?? row.providerId) === row.providerId &&
          (wish.from ?? row.date) <= row.date &&
          (wish.to ?? row.date) >= row.date,
      );
      return { row, place, wishes };
    });
    const people = await toCall(db, recordIds(places.flatMap(({ wishes }) => wishes)));
    const personOf = new Map(people.map((person) => [person.recordId, person]));
    const described = new Map(types.map(({ code, description }) => [code, description]));
    const appointments = places.map(({ row, place, wishes }) => ({
      ...row,
      place,
      provider: shortName(row),
      wantedBy: by.get(row.id)?.wantedBy ?? ('clinic' as const),
      by: nameOf(by.get(row.id)?.actor ?? null),
      overrideReason: by.get(row.id)?.overrideReason ?? null,
      wishes: wishes.flatMap(({ id, recordId, kind, type: wanted }) => {
        const person = personOf.get(recordId);
        const type = wanted ?? row.type;
        const what = { type, description: described.get(type) ?? type };
        return person ? [{ id, kind, ...what, ...person }] : [];
      }),
    }));
    const shown = [...recordIds(rows), ...recordIds(people)];
    return showing(
      { appointments },
      look('cancelled appointments shown', `day:${date}`, shown, { refreshes: true }),
    );
  });
}

function placeOf(
  { start, isTaken }: { readonly start: number; readonly isTaken: boolean },
  isOpen: boolean,
  now: number,
): ApiCancelled['place'] {
  if (start <= now) return 'over';
  if (isTaken) return 'taken';
  return isOpen ? 'free' : 'closed';
}
