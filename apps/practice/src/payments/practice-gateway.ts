import { practiceCardOf } from '@clinic/domain';
import type { Clock } from '@clinic/service/server/clock.ts';
import type { Ids } from '@clinic/service/server/ids.ts';
import type {
  GatewayEvent,
  Intent,
  IntentStatus,
  PaymentGateway,
} from '@clinic/service/modules/payments/gateway.ts';
import {
  GatewayDeclined,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
} from '@clinic/service/modules/payments/gateway.ts';
import type { FaultSwitch, GatewayCall, SignedEvent } from './faults.ts';
import { noFaults } from './faults.ts';
import type { LedgerCommand, LedgerIntent, LedgerStatus } from './ledger.ts';
import type {
  Failing,
  KeptAnswer,
  LedgerCall,
  PracticeEvent,
  PracticeLedger,
} from './practice-ledger.ts';
import { isSignedBy, signWebhook } from './webhook-signature.ts';

export interface PracticeGatewayOptions {
  readonly ledger: PracticeLedger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Signs webhooks. */
  readonly secret: string;
  /** Without a slash at the end; the bank page stands under it. */
  readonly publicUrl: string;
  /** Takes webhook calls; left out, nothing is sent and `signedEvents` tells what would have been. */
  readonly send?: (event: SignedEvent) => Promise<void>;
  readonly faults?: FaultSwitch;
}

export interface PracticeGateway extends PaymentGateway {
  /** The patient's decision on the bank page; false when there is nothing to decide. */
  decide(intent: string, approved: boolean): Promise<boolean>;
  intentAtBank(intent: string): Promise<LedgerIntent | null>;
  /** Every event so far, signed now. */
  signedEvents(): Promise<SignedEvent[]>;
  /** Lets calls that stalled take their effect. */
  runStalled(): Promise<void>;
}

const PAGE_SIZE = 50;

const STATUS: Record<LedgerStatus, IntentStatus> = {
  requires_payment_method: 'needsCard',
  requires_action: 'needsAction',
  requires_capture: 'authorised',
  succeeded: 'captured',
  canceled: 'cancelled',
};

