import type { Platform } from '../../../platform.ts';
import type { Emr, ProviderDay } from '../../records/emr.ts';
import { knownProviders, timeoutAsOffline } from '../../records/index.ts';
import {
  type BookingPorts,
  type ComparedWithEmr,
  ownInEmr,
  replaceBusySpans,
} from '../../appointments/index.ts';
import { applyStaffChange } from '../apply-staff-change.ts';
import { cancelEndedInEmr } from '../cancel-in-emr.ts';
import { timeoutAsUnknown, unclearOnFailure } from '../emr-calls.ts';
import { appointmentIdOf, emrKey, placeInEmr } from '../entry.ts';
import {
  type Action,
  type AppointmentAction,
  type DaysToRead,
  type EntryByKey,
  type Lookup,
  type StateList,
  type SyncFacts,
  actions,
  actionsAfterLookup,
  appointmentsToAskFor,
  busyTime,
  mayBeDeleted,
} from './compare.ts';
import { clearMissing, noteMissing, writeKeyBack } from './missing.ts';
import { DECISION_SECONDS } from './missing.store.ts';
import { type Lease, dayName } from './sync-state.ts';

/** The most calls that an EMR takes to find an entry by its key, and then to find one without a key. */
const [CALLS_BY_KEY, CALLS_WITHOUT_KEY] = [2, 2];

/** A sync while it reads days and looks appointments up. */
export interface SyncRun extends Pick<Lease, 'renewLease'> {
  readonly ports: BookingPorts & Pick<Platform, 'log' | 'realtime'>;
  readonly emr: Emr;
  readonly facts: SyncFacts;
  /** The lists and days that the next sync finds. */
  readonly next: Readonly<Record<StateList, Set<string>>> & { readonly reread: ProviderDay[] };
  /** How many calls are left to look appointments up. What they do not reach is left to the next sync. */
  lookupCalls: number;
}

/** Brings our tables up to what the EMR has on these days, and applies what staff did to ours there. */
export async function syncDays(run: SyncRun, { dates, providers }: DaysToRead): Promise<void> {
  const { ports, emr, facts, renewLease } = run;
  const { database, ids } = ports;
  await renewLease();
  const entries = await timeoutAsOffline(emr.entries(dates, providers ?? undefined));
  const named = entries.flatMap(({ key }) => appointmentIdOf(key) ?? []);
  // Read after the entries: a booking is written to the EMR before our row commits, and only this sync moves a
  // booked row. So where the two differ, staff have changed the entry.
  const appointments = await ownInEmr(database.db, named, { dates, providers });
  const snapshot = { ...facts, dates, providers, entries, appointments };
  const byKeys = new Map<string, EntryByKey>();
  for (const own of appointmentsToAskFor(snapshot)) {
    await renewLease();
    byKeys.set(own.id, await findByKey(run, own));
  }
  const busy = Map.groupBy(busyTime(snapshot, byKeys), ({ providerId }) => providerId);
  const asked = providers ?? (await knownProviders(database.db));
  for (const providerId of new Set([...asked, ...busy.keys()])) {
    const spans = busy.get(providerId) ?? [];
    await database.inTransaction((tx) =>
      replaceBusySpans(tx, { ...dates, providerId }, spans, () => ids.uuid()),
    );
  }
  await carryOut(run, actions(snapshot, byKeys));
}

/** Looks up what was missing once, to confirm it, and what nobody has decided on in time. */
export async function lookUpMissing(run: SyncRun): Promise<void> {
  const { missing, now } = run.facts;
  const due = missing.filter(
    ({ decidedAt, listedAt, isMassLoss }) =>
      decidedAt === null &&
      (listedAt === null || (!isMassLoss && listedAt <= now - DECISION_SECONDS)),
  );
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id);
  const found = await ownInEmr(run.ports.database.db, ids, null);
  const byId = new Map(found.map((each) => [each.id, each]));
  for (const own of ids.flatMap((id) => byId.get(id) ?? [])) {
    if (run.lookupCalls < CALLS_BY_KEY + CALLS_WITHOUT_KEY) return;
    await carryOut(run, [{ kind: 'lookUp', own, day: placeInEmr(own) }]);
  }
}

/** Carries the actions out. When one fails, the next sync reads its day again, and the others go on. */
async function carryOut(run: SyncRun, list: readonly Action[]): Promise<void> {
  const { next, renewLease, ports } = run;
  for (const action of list) {
    await renewLease();
    if (action.kind === 'addTo') next[action.list].add(action.id);
    else if (action.kind === 'removeFrom') next[action.list].delete(action.id);
    else if (
      action.kind === 'rereadDay' ||
      (await unclearOnFailure(ports, () => act(run, action))) === 'unclear'
    )
      next.reread.push({ providerId: action.day.providerId, date: action.day.date });
  }
}

async function act(run: SyncRun, action: AppointmentAction): Promise<unknown> {
  const { ports, emr, next, facts } = run;
  const { own } = action;
  switch (action.kind) {
    case 'applyStaffChange':
      return applyStaffChange(ports, own, action.change, facts.now);
    case 'cancelInEmr':
      return cancelEndedInEmr(ports, emr, own.id, facts.now);
    case 'lookUp':
      // A lookup is never followed by another.
      return carryOut(run, actionsAfterLookup(own, await lookUp(run, own), facts));
    case 'clearMissing':
      next.lacking.delete(own.id);
      return clearMissing(ports, own.id);
    case 'noteMissing':
      return noteMissing(ports, own, facts.now);
    case 'writeKey':
      if (await writeKeyBack(ports, emr, action, facts.now)) next.lacking.delete(own.id);
      return;
  }
}

const findByKey = ({ ports, emr }: SyncRun, { id }: ComparedWithEmr): Promise<EntryByKey> =>
  unclearOnFailure(ports, () => timeoutAsUnknown(id, emr.findByKey(emrKey(id))));

/** Asks the EMR what became of an appointment of which it has no entry on its day. */
async function lookUp(run: SyncRun, own: ComparedWithEmr): Promise<Lookup> {
  const { ports, emr, facts, next } = run;
  if (run.lookupCalls < CALLS_BY_KEY + CALLS_WITHOUT_KEY) return { byKey: 'unasked' };
  run.lookupCalls -= CALLS_BY_KEY;
  const byKey = await findByKey(run, own);
  const place = placeInEmr(own);
  // While the EMR cannot read a day, its entries may stand there all the same.
  const isDayUnread = next.unread.has(dayName(place));
  if (byKey !== null || isDayUnread || !mayBeDeleted(own, facts)) return { byKey };
  run.lookupCalls -= CALLS_WITHOUT_KEY;
  const ask = () => timeoutAsUnknown(own.id, emr.findWithoutKey(place));
  return { byKey, withoutKey: await unclearOnFailure(ports, ask) };
}
