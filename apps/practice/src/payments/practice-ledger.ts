import { and, asc, desc, eq, gte, lt } from 'drizzle-orm';
import type { Database, Tx } from '@clinic/service/database/db.ts';
import { practiceEvent, practiceIntent, practiceKey } from '@clinic/service/schema.ts';
import type {
  LedgerAnswer,
  LedgerCommand,
  LedgerEntry,
  LedgerIntent,
  LedgerStatus,
} from './ledger.ts';
import { enter } from './ledger.ts';

/** What a call was answered under its key; `failed` is a 500, which the key repeats. */
export type KeptAnswer =
  | { readonly kind: 'entry'; readonly answer: LedgerAnswer; readonly intent: string | null }
  | { readonly kind: 'failed' };

export interface LedgerCall {
  /** Null for what the bank does. */
  readonly key: string | null;
  readonly command: LedgerCommand;
  readonly intent: string | null;
}

/** How a 500 stands in the books: not at all, without the effect, or with it. */
export type Failing = 'no' | 'withoutEffect' | 'afterEffect';

export interface PracticeEvent {
  readonly id: string;
  readonly type: string;
  readonly intent: string;
  readonly createdAt: number;
}

/** The practice gateway's books: as durable as the database, and apart from the clinic's tables. */
export interface PracticeLedger {
  call(
    call: LedgerCall,
    fresh: { id: string; eventId: string; now: number },
    failing: Failing,
  ): Promise<KeptAnswer>;
  read(intent: string): Promise<LedgerIntent | null>;
  ofPayment(payment: string, createdFrom: number): Promise<LedgerIntent[]>;
  /** Newest first, `size` of them, after the one named. */
  page(createdFrom: number, after: string | null, size: number): Promise<LedgerIntent[]>;
  /** In the order in which they happened. */
  events(): Promise<PracticeEvent[]>;
  /** Money of an appointment that is there from the beginning. */
  seed(tx: Tx, intent: LedgerIntent): Promise<void>;
}

const KEY_REUSED: LedgerAnswer = {
  kind: 'refused',
  code: 'idempotency_error',
  message: 'This key was used for another request',
};

export function createPracticeLedger(database: Database): PracticeLedger {
  return {
    call: ({ key, command, intent: id }, fresh, failing) =>
      database.inTransaction(async (tx) => {
        const request = JSON.stringify([id, command]);
        const failed: KeptAnswer = { kind: 'failed' };
        if (key !== null) {
          // Whoever comes second waits here for the first, then finds its answer.
          const mine = await tx
            .insert(practiceKey)
            .values({ key, request, answer: { ...failed } })
            .onConflictDoNothing()
            .returning({ key: practiceKey.key });
          if (mine.length === 0) return kept(tx, key, request);
        }
        if (failing === 'withoutEffect') return failed;
        const before = id === null ? null : await lock(tx, id);
        const entry = enter(command, before, fresh);
        await save(tx, entry, before, fresh);
        if (failing === 'afterEffect') return failed;
        const answer: KeptAnswer = {
          kind: 'entry',
          answer: entry.answer,
          intent: entry.intent?.id ?? null,
        };
        if (key !== null)
          await tx.update(practiceKey).set({ answer }).where(eq(practiceKey.key, key));
        return answer;
      }),

    async read(intent) {
      const [row] = await database.db
        .select()
        .from(practiceIntent)
        .where(eq(practiceIntent.id, intent));
      return row ? asIntent(row) : null;
    },

    async ofPayment(payment, createdFrom) {
      const rows = await database.db
        .select()
        .from(practiceIntent)
        .where(and(eq(practiceIntent.payment, payment), gte(practiceIntent.createdAt, createdFrom)))
        .orderBy(asc(practiceIntent.position));
      return rows.map(asIntent);
    },

    async page(createdFrom, after, size) {
      const [last] =
        after === null
          ? []
          : await database.db
              .select({ position: practiceIntent.position })
              .from(practiceIntent)
              .where(eq(practiceIntent.id, after));
      const rows = await database.db
        .select()
        .from(practiceIntent)
        .where(
          and(
            gte(practiceIntent.createdAt, createdFrom),
            last === undefined ? undefined : lt(practiceIntent.position, last.position),
          ),
        )
        .orderBy(desc(practiceIntent.position))
        .limit(size);
      return rows.map(asIntent);
    },

    async events() {
      const rows = await database.db
        .select()
        .from(practiceEvent)
        .orderBy(asc(practiceEvent.position));
      return rows.map(({ id, type, intentId, createdAt }) => ({
        id,
        type,
        intent: intentId,
        createdAt,
      }));
    },

    seed: async (tx, intent) => {
      await tx.insert(practiceIntent).values(intent).onConflictDoNothing();
    },
  };
}

async function kept(tx: Tx, key: string, request: string): Promise<KeptAnswer> {
  const [row] = await tx.select().from(practiceKey).where(eq(practiceKey.key, key));
  if (!row) throw new Error('A practice key that was there is gone');
  if (row.request !== request) return { kind: 'entry', answer: KEY_REUSED, intent: null };
  return row.answer as unknown as KeptAnswer;
}

async function lock(tx: Tx, id: string): Promise<LedgerIntent | null> {
  const [row] = await tx
    .select()
    .from(practiceIntent)
    .where(eq(practiceIntent.id, id))
    .for('update');
  return row ? asIntent(row) : null;
}

async function save(
  tx: Tx,
  entry: LedgerEntry,
  before: LedgerIntent | null,
  fresh: { readonly eventId: string; readonly now: number },
) {
  const { intent, event } = entry;
  if (intent === null) return;
  if (before === null) await tx.insert(practiceIntent).values(intent);
  else await tx.update(practiceIntent).set(intent).where(eq(practiceIntent.id, intent.id));
  if (event !== null)
    await tx.insert(practiceEvent).values({
      id: fresh.eventId,
      type: event,
      intentId: intent.id,
      createdAt: fresh.now,
    });
}

function asIntent(row: typeof practiceIntent.$inferSelect): LedgerIntent {
  const { position: _, ...intent } = row;
  return { ...intent, status: intent.status as LedgerStatus };
}
