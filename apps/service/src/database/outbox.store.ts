import { MailRefused } from '../server/ports.ts';
import type { ServerPorts } from '../server/server-ports.ts';
import { type Db, type Tx, hasRows, part, sql, writeLast } from './db.ts';
import type { outbox } from './schema.ts';

export type OutboxPayload = Readonly<Record<string, unknown>>;

/** Says that a row cannot be done yet though nothing failed: its attempts are counted from zero again. */
export interface PutOff {
  readonly until: number;
}

/** What one try is about, beside the row itself. */
export interface InOutbox {
  /** What the earlier rows hold that this one replaces, the oldest first. */
  readonly replaced: readonly OutboxPayload[];
  /**
   * Whether the subject has a row that was written since this try began. Ask after reading what the email
   * says: false means that all changes read so far have rows in this try.
   */
  readonly isOvertaken: () => Promise<boolean>;
}

/**
 * `key` is the same at every try, so that receivers can drop repetitions; `attempts` counts the tries, with
 * this one. 'tooLate' gives the row up: it would tell of what is over.
 */
export type OutboxHandler = (
  payload: OutboxPayload,
  key: string,
  attempts: number,
  at: InOutbox,
) => Promise<PutOff | 'tooLate' | void>;

/** Whether a later row of a subject tells all that an earlier one of its kind would. */
type Replaces = (later: OutboxPayload, earlier: OutboxPayload) => boolean;

/** The state of the outbox: what waits, and what was given up in the month that rows are kept. */
export interface OutboxStanding {
  /** Emails that are not sent yet. */
  readonly waiting: number;
  /** The waiting emails that were tried before, in vain. */
  readonly triedInVain: number;
  readonly failed: number;
  /** How many requests to the EMR wait. */
  readonly forEmr: number;
  /** The last few rows that failed. `at` is in epoch seconds; the payload names things by id alone. */
  readonly lastFailed: readonly {
    readonly id: string;
    /** By the mail server, for good; else it came too late. */
    readonly isRefused: boolean;
    readonly kind: string;
    readonly payload: OutboxPayload;
    readonly at: number;
  }[];
}

type Row = Pick<
  typeof outbox.$inferSelect,
  'id' | 'kind' | 'subject' | 'payload' | 'attempts' | 'refusals'
>;

/** The rows of a subject that this process has to itself. */
interface Held {
  readonly rows: readonly Row[];
  leasedAt: number;
  isOurs: boolean;
}

/** Emails, and requests to the EMR: these take longer, and no email waits for them. */
export type OutboxPart = 'emails' | 'forEmr';
/**
 * The rows of a process that died are free again after this long, the most that an email is late by: longer
 * than one try takes, which for the EMR is several requests. A slow try prolongs its lease.
 */
const LEASE_SECONDS: Readonly<Record<OutboxPart, number>> = { emails: 30, forEmr: 180 };
/** Of so many rows those whose subject is free are taken; however many wait, a look costs the same. */
const LOOKED_AT = 200;
const PROLONG_AFTER_SECONDS = 5;
const LONGEST_PAUSE = 60 * 60;
/** How long a process that stops waits for the tries under way. */
const STOP_MS = 5_000;

/** 1, 2, 4 … minutes after the first, second, third failure, at most an hour. */
export const pauseAfter = (attempts: number): number =>
  Math.min(60 * 2 ** Math.max(0, attempts - 1), LONGEST_PAUSE);

/** An email that a mail server refused for good is tried 3 times in an hour: the refusal may be a mistake. */
const PAUSES_AFTER_REFUSAL = [20 * 60, 40 * 60];
const LAST_FAILED = 10;

export async function outboxStanding(db: Db): Promise<OutboxStanding> {
  const [standing] = await sql<OutboxStanding>(db)`
    select count(*) filter (where done_at_s is null and not is_for_emr) as waiting,
           count(*) filter (where done_at_s is null and not is_for_emr and attempts > under_way) as "triedInVain",
           count(*) filter (where failed) as failed,
           count(*) filter (where done_at_s is null and is_for_emr) as "forEmr",
           (select coalesce(json_agg(failure), '[]')
              from (select id, refusals > ${PAUSES_AFTER_REFUSAL.length} as "isRefused", kind, payload, done_at_s as at
                      from outbox where failed
                     order by done_at_s desc limit ${LAST_FAILED}) failure) as "lastFailed"
      from (select done_at_s, attempts, failed, kind like '%-emr' as is_for_emr,
                   (lease_until_s is not null)::int as under_way from outbox) all_of_it`;
  if (!standing) throw new Error('A count always has a row');
  return standing;
}

