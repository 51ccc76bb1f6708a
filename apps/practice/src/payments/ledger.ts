import { asc, desc, eq, getTableColumns, gte } from 'drizzle-orm';
import type { PracticeCard } from '@clinic/domain';
import type { Database, Tx } from '@clinic/service/database/db.ts';
import { practiceEvent, practiceIntent, practiceKey } from '@clinic/service/schema.ts';

const { position: _, ...columns } = getTableColumns(practiceIntent);

/** An intent with Stripe's statuses. The practice ledger stands in for Stripe. */
export type LedgerIntent = Readonly<Omit<typeof practiceIntent.$inferSelect, 'position'>>;

type Why = NonNullable<LedgerIntent['declined']>;

/** `card` is null for an unknown payment method. */
export type LedgerCommand =
  | ({ readonly kind: 'create'; readonly card: PracticeCard | null } & Pick<
      LedgerIntent,
      'payment' | 'amountCents' | 'currency'
    >)
  | { readonly kind: 'confirm'; readonly card: PracticeCard | null }
  | { readonly kind: 'capture' | 'refund'; readonly amountCents: number }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'bank'; readonly approved: boolean };

export type LedgerAnswer =
  { readonly kind: 'done' } | ({ readonly kind: 'declined' | 'refused' } & Readonly<Why>);

/** `intent` is its state afterwards; null when there is none. */
export interface LedgerEntry {
  readonly answer: LedgerAnswer;
  readonly intent: LedgerIntent | null;
  readonly event: string | null;
}

