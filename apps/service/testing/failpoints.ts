/**
 * Failpoints are wrappers that a test puts round ports and stores: every call has a point before it
 * and one after it, and something happens at exactly one of them.
 */
export interface Failpoints {
  /** Wraps every method of an object; the name leads the points. */
  wrap<T extends object>(name: string, target: T): T;
  /** The names of the points that were passed, in order: `before gateway.capture`. */
  readonly names: readonly string[];
}

export interface Point {
  readonly name: string;
  /** Inside of a transaction, whose locks others would wait for. */
  readonly inTransaction: boolean;
}

/** What happens at the point that was chosen; it may throw, or wait. */
export type AtPoint = (point: Point) => Promise<void>;

/** The process ended here: nothing that it would have done afterwards happens. */
export class Crashed extends Error {
  override readonly name = 'Crashed';
}

/** `chosen` counts from 0; -1 passes all points. */
export function failpoints(chosen: number, atPoint: AtPoint = async () => undefined): Failpoints {
  const names: string[] = [];
  let transactions = 0;
  let crashed = false;
  const pass = async (name: string): Promise<void> => {
    if (crashed) throw new Crashed();
    const isChosen = names.push(name) - 1 === chosen;
    if (!isChosen) return;
    try {
      await atPoint({ name, inTransaction: transactions > 0 });
    } catch (error) {
      crashed = error instanceof Crashed;
      throw error;
    }
  };
  return {
    names,
    wrap: (name, target) =>
      new Proxy(target, {
        get(object, key, receiver) {
          const value: unknown = Reflect.get(object, key, receiver);
          if (typeof value !== 'function' || typeof key !== 'string') return value;
          const method = value as (...parts: unknown[]) => unknown;
          const call = `${name}.${key}`;
          if (SYNCHRONOUS.has(call)) return method.bind(object) as unknown;
          return async (...parts: unknown[]) => {
            await pass(`before ${call}`);
            const opens = key.startsWith('inTransaction');
            if (opens) transactions += 1;
            let answer: unknown;
            try {
              answer = await method.apply(object, parts);
            } finally {
              if (opens) transactions -= 1;
            }
            await pass(`after ${call}`);
            return answer;
          };
        },
      }),
  };
}

/**
 * Ends the process at one point after the other, until one run passes all. Gives the point's name to
 * whoever looks at what is left and begins anew.
 */
export async function* endedAtEachPoint(
  act: (points: Failpoints) => Promise<unknown>,
): AsyncGenerator<string | undefined> {
  for (let point = 0, ended = true; ended; point += 1) {
    const points = failpoints(point, async () => {
      throw new Crashed();
    });
    ended = await act(points).then(
      () => false,
      () => true,
    );
    yield points.names.at(-1);
  }
}

/** Calls that answer at once and reach nothing outside. */
const SYNCHRONOUS = new Set(['gateway.verifyWebhook', 'reports.report']);
