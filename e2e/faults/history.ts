import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

export type CallKind = 'book' | 'hold' | 'release' | 'cancel' | 'reschedule' | 'list';

/** A provider's time for a type, `start` and `end` in epoch seconds, `date` its clinic day. */
export interface Slot {
  readonly type: string;
  readonly provider: string;
  readonly start: number;
  readonly end: number;
  readonly date: string;
}

/** An appointment as the patient's own list shows it. */
export interface ListedAppointment {
  readonly id: string;
  readonly type: string;
  readonly provider: string;
  readonly start: number;
  readonly status: string;
}

/** What a client writes before it sends. */
export interface Asked {
  readonly call: CallKind;
  readonly patient: string;
  /** The request key; attempts that share it are one request. */
  readonly key?: string;
  readonly slot?: Slot;
  /** The appointment to cancel or to move. */
  readonly appointment?: string;
}

/** What a client writes after the answer, or when it gave up waiting for one. */
export interface Answered {
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly status?: number;
  readonly code?: string;
  /** The appointment that was booked, or the hold that was placed. */
  readonly row?: string;
  readonly listed?: readonly ListedAppointment[];
}

/** One attempt. Times are milliseconds since the run began; `answeredAt` is Infinity without an answer. */
export type Operation = Asked &
  Answered & { readonly id: number; readonly sentAt: number; readonly answeredAt: number };

type Line =
  | { readonly id: number; readonly at: number; readonly asked: Asked }
  | { readonly id: number; readonly at: number; readonly answered: Answered };

export interface HistoryWriter {
  /** Writes what will be asked and gives its number. */
  asks(asked: Asked): number;
  answers(id: number, answered: Answered): void;
  readonly count: () => number;
  /** How many of this kind were done, as far as their clients know. */
  readonly done: (call: CallKind) => number;
  close(): void;
}

/** One JSON line per event, written through before the call returns, so that no crash reorders it. */
export function writeHistory(file: string): HistoryWriter {
  const target = openSync(file, 'w');
  const began = performance.now();
  let last = 0;
  const calls = new Map<number, CallKind>();
  const done = new Map<CallKind, number>();
  const write = (line: Line) => writeSync(target, `${JSON.stringify(line)}\n`);
  const at = () => performance.now() - began;
  return {
    asks(asked) {
      last += 1;
      calls.set(last, asked.call);
      write({ id: last, at: at(), asked });
      return last;
    },
    answers(id, answered) {
      const call = calls.get(id);
      if (call !== undefined && answered.outcome === 'ok')
        done.set(call, (done.get(call) ?? 0) + 1);
      write({ id, at: at(), answered });
    },
    count: () => last,
    done: (call) => done.get(call) ?? 0,
    close: () => closeSync(target),
  };
}

export function readHistory(file: string): Operation[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const operations = new Map<number, Operation>();
  for (const text of lines) {
    const line = JSON.parse(text) as Line;
    if ('asked' in line) {
      operations.set(line.id, {
        ...line.asked,
        id: line.id,
        sentAt: line.at,
        answeredAt: Number.POSITIVE_INFINITY,
        outcome: 'unknown',
      });
      continue;
    }
    const asked = operations.get(line.id);
    if (asked === undefined)
      throw new Error(`Operation ${line.id} was answered before it was sent`);
    const known = line.answered.outcome !== 'unknown';
    operations.set(line.id, {
      ...asked,
      ...line.answered,
      answeredAt: known ? line.at : Number.POSITIVE_INFINITY,
    });
  }
  return [...operations.values()];
}
