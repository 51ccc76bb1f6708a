import type { CallId, CallInput } from '@clinic/contract';
import { type CallResult, createClient } from '@clinic/contract/client';
import { type Known, askUntilKnown } from '@clinic/contract/outcome';

import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { type PatientAccount, REASON, pause } from '../clinic/patient.ts';
import { FIVE_MINUTES } from '../clinic/seed.ts';
import type { Slot } from '../history.ts';
import type { Finding } from '../report.ts';

export interface ToldTruthOptions {
  /** One whom a fee may be asked of. */
  readonly account: PatientAccount;
  readonly slots: readonly Slot[];
  readonly rounds: number;
  readonly chance: Chance;
}

/** The minute of asking takes three seconds here: of its pauses alone, whatever an answer takes. */
const HURRY = 20;
const FEE = 75;
const waiting = () => {
  let now = 0;
  return {
    now: () => now,
    pause: (ms: number) => {
      now += ms;
      return pause(ms / HURRY);
    },
  };
};
/** The calls of the page that are cut. */
const PATH = {
  createBooking: '/schedule/create',
  charge: '/services/charge',
  cancelAppointment: '/schedule/',
} as const;
type Cut = keyof typeof PATH;

/** What a page says in the end. */
type Told =
  { readonly kind: 'booked'; readonly appointment: string } | { readonly kind: 'notBooked' };

/**
 * The web's own outcome function, driven by a page without a screen, while answers are cut anywhere:
 * what it tells is what stands, and a patient who picks another time meanwhile never has two.
 */