const DECLINES: Partial<Record<PracticeCard, Why>> = {
  declined: { code: 'generic_decline', message: 'Your card was declined.' },
  insufficient: { code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  expired: { code: 'expired_card', message: 'Your card has expired.' },
};

const NOT_AUTHENTICATED = {
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

/** The event that is sent when an intent reaches a status. */
const EVENTS: Record<LedgerIntent['status'], string> = {
  requires_payment_method: 'payment_intent.payment_failed',
  requires_action: 'payment_intent.requires_action',
  requires_capture: 'payment_intent.amount_capturable_updated',
  succeeded: 'payment_intent.succeeded',
  canceled: 'payment_intent.canceled',
};

/** What a command does to an intent, as at Stripe. A pure function. */
export function enter(
  command: LedgerCommand,
  intent: LedgerIntent | null,
  fresh: Pick<Fresh, 'id' | 'now'>,
): LedgerEntry {
  if (command.kind === 'create') return create(command, fresh);
  if (intent === null) return refused('resource_missing', 'No such payment_intent', null);
  switch (command.kind) {
    case 'confirm':
      if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_action')
        return unexpected(intent);
      return confirmed(intent, command.card);
    case 'bank':
      if (intent.status !== 'requires_action') return unexpected(intent);
      return command.approved
        ? done({ ...intent, status: 'requires_capture' })
        : declined(intent, NOT_AUTHENTICATED);
    case 'capture':
      if (intent.status !== 'requires_capture') return unexpected(intent);
      if (command.amountCents !== intent.amountCents)
        return refused('amount_too_large', 'Only the whole amount is captured here', intent);
      return done({ ...intent, status: 'succeeded', capturedCents: command.amountCents });
    case 'cancel':
      if (intent.status === 'succeeded' || intent.status === 'canceled') return unexpected(intent);
      return done({ ...intent, status: 'canceled' });
    case 'refund':
      if (intent.status !== 'succeeded') return unexpected(intent);
      return refundedOf(command.amountCents, intent);
  }
}

/** Partial refunds add up, to the captured amount at most. */
function refundedOf(cents: number, intent: LedgerIntent): LedgerEntry {
  const amountCents = (intent.refund?.amountCents ?? 0) + cents;
  if (amountCents > intent.capturedCents)
    return refused('charge_already_refunded', 'The charge has already been refunded.', intent);
  return done({ ...intent, refund: { status: 'succeeded', amountCents } }, 'charge.refunded');
}

function create(
  command: Extract<LedgerCommand, { kind: 'create' }>,
  fresh: Pick<Fresh, 'id' | 'now'>,
): LedgerEntry {
  if (!Number.isSafeInteger(command.amountCents) || command.amountCents < 50)
    return refused('amount_too_small', 'Amount must be at least 50 cents', null);
  if (command.card === null) return refused('resource_missing', 'No such payment_method', null);
  const { kind: _kind, card, ...asked } = command;
  const made: LedgerIntent = {
    ...asked,
    id: fresh.id,
    status: 'requires_payment_method',
    capturedCents: 0,
    createdAt: fresh.now,
    declined: null,
    refund: null,
  };
  return confirmed(made, card);
}

function confirmed(intent: LedgerIntent, card: PracticeCard | null): LedgerEntry {
  if (card === null) return refused('resource_missing', 'No such payment_method', intent);
  const decline = DECLINES[card];
  if (decline) return declined(intent, decline);
  const status = card === 'needsBank' ? 'requires_action' : 'requires_capture';
  return done({ ...intent, status, declined: null });
}

const done = (intent: LedgerIntent, event = EVENTS[intent.status]): LedgerEntry => ({
  answer: { kind: 'done' },
  intent,
  event,
});

const declined = (intent: LedgerIntent, why: Why): LedgerEntry => ({
  ...done({ ...intent, status: 'requires_payment_method', declined: why }),
  answer: { kind: 'declined', ...why },
});

const refused = (code: string, message: string, intent: LedgerIntent | null): LedgerEntry => ({
  answer: { kind: 'refused', code, message },
  intent,
  event: null,
});

const unexpected = (intent: LedgerIntent): LedgerEntry =>
  refused(
    'payment_intent_unexpected_state',
    `This PaymentIntent has a status of ${intent.status}`,
    intent,
  );

/** The answer that is repeated under a call's key; `failed` is a 500. */
export type KeptAnswer =
  | { readonly kind: 'entry'; readonly answer: LedgerAnswer; readonly intent: string | null }
  | { readonly kind: 'failed' };

export interface LedgerCall {
  /** Null for the bank's decision. */
  readonly key: string | null;
  readonly command: LedgerCommand;
  readonly intent: string | null;
}

/** A 500 without effect, or with it. */
export type Failing = 'error500' | 'error500After';

interface Fresh {
  readonly id: string;
  readonly eventId: string;
  readonly now: number;
}

const KEY_REUSED: LedgerAnswer = {
  kind: 'refused',
  code: 'idempotency_error',
  message: 'This key was used for another request',
};

/** The practice gateway's books, in the database but apart from the clinic's tables. */
export function openLedger(database: Database) {
  return {
    call: ({ key, command, intent: id }: LedgerCall, fresh: Fresh, failing: Failing | null) =>
      database.inTransaction(async (tx): Promise<KeptAnswer> => {
        const request = JSON.stringify([id, command]);
        const failed: KeptAnswer = { kind: 'failed' };
        if (key !== null) {
          // A second call with the same key waits here for the first, then finds its answer.
          const mine = await tx
            .insert(practiceKey)
            .values({ key, request, answer: { ...failed } })
            .onConflictDoNothing()
            .returning({ key: practiceKey.key });
          if (mine.length === 0) return kept(tx, key, request);
        }
        if (failing === 'error500') return failed;
        const before = id === null ? null : await lock(tx, id);
        const entry = enter(command, before, fresh);
        await save(tx, entry, before, fresh);
        if (failing === 'error500After') return failed;
        const answer: KeptAnswer = {
          kind: 'entry',
          answer: entry.answer,
          intent: entry.intent?.id ?? null,
        };
        if (key !== null)
          await tx.update(practiceKey).set({ answer }).where(eq(practiceKey.key, key));
        return answer;
      }),

    async read(id: string): Promise<LedgerIntent | null> {
      const which = eq(practiceIntent.id, id);
      const [intent] = await database.db.select(columns).from(practiceIntent).where(which);
      return intent ?? null;
    },

    /** Newest first. */
    since: (createdFrom: number): Promise<LedgerIntent[]> =>
      database.db
        .select(columns)
        .from(practiceIntent)
        .where(gte(practiceIntent.createdAt, createdFrom))
        .orderBy(desc(practiceIntent.position)),

    /** In the order in which they happened. */
    events: () => database.db.select().from(practiceEvent).orderBy(asc(practiceEvent.position)),
  };
}

async function kept(tx: Tx, key: string, request: string): Promise<KeptAnswer> {
  const [row] = await tx.select().from(practiceKey).where(eq(practiceKey.key, key));
  if (!row) throw new Error('A practice key that was there is gone');
  if (row.request !== request) return { kind: 'entry', answer: KEY_REUSED, intent: null };
  return row.answer as unknown as KeptAnswer;
}

async function lock(tx: Tx, id: string): Promise<LedgerIntent | null> {
  const which = eq(practiceIntent.id, id);
  const [intent] = await tx.select(columns).from(practiceIntent).where(which).for('update');
  return intent ?? null;
}

async function save(tx: Tx, entry: LedgerEntry, before: LedgerIntent | null, fresh: Fresh) {
  const { intent, event } = entry;
  if (intent === null) return;
  if (before === null) await tx.insert(practiceIntent).values(intent);
  else await tx.update(practiceIntent).set(intent).where(eq(practiceIntent.id, intent.id));
  const { eventId: id, now: createdAt } = fresh;
  if (event !== null)
    await tx.insert(practiceEvent).values({ id, type: event, intentId: intent.id, createdAt });
}
