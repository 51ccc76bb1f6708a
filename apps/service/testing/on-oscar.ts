import { type BookAnswer, type Oscar, OscarOutcomeUnknown, keysIn, overlap } from '@clinic/oscar';
import { fakeOscarCredentials } from '@clinic/practice/emr/fake-oscar.ts';

import { oscarsAt } from '../src/adapters/emr-oscar/connection.ts';
import { emrOn } from '../src/open-emr.ts';
import type { ServiceOnOptions } from './service-on.ts';

/** What the row `emr-sync` of `installation` holds: tests that read it name its fields as the service does. */
export type { Turn } from '../src/modules/emr/sync/sync-turn.ts';

/** What a service process on a fake OSCAR is told. */
export interface OscarOrders {
  readonly base: string;
  /** Everything in the process goes so many times as fast, and its clock since then. */
  readonly hurry: number;
  /** Milliseconds of the epoch. */
  readonly since: number;
  /** Seconds by which its clock was moved on before it began. */
  readonly movedOn: number;
}

/** What such a process says: each email that it sends. */
export interface SaidOfMail {
  readonly mail: { readonly key: string; readonly to: string };
}

/** What it hears: the seconds by which its clock is moved on. */
export interface MoveOn {
  readonly moveOn: number;
}

/** Adapters that somebody might have written; each must be caught. */
export const CARELESS = ['trusts its first look', 'repeats a write after a timeout'] as const;
export type Careless = (typeof CARELESS)[number];
export const isCareless = (defect: string | null): defect is Careless =>
  CARELESS.some((each) => each === defect);

/** The clock of processes in a hurry, in epoch seconds. */
export const hurriedNow = ({ hurry, since, movedOn }: Omit<OscarOrders, 'base'>): number =>
  Math.floor((since + (Date.now() - since) * hurry) / 1000) + movedOn;

/** The ports of a service process that an OSCAR keeps the book of. */
export function onOscar(
  { base, ...pace }: OscarOrders,
  defect: string | null,
): NonNullable<ServiceOnOptions['instead']> {
  hurryUp(pace.hurry);
  let { movedOn } = pace;
  process.on('message', (heard) => {
    movedOn += (heard as MoveOn).moveOn;
  });
  const plant = isCareless(defect) ? (oscar: Oscar) => carelessly(oscar, defect) : same;
  return {
    clock: { now: () => hurriedNow({ ...pace, movedOn }), stop: () => undefined },
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

/** What waits, waits so many times less: jobs, deadlines, and how long something took. */
function hurryUp(times: number): void {
  const { setTimeout: later, setInterval: again } = globalThis;
  const deadline = AbortSignal.timeout.bind(AbortSignal);
  const steady = performance.now.bind(performance);
  const sooner = (ms: number | undefined) => (ms ?? 0) / times;
  globalThis.setTimeout = Object.assign(
    (work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
      later(work, sooner(ms), ...given),
    later,
  );
  globalThis.setInterval = Object.assign(
    (work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
      again(work, sooner(ms), ...given),
    again,
  );
  AbortSignal.timeout = (ms) => deadline(Math.ceil(sooner(ms)));
  performance.now = () => steady() * times;
}

/** Books as the client does, but for one thing that it takes care of. */
function carelessly(oscar: Oscar, defect: Careless): Oscar {
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
