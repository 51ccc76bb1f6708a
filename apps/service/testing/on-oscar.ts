import { type BookAnswer, type Oscar, OscarOutcomeUnknown, keysIn, overlap } from '@clinic/oscar';
import { fakeOscarCredentials } from '@clinic/practice/emr/fake-oscar.ts';

import { oscarsAt } from '../src/adapters/emr-oscar/connection.ts';
import { emrOn } from '../src/open-emr.ts';
import type { ServiceOnOptions } from './service-on.ts';

/** What the row `emr-sync` of `installation` holds: tests that read it name its fields as the service does. */
export type { SyncState } from '../src/modules/emr/sync/sync-state.ts';

/** The time of a run, in milliseconds: it stands still until the run says that it goes on. */
export interface Pace {
  /** What jobs and deadlines go by. */
  steady: number;
  /** The clock, which may be moved on beyond that. */
  epoch: number;
}

/** What a service process on a fake OSCAR is told. */
export interface OscarOrders {
  readonly base: string;
  readonly pace: Readonly<Pace>;
}

/** What such a process says: each email that it sends. */
export interface SaidOfMail {
  readonly mail: { readonly key: string; readonly to: string };
}

/** What it hears: the time that it is. */
export interface TimeIs {
  readonly pace: Readonly<Pace>;
}

/** Adapters that somebody might have written; each must be caught. */
export const CARELESS = [
  'trusts its first look',
  'repeats a write after a timeout',
  'writes to no site',
] as const;
export type Careless = (typeof CARELESS)[number];
const isCareless = (defect: string): defect is Careless => CARELESS.some((each) => each === defect);

export const secondsOf = ({ epoch }: Readonly<Pace>): number => Math.floor(epoch / 1000);

/** The ports of a service process that an OSCAR keeps the book of. */
export function onOscar(
  { base, pace: begun }: OscarOrders,
  defects: readonly string[],
): NonNullable<ServiceOnOptions['instead']> {
  const pace = { ...begun };
  const fire = timersBy(pace);
  process.on('message', (heard) => {
    Object.assign(pace, (heard as Partial<TimeIs>).pace);
    fire();
  });
  const planted = defects.find(isCareless);
  const plant = planted === undefined ? same : (oscar: Oscar) => carelessly(oscar, planted);
  return {
    clock: { now: () => secondsOf(pace), stop: () => undefined },
    mail: {
      send: async ({ key, to }) => {
        process.send?.({ mail: { key, to } } satisfies SaidOfMail);
      },
    },
    emr: (ports) =>
      emrOn(
        ports,
        oscarsAt([base], fakeOscarCredentials).map(plant),
        fakeOscarCredentials.programId,
      ),
  };
}

const same = (oscar: Oscar) => oscar;

/** Has all timers of the process go by that time: jobs, deadlines, and how long something took. The answer fires those due. */
function timersBy(pace: Readonly<Pace>): () => void {
  interface Timer {
    due: number;
    readonly fire: () => void;
    readonly refresh: () => Timer;
    readonly ref: () => Timer;
    readonly unref: () => Timer;
  }
  const timers = new Set<unknown>();
  const { setTimeout: later, setInterval: again, clearTimeout: stop } = globalThis;
  const begins =
    (repeats: boolean) =>
    (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      const timer: Timer = {
        due: 0,
        fire() {
          if (!timers.delete(timer)) return;
          if (repeats) timer.refresh();
          work(...given);
        },
        refresh() {
          timer.due = pace.steady + ms;
          timers.add(timer);
          return timer;
        },
        ref: () => timer,
        unref: () => timer,
      };
      return timer.refresh();
    };
  const ends = (timer: unknown) => {
    if (!timers.delete(timer)) stop(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, {
    setTimeout: Object.assign(begins(false), later),
    setInterval: Object.assign(begins(true), again),
    clearTimeout: ends,
    clearInterval: ends,
  });
  AbortSignal.timeout = (ms) => {
    const over = new AbortController();
    setTimeout(() => over.abort(new DOMException('It took too long', 'TimeoutError')), ms);
    return over.signal;
  };
  performance.now = () => pace.steady;
  return () => {
    const due = ([...timers] as Timer[]).filter((timer) => timer.due <= pace.steady);
    for (const { fire } of due.sort((one, other) => one.due - other.due)) fire();
  };
}

/** Books as the client does, but for one thing that it takes care of. */
function carelessly(oscar: Oscar, defect: Careless): Oscar {
  if (defect === 'writes to no site')
    return {
      ...oscar,
      book: (draft, beforeWrite) => oscar.book({ ...draft, location: '' }, beforeWrite),
    };
  const { urgent } = oscar;
  type Draft = Parameters<Oscar['book']>[0];
  const rivals = async ({ providerNo, span, key }: Draft) => {
    const days = { providers: [providerNo], from: span.date, to: span.date };
    const all = await urgent.appointments(days);
    return all.filter((each) => !keysIn(each).includes(key) && overlap(each.span, span));
  };
  const write = async (draft: Draft) => {
    try {
      return await urgent.createAppointment(draft);
    } catch (error) {
      if (defect !== 'repeats a write after a timeout' || !(error instanceof OscarOutcomeUnknown))
        throw error;
      return urgent.createAppointment(draft);
    }
  };
  async function book(draft: Draft, beforeWrite?: () => unknown): Promise<BookAnswer> {
    if ((await urgent.findByKey(draft.key, draft.demographicNo)) !== null)
      return oscar.book(draft, beforeWrite);
    if ((await rivals(draft)).length > 0) return { kind: 'taken' };
    await beforeWrite?.();
    const no = await write(draft);
    if (defect === 'trusts its first look' || (await rivals(draft)).length === 0)
      return { kind: 'booked', no };
    await urgent.cancelAppointment(no);
    return { kind: 'taken' };
  }
  return { ...oscar, book };
}