export async function toldTruth(
  cluster: Cluster,
  { account, slots, rounds, chance }: ToldTruthOptions,
): Promise<Finding> {
  const [service] = cluster.services;
  const [base] = cluster.bases;
  if (service === undefined || base === undefined) throw new Error('There is no service');
  const { front } = service;
  const client = createClient({
    base,
    fetch,
    headers: () => ({ 'x-access-token': account.token }),
  });
  const faults: string[] = [];
  const count = { asked: 0, late: 0, checked: 0, unknown: 0, another: 0 };
  /** Requests that are still on their way, and of which the page hears nothing. */
  const late: Promise<unknown>[] = [];
  let used = 0;
  let paidAppointments = 0;

  const breakConnection = (call: Cut) => {
    const how = chance.pick(['lose', 'cut', 'drop'] as const);
    if (how === 'lose') void front.loseAnswerTo(PATH[call]);
    else if (how === 'cut') front.cut();
    else front.dropAnswers();
    void pause(chance.between(10, 500)).then(() => front.mend());
  };
  const ask = async <Id extends Cut>(
    id: Id,
    input: CallInput<Id>,
    onChecking: () => void = () => {},
  ): Promise<Known<Id>> => {
    const send = async (): Promise<CallResult<Id>> => {
      count.asked += 1;
      const deed = () => client(id, input);
      const luck = chance.next();
      if (luck < 0.3) return deed();
      if (luck < 0.65) {
        breakConnection(id);
        return deed();
      }
      if (luck < 0.85) {
        count.late += 1;
        late.push(pause(chance.between(10, 1500)).then(deed));
      }
      return { kind: 'unreachable' };
    };
    const known = await askUntilKnown(send, waiting(), () => {
      count.checked += 1;
      onChecking();
    });
    if (known.kind === 'unknown') count.unknown += 1;
    return known;
  };
  /** A call of which the page waits for an answer, whatever it takes. */
  const surely = async <Id extends CallId>(id: Id, input: CallInput<Id>) => {
    for (let refusals = 0; ;) {
      const result = await client(id, input);
      if (result.kind === 'answer') return result.answer;
      if (result.kind === 'refusal') refusals += 1;
      // A payment of unknown outcome may stay so for two minutes, which are 2,400 of these pauses.
      if (refusals > 3000) throw new Error(`${id} was never done: ${JSON.stringify(result)}`);
      await pause(50);
    }
  };

  const hold = async (slot: Slot) =>
    (await surely('placeHold', { body: asSent(slot) })).extras.hold;
  const wish = async (slot: Slot, key: string, paid: boolean, onChecking?: () => void) => {
    const headers = { 'idempotency-key': key };
    const body = { ...asSent(slot), reason: REASON };
    if (!paid) return toldOf(await ask('createBooking', { headers, body }, onChecking));
    const payment_method_id = `pm_practice_succeeds_${(used += 1)}`;
    return toldOf(
      await ask(
        'charge',
        { headers, body: { ...body, payment_method_id, amount: FEE } },
        onChecking,
      ),
    );
  };
  /** What the page does before another time is held: the earlier request is settled first. */
  const settled = async (key: string): Promise<Told> => {
    await surely('releaseHold', { headers: { 'idempotency-key': key }, query: {} });
    const { extras } = await surely('readHold', { headers: { 'idempotency-key': key } });
    return extras.made === null
      ? { kind: 'notBooked' }
      : { kind: 'booked', appointment: extras.made.appointment.id };
  };
  /** Turned down, a page gives its own hold back, whatever another tab holds by then. */
  const letGo = async (key: string, heard: Told | null) => {
    if (heard?.kind === 'notBooked')
      await surely('releaseHold', { headers: { 'idempotency-key': key }, query: {} });
  };
  const standing = () =>
    cluster.ask(async (database) => {
      const { rows } = await database.query<{ id: string; money: string }>(
        `select c.id, count(p.id)::text as money from appointment c
           left join payment p on p.appointment_id = c.id and p.state in ('capturing', 'captured')
          where c.patient_id = $1 and c.state in ('booked', 'registered') group by c.id`,
        [account.id],
      );
      return rows;
    });
  const captured = () =>
    cluster.ask(async (database) => {
      const { rows } = await database.query<{ count: string }>(
        `select count(*) from payment where patient_id = $1 and state in ('capturing', 'captured', 'kept')`,
        [account.id],
      );
      return Number(rows[0]?.count);
    });

  const round = async (paid: boolean) => {
    const [slot, other] = [chance.pick(slots), chance.pick(slots)];
    const key = keyOfHold((await hold(slot)).id);
    const impatient = chance.happens(0.5);
    const checking = Promise.withResolvers<'checking'>();
    const first = wish(slot, key, paid, () => checking.resolve('checking'));
    const leftBehind = impatient ? first.then((heard) => letGo(key, heard)) : first;
    let told = await (impatient ? Promise.race([first, checking.promise]) : first);
    if (told === 'checking' || told === null) {
      told = await settled(key);
      if (told.kind === 'notBooked') {
        count.another += 1;
        const next = keyOfHold((await hold(other)).id);
        told = (await wish(other, next, paid)) ?? (await settled(next));
      }
    }
    const heard = await first;
    await leftBehind;
    front.mend();
    await Promise.all(late.splice(0));

    const appointments = await standing();
    const what = `${paid ? 'Paid' : 'Booked'}, ${impatient ? 'another time' : 'waited'}`;
    if (appointments.length > 1) faults.push(`${what}: ${appointments.length} visits stand`);
    for (const one of [told, heard]) {
      if (one?.kind === 'booked' && !appointments.some(({ id }) => id === one.appointment))
        faults.push(`${what}: told of a visit that does not stand`);
    }
    if (told.kind === 'notBooked' && appointments.length > 0)
      faults.push(`${what}: told that nothing was booked`);
    if (paid && appointments.some(({ money }) => money !== '1'))
      faults.push(`${what}: a visit without its one payment`);
    if (paid) paidAppointments += appointments.length;
    if ((await captured()) !== paidAppointments) faults.push(`${what}: money without a visit`);

    for (const { id } of appointments) {
      const ended = await ask('cancelAppointment', { params: { id } });
      front.mend();
      const stands = (await standing()).some((appointment) => appointment.id === id);
      if (ended.kind === 'refused' || (ended.kind === 'done' && stands))
        faults.push(`Cancelled: told ${ended.kind}, and it ${stands ? 'stands' : 'is cancelled'}`);
      if (stands) await surely('cancelAppointment', { params: { id } });
    }
    await surely('releaseHold', { headers: {}, query: {} });
  };

  for (let n = 0; n < rounds; n += 1) await round(false);
  await cluster.ask((database) =>
    database.query(
      `update fee_policy set charge_cents = $1 where type = $2 and eligibility = 'R'`,
      [FEE * 100, FIVE_MINUTES],
    ),
  );
  for (let n = 0; n < rounds; n += 1) await round(true);

  if (count.checked === 0) faults.push('No answer was lost');
  if (count.another === 0) faults.push('Nobody picked another time');
  return {
    title: 'What a page tells of lost answers',
    lines: [
      `${2 * rounds} wishes and their cancellations in ${count.asked} calls (${count.late} came late), ${count.checked} times 'We are checking', ${count.unknown} never known, ${count.another} other times booked`,
    ],
    faults,
  };
}

/** As our app makes it of the hold. */
const keyOfHold = (hold: string) => `book-${hold}`;

const asSent = ({ type, provider, start, end }: Slot) => ({
  doctor: provider,
  start,
  end,
  selectedType: type,
});

/** Null when it is not known. */
function toldOf(known: Known<'createBooking'> | Known<'charge'>): Told | null {
  if (known.kind === 'unknown') return null;
  if (known.kind === 'refused') return { kind: 'notBooked' };
  const appointment = known.answer.extras.appointment?.id;
  if (appointment === undefined) throw new Error('Booked, and nobody says what');
  return { kind: 'booked', appointment };
}