/** Card payments without a provider: the same promises, its own books, a bank page of its own. */
export function createPracticeGateway(options: PracticeGatewayOptions): PracticeGateway {
  const { ledger, clock, ids, secret, publicUrl, send, faults = noFaults } = options;
  const stalled: (() => Promise<unknown>)[] = [];

  const asIntent = (entry: LedgerIntent): Intent => ({
    id: entry.id,
    status: STATUS[entry.status],
    amountCents: entry.amountCents,
    capturedCents: entry.capturedCents,
    currency: entry.currency,
    payment: entry.payment,
    createdAt: entry.createdAt,
    bankUrl: entry.status === 'requires_action' ? `${publicUrl}/practice/bank/${entry.id}` : null,
    declined: entry.declined,
    refund: entry.refund,
  });

  async function enterInBooks(call: LedgerCall, failing: Failing): Promise<KeptAnswer> {
    const fresh = {
      id: `pi_practice_${ids.uuid().replaceAll('-', '')}`,
      eventId: `evt_practice_${ids.uuid().replaceAll('-', '')}`,
      now: clock.now(),
    };
    const answer = await ledger.call(call, fresh, failing);
    if (send) {
      const event = (await ledger.events()).find(({ id }) => id === fresh.eventId);
      // Webhooks come when they come: nobody waits for them, and a lost one is made up for.
      if (event) void send(signed(event)).catch(() => undefined);
    }
    return answer;
  }

  const signed = (event: PracticeEvent): SignedEvent => {
    const body = JSON.stringify({
      id: event.id,
      object: 'event',
      type: event.type,
      created: event.createdAt,
      livemode: false,
      data: { object: { id: event.intent, object: 'payment_intent' } },
    });
    return { body, signature: signWebhook(secret, body, clock.now()) };
  };

  async function write(name: GatewayCall, call: LedgerCall): Promise<Intent> {
    const fault = faults(name);
    switch (fault) {
      case 'dropBefore':
        throw new GatewayOutcomeUnknown('The connection broke', false);
      case 'dropAfter':
        await enterInBooks(call, 'no');
        throw new GatewayOutcomeUnknown('The connection broke', false);
      case 'stall':
        stalled.push(() => enterInBooks(call, 'no'));
        throw new GatewayOutcomeUnknown('No answer came in time', false);
      case 'tooMany':
        throw new GatewayUnreachable('Too many requests');
      case 'error500':
      case 'error500After':
      case null:
        break;
    }
    const failing = { error500: 'withoutEffect', error500After: 'afterEffect' } as const;
    const kept = await enterInBooks(call, fault === null ? 'no' : failing[fault]);
    if (kept.kind === 'failed') throw new GatewayOutcomeUnknown('The gateway failed', true);
    const entry = kept.intent === null ? null : await ledger.read(kept.intent);
    const intent = entry === null ? null : asIntent(entry);
    const { answer } = kept;
    if (answer.kind === 'declined') throw new GatewayDeclined(answer.code, answer.message, intent);
    if (answer.kind === 'refused') throw new GatewayRefused(answer.code, answer.message);
    if (intent === null) throw new Error('The practice ledger lost an intent');
    return intent;
  }

  async function read<T>(name: GatewayCall, work: () => Promise<T>): Promise<T> {
    const fault = faults(name);
    if (fault !== null) throw new GatewayUnreachable(`No answer to ${name}`);
    return work();
  }

  const change = (name: GatewayCall, key: string, intent: string, command: LedgerCommand) =>
    write(name, { key, command, intent });

  return {
    createAndConfirm: ({ key, payment, amountCents, paymentMethod }) =>
      write('create', {
        key,
        intent: null,
        command: {
          kind: 'create',
          payment,
          amountCents,
          currency: 'cad',
          card: practiceCardOf(paymentMethod),
        },
      }),
    confirm: (key, intent, paymentMethod) =>
      change('confirm', key, intent, { kind: 'confirm', card: practiceCardOf(paymentMethod) }),
    capture: (key, intent, amountCents) =>
      change('capture', key, intent, { kind: 'capture', amountCents }),
    cancel: (key, intent) => change('cancel', key, intent, { kind: 'cancel' }),
    refund: async (key, intent, amountCents) => {
      await change('refund', key, intent, { kind: 'refund', amountCents });
    },
    retrieve: (intent) =>
      read('retrieve', async () => {
        const entry = await ledger.read(intent);
        return entry === null ? null : asIntent(entry);
      }),
    findByPayment: (payment, createdAt) =>
      read('find', async () => (await ledger.ofPayment(payment, createdAt)).map(asIntent)),
    listIntents: (createdFrom, after) =>
      read('list', async () => {
        const intents = (await ledger.page(createdFrom, after, PAGE_SIZE + 1)).map(asIntent);
        const page = intents.slice(0, PAGE_SIZE);
        return {
          intents: page,
          next: intents.length > PAGE_SIZE ? (page.at(-1)?.id ?? null) : null,
        };
      }),
    verifyWebhook: (body, signature, now) => {
      const text = Buffer.from(body).toString('utf8');
      return isSignedBy(secret, text, signature, now) ? eventOf(text) : null;
    },

    decide: async (intent, approved) => {
      const kept = await enterInBooks(
        { key: null, intent, command: { kind: 'bank', approved } },
        'no',
      );
      return kept.kind === 'entry' && kept.answer.kind !== 'refused';
    },
    intentAtBank: (intent) => ledger.read(intent),
    signedEvents: async () => (await ledger.events()).map(signed),
    runStalled: async () => {
      for (const effect of stalled.splice(0)) await effect();
    },
  };
}

function eventOf(text: string): GatewayEvent {
  const event = JSON.parse(text) as {
    id: string;
    type: string;
    created: number;
    data: { object: { id: string } };
  };
  return { id: event.id, type: event.type, createdAt: event.created, intent: event.data.object.id };
}
