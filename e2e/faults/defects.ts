import { Client, type QueryResult } from 'pg';

/**
 * Broken servers, made by putting something between the service and its database driver. Each is
 * a mistake that such a service has been shipped with; the run must catch it.
 */
export const DEFECTS = [
  'no steps and no exclusion',
  'no lock on the patient',
  'acknowledged before commit',
  'moved in two transactions',
] as const;
export type Defect = (typeof DEFECTS)[number];
/** A defect of the process; the other one is made in the database. */
export type TwistName = Exclude<Defect, 'no steps and no exclusion'> | 'tells nobody of a delete';

type Send = (text: string) => Promise<QueryResult>;
interface Statement {
  readonly text: string;
  /** Sends the statement, or another text in its place. */
  readonly asIs: (text?: string) => unknown;
  /** Sends one beside it. */
  readonly send: Send;
}
/** Gives the answer to a statement. */
type Twist = (statement: Statement) => unknown;

/** Counts the looks of whoever watches the database. */
export const LOOKS = 'looks_of_the_watch';
/**
 * The gap of a busy server, as wide as it takes to be seen on a machine of any speed: the look under way
 * may have begun before it, the next one has not.
 */
const GAP = `do $$
  declare before constant bigint := (select last_value from ${LOOKS});
  begin
    while (select last_value from ${LOOKS}) < before + 2 loop perform pg_sleep(0.02); end loop;
  end $$`;

const twists: Record<TwistName, Twist> = {
  'no lock on the patient': ({ text, asIs }) =>
    asIs(
      /\bpatient\b/.test(text) ? text.replace(/\bfor (no key )?update( of "?\w+"?)?/gi, '') : text,
    ),
  'acknowledged before commit': ({ text, send, asIs }) => {
    if (text !== 'commit') return asIs();
    // The connection does one thing after another; the service does not wait for it.
    for (const later of [GAP, 'commit']) send(later).catch(() => undefined);
    return Promise.resolve({ command: 'COMMIT', rows: [], rowCount: 0 });
  },
  'moved in two transactions': async ({ text, send, asIs }) => {
    if (ENDS_THE_OLD_APPOINTMENT.test(text)) {
      for (const each of ['commit', GAP, 'begin']) await send(each);
    }
    return asIs();
  },
  'tells nobody of a delete': ({ text, asIs }) =>
    asIs(text.replace(/(update emr_gone g set listed_at_s = \S+\s+where )/, '$1false and ')),
};

const ENDS_THE_OLD_APPOINTMENT = /update appointment c set state = 'rescheduled'/;

export const isTwist = (defect: string): defect is TwistName => defect in twists;

/** Twists every statement that this process sends from now on. */
export function apply(defect: TwistName): void {
  const { query: original } = Client.prototype as unknown as {
    query: (this: Client, ...args: unknown[]) => unknown;
  };
  const twist = twists[defect];
  const twisted = function (this: Client, ...args: unknown[]): unknown {
    const [first, second, ...rest] = args;
    const text = textOf(first);
    const wantsPromise = args.every((argument) => typeof argument !== 'function');
    if (text === null || !wantsPromise) return original.apply(this, args);
    const send: Send = (other) => original.call(this, other) as Promise<QueryResult>;
    const asIs = (other = text) =>
      original.call(
        this,
        typeof first === 'string' ? other : { ...(first as object), text: other },
        second,
        ...rest,
      );
    return twist({ text, send, asIs });
  };
  Client.prototype.query = twisted as typeof Client.prototype.query;
}

/** Without steps that are unique and without the constraint behind them, nothing stops a rival. */
export async function removeSteps(databaseUrl: string): Promise<void> {
  const database = new Client(databaseUrl);
  await database.connect();
  // Others in their place, which stop nothing: a service refuses a database that lacks one.
  await database.query(
    `alter table appointment_step drop constraint appointment_step_provider_id_step_start_s_pk,
       add primary key (provider_id, step_start_s, appointment_id)`,
  );
  await database.query(
    `alter table appointment drop constraint appointment_no_overlap,
       add constraint appointment_no_overlap exclude (id with =)`,
  );
  await database.end();
}

function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  const text = (query as { text?: unknown } | null)?.text;
  return typeof text === 'string' && typeof (query as { submit?: unknown }).submit !== 'function'
    ? text
    : null;
}
