import type { Platform } from '../../../platform.ts';
import type { Emr, ProviderDay } from '../../records/emr.ts';
import { knownProviders } from '../../records/index.ts';
import {
  type BookingPorts,
  type ComparedWithEmr,
  keepBusySpans,
  ownInEmr,
} from '../../appointments/index.ts';
import { answerOn, orUnclear } from '../asking.ts';
import { takeBack } from '../withdraw.ts';
import { appointmentNamedBy, emrKey, placeInEmr } from '../entry.ts';
import {
  type Action,
  type ByKey,
  type Look,
  type Memory,
  type NotedAs,
  type DaysToRead,
  actions,
  actionsOnLook,
  mayBeGone,
  questions,
  takenTime,
} from './compare.ts';
import { forgetFound, miss, writeKeyBack } from './gone.ts';
import { UNDECIDED_SECONDS } from './gone.store.ts';
import { answered } from './schedule-changes.ts';
import { followStaff } from '../follow.ts';
import type { KeptTurn } from './sync-turn.ts';

/** What an EMR is asked to find an entry by its key, and to look an appointment up whatever became of it. */
const [CALLS_BY_KEY, CALLS_A_LOOK] = [2, 4];

const NO_DAYS = { from: '1970-01-01', to: '1970-01-01' };

/** A turn that reads days and looks appointments up. */
export interface Reader extends Pick<KeptTurn, 'keep'> {
  readonly ports: BookingPorts & Pick<Platform, 'log' | 'realtime'>;
  readonly emr: Emr;
  readonly memory: Memory;
  /** What it finds out for the next turn. */
  readonly noted: Readonly<Record<NotedAs, Set<string>>> & { readonly reread: ProviderDay[] };
  /** How many calls it may still make to look appointments up: the next turn has the rest. */
  calls: number;
}

/** Brings our tables up to what the EMR has on these days, and follows what staff did to ours there. */
export async function syncDays(reader: Reader, { dates, providers }: DaysToRead): Promise<void> {
  const { ports, emr, memory, keep } = reader;
  const { database, ids } = ports;
  await keep();
  const entries = await answered(emr.entries(dates, providers ?? undefined));
  const named = entries.flatMap(({ key }) => appointmentNamedBy(key) ?? []);
  // Our own appointments are read after the entries. What we book is in the EMR first, and only this sync
  // follows moves there: one of our appointments that is elsewhere was moved by staff.
  const appointments = await ownInEmr(database.db, named, dates, providers);
  const reading = { ...memory, dates, providers, entries, appointments };
  const answers = new Map<string, ByKey>();
  for (const own of questions(reading)) {
    await keep();
    answers.set(own.id, await findByKey(reader, own));
  }
  const spans = Map.groupBy(takenTime(reading, answers), ({ providerId }) => providerId);
  const whose = providers ?? (await knownProviders(database.db));
  for (const providerId of new Set([...whose, ...spans.keys()])) {
    const wanted = spans.get(providerId) ?? [];
    await database.inTransaction((tx) =>
      keepBusySpans(tx, { ...dates, providerId }, wanted, () => ids.uuid()),
    );
  }
  await carryOut(reader, actions(reading, answers));
}

/** Looks up again what was missed before: once more, and when nobody has decided in time. */
export async function lookUpMissed(reader: Reader): Promise<void> {
  const { missed, now } = reader.memory;
  const due = missed.filter(
    ({ keptAt, listedAt, isOfMany }) =>
      keptAt === null && (listedAt === null || (!isOfMany && listedAt <= now - UNDECIDED_SECONDS)),
  );
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id);
  const found = await ownInEmr(reader.ports.database.db, ids, NO_DAYS, []);
  const byId = new Map(found.map((each) => [each.id, each]));
  for (const own of ids.flatMap((id) => byId.get(id) ?? [])) {
    if (reader.calls < CALLS_A_LOOK) return;
    await carryOut(reader, [{ kind: 'lookUp', own, day: placeInEmr(own) }]);
  }
}

/** Carries the actions out. When one fails, its day is read again in the next turn, and the others go on. */
async function carryOut(reader: Reader, list: readonly Action[]): Promise<void> {
  const { noted, keep, ports } = reader;
  for (const action of list) {
    await keep();
    if ((await orUnclear(ports, () => apply(reader, action))) === 'unclear' && 'day' in action)
      readAgain(noted, action.day);
  }
}

const readAgain = ({ reread }: Reader['noted'], { providerId, date }: ProviderDay) =>
  reread.push({ providerId, date });

async function apply(reader: Reader, action: Action): Promise<unknown> {
  const { ports, emr, noted, memory } = reader;
  switch (action.kind) {
    case 'note':
      return noted[action.as].add(action.id);
    case 'clear':
      return noted[action.as].delete(action.id);
    case 'readAgain':
      return readAgain(noted, action.day);
    case 'follow':
      return followStaff(ports, action.own, action.change, memory.now);
    case 'cancel':
      return takeBack(ports, emr, action.own.id, memory.now);
    case 'found':
      noted.lacking.delete(action.own.id);
      return forgetFound(ports, action.own.id);
    case 'lookUp':
      return carryOut(reader, actionsOnLook(action.own, await look(reader, action.own), memory));
    case 'writeKey':
      if (await writeKeyBack(ports, emr, action, memory.now)) noted.lacking.delete(action.own.id);
      return;
    case 'miss':
      return miss(ports, action.own, memory.now);
  }
}

const findByKey = ({ ports, emr }: Reader, { id }: ComparedWithEmr): Promise<ByKey> =>
  orUnclear(ports, () => answerOn(id, emr.findByKey(emrKey(id))));

/** Asks the EMR what became of an appointment that it does not have on its day. */
async function look(reader: Reader, own: ComparedWithEmr): Promise<Look> {
  const { ports, emr, memory, noted } = reader;
  if (reader.calls < CALLS_A_LOOK) return { byKey: 'unasked' };
  reader.calls -= CALLS_BY_KEY;
  const byKey = await findByKey(reader, own);
  const place = placeInEmr(own);
  // Of a day that cannot be read nothing is known to be gone.
  const isUnread = noted.unread.has(`${place.providerId} ${place.date}`);
  if (byKey !== null || isUnread || !mayBeGone(own, memory)) return { byKey };
  reader.calls -= CALLS_A_LOOK - CALLS_BY_KEY;
  const ask = () => answerOn(own.id, emr.findUnkeyed(place));
  return { byKey, unkeyed: await orUnclear(ports, ask) };
}
