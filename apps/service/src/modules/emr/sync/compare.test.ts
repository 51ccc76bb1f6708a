import { describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import type { ComparedWithEmr } from '../../appointments/index.ts';
import type { PatientId } from '../../../security/sessions.store.ts';
import type { EmrAppointmentId, EmrEntry, ProviderId } from '../../records/emr.ts';
import {
  type EntryByKey,
  type Lookup,
  type SyncFacts,
  actions,
  actionsAfterLookup,
  appointmentsToAskFor,
  busyTime,
} from './compare.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const DAY = '2026-11-23';
const doctor = '101' as ProviderId;
const at = (time: string) => toInstant(DAY, time);
const own = (over: Partial<ComparedWithEmr> = {}): ComparedWithEmr => ({
  id: ID,
  patientId: 'p' as PatientId,
  providerId: doctor,
  start: at('08:00'),
  end: at('08:05'),
  state: 'booked',
  createdAt: at('06:00'),
  awaitsCancelInEmr: false,
  endedInEmr: false,
  ...over,
});
const entry = (over: Partial<EmrEntry> = {}): EmrEntry => ({
  id: 'e1' as EmrAppointmentId,
  providerId: doctor,
  key: `claim:${ID}`,
  date: DAY,
  start: '08:00',
  end: '08:05',
  state: 'booked',
  ...over,
});
const moved = entry({ start: '09:00', end: '09:05' });
const missingOnce = { id: ID, listedAt: null, decidedAt: null, isMassLoss: false };
type Known = Omit<Partial<SyncFacts>, 'last'> & { readonly last?: Partial<SyncFacts['last']> };
const facts = ({ last = {}, ...over }: Known = {}): SyncFacts => ({
  last: { cancelled: [], kept: [], lacking: [], unread: [], ...last },
  connectedAt: at('05:00'),
  missing: [],
  isFullSync: false,
  now: at('07:00'),
  ...over,
});

/** What is asked of the EMR, what follows when it answers so, and the time that is taken then. */
function read(
  appointment: ComparedWithEmr,
  entries: readonly EmrEntry[],
  byKey?: EntryByKey,
  known: Known = {},
) {
  const days = { dates: { from: DAY, to: DAY }, providers: [doctor] };
  const snapshot = { ...facts(known), ...days, entries, appointments: [appointment] };
  const asked = [...appointmentsToAskFor(snapshot)].map(({ id }) => id);
  const byKeys = new Map(byKey === undefined ? [] : [[ID, byKey]]);
  return {
    asked,
    actions: actions(snapshot, byKeys).map(inShort),
    taken: busyTime(snapshot, byKeys).map(({ start }) => start),
  };
}
const look = (answer: Lookup, known: Known = {}) =>
  actionsAfterLookup(own(), answer, facts(known)).map(inShort);
/** Without the appointment and the day, which are the same in each. */
const inShort = (action: ReturnType<typeof actions>[number]): string => {
  if ('list' in action) return `${action.kind} ${action.list}`;
  return 'change' in action ? `${action.kind} ${action.change.kind}` : action.kind;
};

describe('An entry of ours on its day', () => {
  test.each([
    ['as it is here', entry(), [], []],
    ['of a patient who came', entry({ state: 'arrived' }), ['applyStaffChange arrived'], []],
    [
      'of a patient who did not come takes its time',
      entry({ state: 'noShow' }),
      ['applyStaffChange noShow'],
      [at('08:00')],
    ],
  ])('%s is asked for no more', (_, found, expected, taken) => {
    expect(read(own(), [found])).toEqual({ asked: [], actions: expected, taken });
  });

  test('is found again where it was missing, or where its key was not known', () => {
    expect(read(own(), [entry()], undefined, { missing: [missingOnce] }).actions).toEqual([
      'clearMissing',
    ]);
    const last = { lacking: [ID] };
    expect(read(own(), [entry()], undefined, { last }).actions).toEqual(['clearMissing']);
  });

  test('of a hold is read again: nobody was told yet that it is booked', () => {
    const held = own({ state: 'confirming' });
    expect(read(held, [entry()]).actions).toEqual(['rereadDay']);
    expect(read(held, []).actions).toEqual(['rereadDay']);
  });
});

describe('An entry of ours at another time', () => {
  test.each([
    ['and has the key: it was moved', moved, ['applyStaffChange moved'], []],
    ['and has no key any more: it was moved', null, ['applyStaffChange moved'], []],
    [
      'beside the one that has the key: it is a copy',
      entry({ id: 'e0' as EmrAppointmentId }),
      [],
      [at('09:00')],
    ],
    ['of which the EMR does not answer', 'unclear', ['rereadDay'], []],
  ] as const)('%s', (_, byKey, expected, taken) => {
    expect(read(own(), [moved], byKey)).toEqual({ asked: [ID], actions: expected, taken });
  });
});

describe('An entry of an appointment that ended here', () => {
  const given = own({ state: 'givenUp' });
  const cancelled = own({ state: 'cancelled' });
  test.each([
    ['was written after it was given up', given, entry(), ['cancelInEmr']],
    [
      'was put back since the EMR ended it',
      { ...given, endedInEmr: true },
      entry(),
      ['addTo kept'],
    ],
    ['was put back after it was cancelled', cancelled, entry(), ['addTo kept']],
    ['is still to be cancelled there', { ...cancelled, awaitsCancelInEmr: true }, entry(), []],
    ['is not known to be there', cancelled, 'unclear', []],
  ] as const)('takes its time: it %s', (_, appointment, byKey, expected) => {
    const found = read(appointment, [entry()], byKey);
    expect(found).toEqual({ asked: [ID], actions: expected, taken: [at('08:00')] });
  });

  test.each([null, 'cancelled'] as const)('takes none once it ended there: %s', (byKey) => {
    expect(read(cancelled, [entry()], byKey)).toEqual({ asked: [ID], actions: [], taken: [] });
  });

  test('stays named while the EMR does not answer', () => {
    const last = { kept: [ID] };
    expect(read(cancelled, [entry()], 'unclear', { last }).actions).toEqual(['addTo kept']);
  });
});

describe('An appointment without an entry on its day', () => {
  const kept = [{ ...missingOnce, decidedAt: 1 }];
  test.each([
    ['is looked up', {}, ['lookUp']],
    ['is looked up by itself once it is missing', { missing: [missingOnce] }, []],
    ['is left as staff have kept it', { missing: kept }, []],
    [
      'is looked up with the whole window where staff have kept it',
      { missing: kept, isFullSync: true },
      ['lookUp'],
    ],
    ['is left where the EMR never had it', { connectedAt: at('06:30') }, []],
    ['is left once it has begun', { now: at('08:00') }, []],
  ])('%s', (_, known, expected) => {
    expect(read(own(), [], undefined, known)).toMatchObject({ asked: [], actions: expected });
  });
});

describe('What is looked up', () => {
  const last = { cancelled: [ID] };
  const withoutKey = entry({ key: null });
  test.each([
    [
      'and gone is missing',
      { byKey: null, withoutKey: null },
      {},
      ['addTo lacking', 'noteMissing'],
    ],
    [
      'without its key gets it back',
      { byKey: null, withoutKey },
      {},
      ['addTo lacking', 'writeKey'],
    ],
    ['on a day that cannot be read is not missing', { byKey: null }, {}, ['addTo lacking']],
    ['is missing where no calls are left', { byKey: 'unasked' }, {}, ['noteMissing']],
    [
      'and cancelled is looked at once more',
      { byKey: 'cancelled' },
      {},
      ['removeFrom lacking', 'addTo cancelled', 'rereadDay'],
    ],
    [
      'and cancelled at two looks is cancelled',
      { byKey: 'cancelled' },
      { last },
      ['removeFrom lacking', 'applyStaffChange cancelled'],
    ],
    [
      'and there again is missing no more',
      { byKey: entry() },
      { missing: [missingOnce] },
      ['clearMissing'],
    ],
    [
      'and there at another time was moved',
      { byKey: moved },
      {},
      ['removeFrom lacking', 'applyStaffChange moved'],
    ],
    ['and not answered is read again', { byKey: 'unclear' }, {}, ['rereadDay']],
    [
      'and not answered is looked up again where it was missing',
      { byKey: 'unclear' },
      { missing: [missingOnce] },
      [],
    ],
    [
      'and not answered of its place is lacking',
      { byKey: null, withoutKey: 'unclear' },
      {},
      ['addTo lacking', 'rereadDay'],
    ],
  ] as [string, Lookup, Known, string[]][])('%s', (_, answer, known, expected) => {
    expect(look(answer, known)).toEqual(expected);
  });
});

test('a day that cannot be read is known as such until it is read', () => {
  const unread = entry({ key: null, start: '00:00', end: '24:00', state: 'unread' });
  const last = { unread: [`101 ${DAY}`, '101 2026-11-24', `102 ${DAY}`] };
  expect(read(own({ start: 0 }), [], undefined, { last }).actions).toEqual(['removeFrom unread']);
  const found = read(own(), [unread], undefined, { last, missing: [missingOnce] });
  expect(found.actions).toEqual(['removeFrom unread', 'addTo unread']);
  expect(found.taken).toEqual([at('00:00'), at('08:05')]);
});
