import { randomUUID } from 'node:crypto';

import {
  APPOINTMENT_EVENTS,
  APPOINTMENT_STATES,
  APPOINTMENT_STATUSES,
  type AppointmentEvent,
  type AppointmentState,
  following,
  isConfirming,
  isHold,
  hasPaymentLink,
  isPaying,
  isReleased,
  isUnderWay,
  keptItsTime,
  mayLapse,
  isBooked,
  statusOf,
  wasBooked,
} from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts';
import { type Tx, part, sql } from '../../database/db.ts';
import { STATE_COLUMNS, change, stateIn, stateValues } from './state-columns.store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const STAFF = randomUUID();

interface Columns {
  readonly state: string;
  readonly confirming?: boolean;
  readonly paying?: boolean;
  readonly bookedBy?: string | null;
  readonly expires?: number | null;
}

const held = { state: 'held', expires: NOW };
/** The columns of each state, as version 0.2.0 has them. */
const COLUMNS: Record<AppointmentState, Columns> = {
  holding: held,
  linked: { ...held, bookedBy: STAFF },
  paying: { ...held, paying: true },
  linkedPaying: { ...held, paying: true, bookedBy: STAFF },
  confirming: { ...held, confirming: true },
  confirmingPaid: { ...held, confirming: true, paying: true },
  linkedConfirming: { ...held, confirming: true, paying: true, bookedBy: STAFF },
  booked: { state: 'booked' },
  registered: { state: 'registered' },
  lapsed: { state: 'released', expires: NOW },
  givenUp: { state: 'released' },
  cancelled: { state: 'cancelled' },
  rescheduled: { state: 'rescheduled' },
  noShow: { state: 'no-show' },
  completed: { state: 'completed' },
};

const own = stateIn('c');
let placed = 0;

async function insert(tx: Tx, columns: Columns): Promise<string> {
  const { state, confirming = false, paying = false, bookedBy = null, expires = null } = columns;
  const id = randomUUID();
  const start = NOW - (NOW % 300) + 300 * placed++;
  await sql(tx)`
    insert into appointment (id, record_id, provider_id, start_s, end_s, clinic_date, type, state, confirming,
                             paying, booked_by, hold_expires_at_s, created_at_s, changed_at_s)
    values (${id}, 'record', '101', ${start}, ${start + 300}, '2026-12-15', 'O', ${state}, ${confirming},
            ${paying}, ${bookedBy}, ${expires}, ${NOW}, ${NOW})`;
  return id;
}

async function read(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await sql<{ word: string }>(tx)`
    select ${own.word} as word from appointment c where id = ${id}`;
  return row?.word;
}

const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => database.inTransaction(work);

test.each(APPOINTMENT_STATES)('%s is read from its columns', (state) =>
  inTx(async (tx) => {
    expect(await read(tx, await insert(tx, COLUMNS[state]))).toBe(state);
  }),
);

test('each combination of columns is one state, and has the status of that state', () =>
  inTx(async (tx) => {
    const either = [false, true];
    const read_ = [];
    for (const state of APPOINTMENT_STATUSES)
      for (const confirming of either)
        for (const paying of either)
          for (const bookedBy of [null, STAFF])
            // A hold always has an end.
            for (const expires of state === 'held' ? [NOW] : [null, NOW]) {
              const id = await insert(tx, { state, confirming, paying, bookedBy, expires });
              read_.push([state, await read(tx, id)]);
            }
    expect(
      read_.map(([, word]) => word).every((word) => APPOINTMENT_STATES.some((is) => is === word)),
    ).toBe(true);
    expect(read_.map(([, word]) => statusOf(word as AppointmentState))).toEqual(
      read_.map(([state]) => state),
    );
  }));

test('what staff book is confirming, and no link, while the EMR is asked', () =>
  inTx(async (tx) => {
    const asked = { ...COLUMNS.confirming, bookedBy: STAFF };
    expect(await read(tx, await insert(tx, asked))).toBe('confirming');
  }));

const QUESTIONS = {
  isBooked,
  keptItsTime,
  wasBooked,
  isHold,
  mayLapse,
  isUnderWay,
  isPaying,
  isConfirming,
  hasPaymentLink,
  isReleased,
} satisfies Record<Exclude<keyof typeof own, 'word' | 'is' | 'hadPaymentLink'>, unknown>;

test.each(APPOINTMENT_STATES)('the questions are answered of %s as in the domain', (state) =>
  inTx(async (tx) => {
    const id = await insert(tx, COLUMNS[state]);
    for (const [question, ask] of Object.entries(QUESTIONS)) {
      const condition = own[question as keyof typeof QUESTIONS];
      const [row] = await sql<{ yes: boolean }>(tx)`
        select ${condition} as yes from appointment c where id = ${id}`;
      expect([question, row?.yes]).toEqual([question, ask({ state })]);
    }
  }),
);

/** The state in which an event of a statement leaves an appointment, or null where it does not happen. */
async function after(tx: Tx, state: AppointmentState, event: AppointmentEvent) {
  const id = await insert(tx, COLUMNS[state]);
  // What has ended stands again only by the undoing of an act.
  if (event === 'undo')
    await sql(tx)`
      insert into staff_act (id, staff_id, kind, subject, before, until_s)
      values (${randomUUID()}, ${STAFF}, ${state === 'cancelled' ? 'cancel' : 'move'}, ${id},
              ${JSON.stringify({ movedFrom: id })}::text::jsonb, ${NOW})`;
  const staff = event === 'link' ? part`, booked_by = ${STAFF}` : part``;
  const rows = await sql<{ word: string }>(tx)`
    ${change(event, part`c.id = ${id}`, NOW, staff)} returning ${own.word} as word`;
  return rows[0]?.word ?? null;
}

test.each([
  ['linked', true],
  ['holding', false],
] as const)('what lapsed says whether it was linked: %s', (state, hadPaymentLink) =>
  inTx(async (tx) => {
    const id = await insert(tx, COLUMNS[state]);
    const lapsed = await sql(tx)`
      ${change('lapse', part`c.id = ${id}`, NOW)} returning ${own.hadPaymentLink} as was`;
    expect(lapsed).toEqual([{ was: hadPaymentLink }]);
  }),
);

test.each(APPOINTMENT_STATES)('%s is changed by each event as the domain says', (state) =>
  inTx(async (tx) => {
    for (const event of APPOINTMENT_EVENTS)
      expect([event, await after(tx, state, event)]).toEqual([event, following(state, event)]);
  }),
);

test.each(['holding', 'linked', 'paying', 'linkedPaying', 'confirming', 'booked'] as const)(
  'a new appointment is written as %s',
  (state) =>
    inTx(async (tx) => {
      const id = randomUUID();
      const start = NOW - (NOW % 300) + 300 * placed++;
      await sql(tx)`
        insert into appointment (id, record_id, provider_id, start_s, end_s, clinic_date, type, booked_by,
                                 hold_expires_at_s, created_at_s, changed_at_s, ${STATE_COLUMNS})
        values (${id}, 'record', '101', ${start}, ${start + 300}, '2026-12-15', 'O',
                ${COLUMNS[state].bookedBy ?? null}, ${COLUMNS[state].expires ?? null}, ${NOW}, ${NOW},
                ${stateValues(state)})`;
      expect(await read(tx, id)).toBe(state);
    }),
);