/** Tries an email anew that was refused or too late; false where there is none. */
export const sendAgain = (tx: Tx, id: string, now: number): Promise<boolean> =>
  hasRows(sql(tx, 'outbox-send-again')`
    update outbox set failed = false, done_at_s = null, due_at_s = ${now}, attempts = 0, refusals = 0
     where id = ${id}::uuid and failed and kind not like '%-emr' returning 1`);

/** How many rows of each kind wait, and by how many seconds the longest due is late. */
export const outboxFigures = (db: Db, now: number) =>
  sql<{ readonly kind: string; readonly waiting: number; readonly lateSeconds: number }>(
    db,
    'outbox-figures',
  )`
    select kind, count(*)::int as waiting,
           greatest(0, ${now}::bigint - min(due_at_s))::int as "lateSeconds"
      from outbox where done_at_s is null group by kind`;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Performs what must happen after a commit: each row is tried until it is done or given up, the rows of a
 * subject in their order (docs/adr/0034-emails-tell-what-stands.md).
 */
export function createOutbox({
  database,
  clock,
  ids,
  log,
  emailsAtOnce = 20,
}: Pick<ServerPorts, 'database' | 'clock' | 'ids' | 'log'> & {
  readonly emailsAtOnce?: number | undefined;
}) {
  /** How many subjects this process works on at once. */
  const places: Readonly<Record<OutboxPart, number>> = { emails: emailsAtOnce, forEmr: 1 };
  const kinds = new Map<string, { readonly handler: OutboxHandler; readonly replaces: Replaces }>();
  const held = { emails: new Set<Held>(), forEmr: new Set<Held>() };
  /** Resolve when what is held is over, and what was due then has begun. */
  const open = { emails: new Set<Promise<void>>(), forEmr: new Set<Promise<void>>() };
  const turns = { emails: Promise.resolve(), forEmr: Promise.resolve() };
  const drains = { emails: Promise.resolve(0), forEmr: Promise.resolve(0) };
  const done = { emails: 0, forEmr: 0 };
  let stopped = false;

  /**
   * Leases all rows of subjects of which one is due, instead of keeping a transaction open during the requests
   * to other systems. The subject's oldest row is locked first: another process that wants it meanwhile finds
   * it leased. 0.2.0 leases by `due_at_s`, so that is set too. A newest row that was never tried and is not due
   * may be taken back: all of its subject waits for it.
   */
  async function lease(which: OutboxPart, most: number, now: number): Promise<Row[][]> {
    const until = now + LEASE_SECONDS[which];
    const rows = await database.inTransaction(
      (tx) => sql<Row & { readonly position: number }>(tx, 'outbox-lease')`
        with longest_due as (
          select coalesce(subject, id::text) as subject from outbox
           where done_at_s is null and kind like '%-emr' = ${which === 'forEmr'}
             and due_at_s <= ${now} order by due_at_s limit ${LOOKED_AT}),
        due as (
          select (array_agg(id order by position))[1] as head
            from outbox
           where done_at_s is null and kind like '%-emr' = ${which === 'forEmr'}
             and coalesce(subject, id::text) in (select subject from longest_due)
           group by coalesce(subject, id::text)
          having coalesce(max(lease_until_s), 0) <= ${now}
             and not (array_agg(attempts = 0 and due_at_s > ${now} order by position desc))[1]
           order by min(due_at_s), min(position) limit ${most}),
        ours as materialized (
          select coalesce(subject, id::text) as subject from outbox
           where id in (select head from due) and done_at_s is null
             and coalesce(lease_until_s, 0) <= ${now}
             for update skip locked)
        update outbox set due_at_s = ${until}, lease_until_s = ${until}, attempts = attempts + 1
         where done_at_s is null and coalesce(subject, id::text) in (select subject from ours)
        returning id, kind, subject, payload, attempts, refusals, position`,
    );
    const ordered = rows.toSorted((one, other) => one.position - other.position);
    return [...Map.groupBy(ordered, ({ subject, id }) => subject ?? id).values()];
  }

  /** Prolongs the lease where it is older than a moment, unless another process has taken it over. */
  async function prolong(which: OutboxPart, each: Held): Promise<void> {
    const now = clock.now();
    if (!each.isOurs || now - each.leasedAt < PROLONG_AFTER_SECONDS) return;
    const { leasedAt } = each;
    const [before, until] = [leasedAt, now].map((at) => at + LEASE_SECONDS[which]);
    each.leasedAt = now;
    const kept = await database
      .inTransaction(
        (tx) => sql(tx, 'outbox-prolong')`
          update outbox set due_at_s = ${until}, lease_until_s = ${until}
           where id = any(${each.rows.map(({ id }) => id)}::uuid[]) and done_at_s is null
             and lease_until_s = ${before}
          returning id`,
      )
      .catch((error: unknown) => {
        each.leasedAt = leasedAt;
        throw error;
      });
    if (kept.length === 0) each.isOurs = false;
  }

  /** Changes rows that are not done yet, which ends their lease. */
  const change = (
    rows: readonly Row[],
    to: (
      row: Row,
    ) => Partial<
      Pick<typeof outbox.$inferSelect, 'dueAt' | 'attempts' | 'refusals' | 'failed' | 'doneAt'>
    >,
  ) =>
    database.inTransaction(async (tx) => {
      for (const row of rows) {
        const { dueAt = null, attempts = row.attempts, refusals = row.refusals, ...over } = to(row);
        await sql(tx, 'outbox-change')`
          update outbox set due_at_s = coalesce(${dueAt}::bigint, due_at_s), attempts = ${attempts}::int,
                 refusals = ${refusals}::int, failed = ${over.failed ?? false}::boolean,
                 done_at_s = ${over.doneAt ?? null}::bigint, lease_until_s = null
           where id = ${row.id}::uuid and done_at_s is null`;
      }
    });

  /** Returns when the rows are due again, when they are not over. */
  async function attempt(
    rows: readonly Row[],
    others: readonly Row[],
  ): Promise<'done' | 'givenUp' | number> {
    const last = rows.at(-1);
    if (last === undefined) return 'done';
    try {
      const kind = kinds.get(last.kind);
      if (!kind) throw new Error(`Nobody handles the outbox kind '${last.kind}'`);
      const result = await kind.handler(last.payload, last.id, last.attempts, {
        replaced: rows.slice(0, -1).map(({ payload }) => payload),
        isOvertaken: () => hasNewer(last, [...rows, ...others]),
      });
      const now = clock.now();
      if (result === 'tooLate') log.event('mail-too-late');
      else if (result) {
        await change(rows, () => ({ dueAt: result.until, attempts: 0 }));
        return result.until;
      }
      await change(rows, () => ({ doneAt: now, failed: result === 'tooLate' }));
      return result === 'tooLate' ? 'givenUp' : 'done';
    } catch (error) {
      if (stopped) return clock.now();
      const now = clock.now();
      if (error instanceof MailRefused) return refused(rows, last, error, now);
      log.error('outbox-failed', error);
      const dueAt = now + pauseAfter(last.attempts);
      await change(rows, () => ({ dueAt }));
      return dueAt;
    }
  }

  /** The newest row decides when to give up: it is what was tried least often. */
  async function refused(rows: readonly Row[], last: Row, error: MailRefused, now: number) {
    const pause = PAUSES_AFTER_REFUSAL[last.refusals];
    const again = pause === undefined ? { failed: true, doneAt: now } : { dueAt: now + pause };
    if (pause === undefined) log.error('mail-failed', error);
    else log.event('mail-refused');
    await change(rows, ({ refusals }) => ({ refusals: refusals + 1, ...again }));
    return again.dueAt ?? 'givenUp';
  }

  const hasNewer = ({ subject }: Row, known: readonly Row[]) =>
    hasRows(sql(database.db, 'outbox-newer')`
      select from outbox where coalesce(subject, id::text) = ${subject} and done_at_s is null
         and not id = any(${known.map(({ id }) => id)}::uuid[]) limit 1`);

  /** The rows that one try does together, in the order of the last of each. */
  function triesOf(rows: readonly Row[]): Row[][] {
    const replacedBy = rows.map((row, at) => {
      const { replaces } = kinds.get(row.kind) ?? { replaces: () => false };
      return rows.findLastIndex(
        (later, then) =>
          then > at && later.kind === row.kind && replaces(later.payload, row.payload),
      );
    });
    const last = (at: number): number => {
      const by = replacedBy[at] ?? -1;
      return by < 0 ? at : last(by);
    };
    const tries = Map.groupBy(rows.keys(), last);
    return [...tries]
      .toSorted(([one], [other]) => one - other)
      .map(([, at]) => at.flatMap((each) => rows[each] ?? []));
  }

  async function workOff(which: OutboxPart, each: Held): Promise<void> {
    const tries = triesOf(each.rows);
    for (const [at, rows] of tries.entries()) {
      await prolong(which, each);
      if (!each.isOurs || stopped) return;
      const rest = tries.slice(at + 1).flat();
      const again = await attempt(rows, rest);
      if (typeof again === 'number') {
        // The rest was not tried, and waits for this one.
        await change(rest, ({ attempts }) => ({ attempts: attempts - 1, dueAt: again }));
        return;
      }
      if (again === 'done') done[which] += rows.length;
    }
  }

  async function begin(which: OutboxPart): Promise<void> {
    for (const each of held[which]) await prolong(which, each);
    const now = clock.now();
    const free = places[which] - held[which].size;
    if (free <= 0 || stopped) return;
    for (const rows of await lease(which, free, now)) {
      const each: Held = { rows, leasedAt: now, isOurs: true };
      held[which].add(each);
      const over: Promise<void> = workOff(which, each)
        .catch((error: unknown) => (stopped ? undefined : log.error('outbox-failed', error)))
        .then(() => void held[which].delete(each))
        // What this leaves to do, the next call of `start` begins too, and tells why it could not.
        .then(() => start(which).catch(() => undefined))
        .then(() => void open[which].delete(over));
      open[which].add(over);
    }
  }

  /** Begins what is due, as far as there is place, without waiting for its end; prolongs what is under way. */
  function start(which: OutboxPart): Promise<void> {
    const work = () => begin(which);
    return (turns[which] = turns[which].then(work, work));
  }

  /** A call during another one's work starts after that work. */
  function drainPart(which: OutboxPart): Promise<number> {
    const work = async () => {
      const before = done[which];
      for (let begun = true; begun;) {
        await start(which);
        begun = open[which].size > 0;
        await Promise.all(open[which]);
      }
      return done[which] - before;
    };
    return (drains[which] = drains[which].then(work, work));
  }

  return {
    /**
     * Writes a row with the transaction, and returns its id; it is done after the commit. `dueAt` is in epoch
     * seconds.
     */
    async enqueue(tx: Tx, kind: string, payload: OutboxPayload, dueAt: number): Promise<string> {
      const id = ids.uuid();
      writeLast(
        tx,
        'outbox-enqueue',
        part`
          insert into outbox (id, kind, payload, due_at_s)
          values (${id}, ${kind}, ${JSON.stringify(payload)}::text::jsonb, ${dueAt})`,
      );
      return id;
    },
    /** Deletes a row that nobody has begun to do; false where somebody has. */
    takeBack: (tx: Tx, id: string): Promise<boolean> =>
      hasRows(sql(tx, 'outbox-take-back')`
        delete from outbox where id = ${id}::uuid and attempts = 0 and done_at_s is null returning 1`),
    /** Each kind has one handler, registered by the module that enqueues it. */
    handle(kind: string, handler: OutboxHandler, replaces: Replaces = () => false): void {
      if (kinds.has(kind)) throw new Error(`The outbox kind '${kind}' has a handler already`);
      kinds.set(kind, { handler, replaces });
    },
    start,
    /** Does everything of one part or both that is due now, and returns how many rows were done. */
    async drain(which?: OutboxPart): Promise<number> {
      if (which !== undefined) return drainPart(which);
      const [emails, forEmr] = await Promise.all([drainPart('emails'), drainPart('forEmr')]);
      return emails + forEmr;
    },
    /** Begins nothing more, and waits a moment for what is under way; the rest is repeated after its lease. */
    async stop(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise((over) => (timer = setTimeout(over, STOP_MS)));
      const settled = Promise.all([...open.emails, ...open.forEmr]);
      stopped = true;
      await Promise.race([settled, patience]);
      clearTimeout(timer);
    },
  };
}

/** The rows of the outbox and how they stand, as a part for another module's statement. */
export const OUTBOX = part`(select kind, payload, done_at_s, failed from outbox)`;

/** Deletes rows that were done or given up more than 30 days ago. */
export const spentEmails = (now: number) =>
  part`delete from outbox where done_at_s < ${now - 30 * 86_400}`;
