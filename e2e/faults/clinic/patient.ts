import type { CallId } from '@clinic/contract';
import { type CallResult, type Client, createClient } from '@clinic/contract/client';

import type { Chance } from '../chance.ts';
import type { Answered, Asked, HistoryWriter, Slot } from '../history.ts';

export interface PatientAccount {
  readonly name: string;
  readonly id: string;
  readonly token: string;
  /** One appointment a clinic day at most. */
  readonly onceADay: boolean;
}

/** What a patient of a fault run can do. Each call is one attempt and stands in the history. */
export interface Patient {
  readonly account: PatientAccount;
  hold(slot: Slot, moving?: string): Promise<Answered>;
  release(): Promise<Answered>;
  book(slot: Slot, key: string): Promise<Answered>;
  /** Pays the fee of the slot and books it. */
  pay(slot: Slot, key: string, dollars: number): Promise<Answered>;
  move(appointment: string, slot: Slot, key: string): Promise<Answered>;
  cancel(appointment: string): Promise<Answered>;
  list(): Promise<Answered>;
}

export interface PatientOptions {
  readonly account: PatientAccount;
  /** Addresses of the services, either of which may be asked. */
  readonly bases: readonly string[];
  readonly history: HistoryWriter;
  readonly chance: Chance;
  readonly patienceMs?: number;
  /**
   * Sent with every request. `connection: close` where a proxy ends the connections it keeps: a browser
   * repeats by itself what such a one did not take, Node's client does not.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** One that notes what it sends and gets. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Of a patient who does not mind: an answer that comes at all is not late, however slow the machine. */
export const UNHURRIED_MS = 3_600_000;

/** What every patient says, and no log may (S-8). */
export const REASON = 'A cough that nobody else has';

export function patientOf(options: PatientOptions): Patient {
  const {
    account,
    bases,
    history,
    chance,
    patienceMs = 4000,
    headers,
    fetch = globalThis.fetch,
  } = options;
  const clients = bases.map((base) =>
    createClient({ base, fetch, headers: () => ({ ...headers, 'x-access-token': account.token }) }),
  );

  let here = chance.pick(clients);
  /** Whoever gets no answer tries the other service; the rest go now here, now there. */
  const choose = (lastOutcome: Answered['outcome']) => {
    const others = clients.filter((client) => client !== here);
    const all = lastOutcome === 'unknown' && others.length > 0 ? others : clients;
    here = chance.pick(all);
  };

  const attempt = async <Id extends CallId>(
    asked: Omit<Asked, 'patient'>,
    send: (client: Client, signal: AbortSignal) => Promise<CallResult<Id>>,
    heard: (answer: Extract<CallResult<Id>, { kind: 'answer' }>['answer']) => Partial<Answered>,
  ): Promise<Answered> => {
    const id = history.asks({ ...asked, patient: account.name });
    let answered: Answered;
    try {
      const result = await send(here, AbortSignal.timeout(patienceMs));
      answered =
        result.kind === 'answer'
          ? { outcome: 'ok', status: 200, ...heard(result.answer) }
          : withoutAnswer(result);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      answered = { outcome: 'unknown' };
    }
    history.answers(id, answered);
    choose(answered.outcome);
    return answered;
  };

  return {
    account,
    hold: (slot, moving) =>
      attempt<'placeHold'>(
        { call: 'hold', slot },
        (client, signal) =>
          client(
            'placeHold',
            { body: { ...asSent(slot), ...(moving ? { rescheduleOf: moving } : {}) } },
            { signal },
          ),
        ({ extras }) => ({ row: extras.hold.id }),
      ),
    release: () =>
      attempt<'releaseHold'>(
        { call: 'release' },
        (client, signal) => client('releaseHold', { headers: {}, query: {} }, { signal }),
        () => ({}),
      ),
    book: (slot, key) =>
      attempt<'createBooking'>(
        { call: 'book', slot, key },
        (client, signal) =>
          client(
            'createBooking',
            { headers: { 'idempotency-key': key }, body: { ...asSent(slot), reason: REASON } },
            { signal },
          ),
        ({ extras }) => ({ row: extras.appointment.id }),
      ),
    pay: (slot, key, amount) =>
      attempt<'charge'>(
        { call: 'book', slot, key },
        (client, signal) => {
          const headers = { 'idempotency-key': key };
          const payment_method_id = `pm_practice_succeeds_${cardOf(key)}`;
          const body = { ...asSent(slot), reason: REASON, payment_method_id, amount };
          return client('charge', { headers, body }, { signal });
        },
        ({ extras: { appointment } }) =>
          appointment === undefined ? { outcome: 'unknown' } : { row: appointment.id },
      ),
    move: (appointment, slot, key) =>
      attempt<'createBooking'>(
        { call: 'reschedule', slot, appointment, key },
        (client, signal) =>
          client(
            'createBooking',
            {
              headers: { 'idempotency-key': key },
              body: {
                ...asSent(slot),
                reason: REASON,
                isReschedule: true,
                rescheduleOf: appointment,
              },
            },
            { signal },
          ),
        ({ extras }) => ({ row: extras.appointment.id }),
      ),
    cancel: (appointment) =>
      attempt<'cancelAppointment'>(
        { call: 'cancel', appointment },
        (client, signal) =>
          client('cancelAppointment', { params: { id: appointment } }, { signal }),
        () => ({}),
      ),
    list: () =>
      attempt<'listAppointments'>(
        { call: 'list' },
        (client, signal) => client('listAppointments', { query: {} }, { signal }),
        ({ appointments }) => ({
          listed: appointments.map(({ id, code, doctor, startTime, status }) => ({
            id,
            type: code,
            provider: doctor,
            start: startTime,
            status,
          })),
        }),
      ),
  };
}

let cards = 0;
const cardsByWish = new Map<string, number>();
/** The same card however often a wish is asked for, and another one for another. */
function cardOf(wish: string): number {
  const known = cardsByWish.get(wish) ?? (cards += 1);
  cardsByWish.set(wish, known);
  return known;
}

const asSent = ({ type, provider, start, end }: Slot) => ({
  doctor: provider,
  start,
  end,
  selectedType: type,
});

/** A busy or broken service may have done it all the same; a refusal did nothing. */
function withoutAnswer(result: Exclude<CallResult<CallId>, { kind: 'answer' }>): Answered {
  if (result.kind === 'unreachable') return { outcome: 'unknown' };
  const { status, refusal } = result;
  const code = refusal?.extras.code;
  return {
    outcome: status >= 500 || status === 429 ? 'unknown' : 'refused',
    status,
    ...(code === undefined ? {} : { code }),
  };
}

/** Asks again, as a browser would, until there is an answer or the tries are used up, if they are counted. */
export async function insist(
  ask: () => Promise<Answered>,
  chance: Chance,
  tries = Infinity,
): Promise<Answered> {
  let answered = await ask();
  for (let left = tries - 1; left > 0 && answered.outcome === 'unknown'; left -= 1) {
    await pause(chance.between(50, 300));
    answered = await ask();
  }
  return answered;
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
