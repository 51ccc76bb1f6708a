import { createHmac } from 'node:crypto';
import { practiceCardOf } from '@clinic/domain';
import { intentStatus, stripeEvent } from '@clinic/service/adapters/payments-stripe.ts';
import type { Database } from '@clinic/service/database/db.ts';
import {
  type Intent,
  type PaymentGateway,
  GatewayDeclined,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
} from '@clinic/service/modules/payments/gateway.ts';
import type { Keyring } from '@clinic/service/security/keyring.ts';
import type { Clock, Ids } from '@clinic/service/server/ports.ts';
import {
  type Failing,
  type LedgerCall,
  type LedgerCommand,
  type LedgerIntent,
  openLedger,
} from './ledger.ts';

/**
 * What can go wrong with one call. `dropBefore`, `dropAfter`: the connection breaks before or after the
 * effect. `error500`: a 500 without effect, which its key repeats; `error500After`: the same after the
 * effect. `tooMany`: a 429 without effect. `stall`: no answer, and the effect comes late.
 */
export type GatewayFault =
  'dropBefore' | 'dropAfter' | 'error500' | 'error500After' | 'tooMany' | 'stall';

export type GatewayCall =
  'create' | 'confirm' | 'retrieve' | 'capture' | 'cancel' | 'refund' | 'list';

/** Asked once per call for a fault; null lets the call through. */
export type FaultSwitch = (call: GatewayCall) => GatewayFault | null;

/** A webhook call to be sent: the raw body and its signature header. */
export interface SignedEvent {
  readonly body: string;
  readonly signature: string;
}

interface PracticeGatewayOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The secret that signs webhooks. */
  readonly secret: string;
  /** Without a slash at the end; the bank page is below it. */
  readonly publicUrl: string;
  readonly faults?: FaultSwitch;
}

export interface PracticeGateway extends PaymentGateway {
  /** Enters the patient's decision on the bank page; returns the intent afterwards. */
  decide(intent: string, approved: boolean): Promise<LedgerIntent | null>;
  intentAtBank(intent: string): Promise<LedgerIntent | null>;
  /** Every event so far, with a fresh signature. */
  signedEvents(): Promise<SignedEvent[]>;
  /** Sets where webhook calls go. Until it is called, none is sent; `signedEvents` has them. */
  sendTo(send: (event: SignedEvent) => Promise<unknown>): void;
  /** Lets calls that stalled take effect now. */
  runStalled(): Promise<void>;
}

/** Card payments without a provider, with its own books and bank page. */
export function createPracticeGateway(options: PracticeGatewayOptions): PracticeGateway {
  const { database, clock, ids, secret, publicUrl, faults = () => null } = options;
  const ledger = openLedger(database);
  const stalled: (() => Promise<unknown>)[] = [];
  let send: Parameters<PracticeGateway['sendTo']>[0] | null = null;

  const asIntent = ({ status, ...entry }: LedgerIntent): Intent => ({
    ...entry,
    status: intentStatus(status),
    bankUrl: status === 'requires_action' ? `${publicUrl}/practice/bank/${entry.id}` : null,
  });

  async function enterInBooks(call: LedgerCall, failing: Failing | null = null) {
    const fresh = {
      id: `pi_practice_${ids.uuid().replaceAll('-', '')}`,
      eventId: `evt_practice_${ids.uuid().replaceAll('-', '')}`,
      now: clock.now(),
    };
    const answer = await ledger.call(call, fresh, failing);
    if (send) {
      const event = (await ledger.events()).find(({ id }) => id === fresh.eventId);
      // Webhooks are sent without waiting. A lost one does no harm: the service also looks by itself.
      if (event) void send(signed(event)).catch(() => undefined);
    }
    return answer;
  }

  type LedgerEvent = Awaited<ReturnType<typeof ledger.events>>[number];
  const signed = (event: LedgerEvent): SignedEvent => {
    const body = JSON.stringify({
      id: event.id,
      object: 'event',
      type: event.type,
      created: event.createdAt,
      livemode: false,
      data: { object: { id: event.intentId, object: 'payment_intent' } },
    });
    return { body, signature: signWebhook(secret, body, clock.now()) };
  };

  async function write(name: GatewayCall, call: LedgerCall): Promise<Intent> {
    const fault = faults(name);
    switch (fault) {
      case 'dropBefore':
        throw new GatewayOutcomeUnknown('The connection broke', false);
      case 'dropAfter':
        await enterInBooks(call);
        throw new GatewayOutcomeUnknown('The connection broke', false);
      case 'stall':
        stalled.push(() => enterInBooks(call));
        throw new GatewayOutcomeUnknown('No answer came in time', false);
      case 'tooMany':
        throw new GatewayUnreachable('Too many requests');
      case 'error500':
      case 'error500After':
      case null:
        break;
    }
    const kept = await enterInBooks(call, fault);
    if (kept.kind === 'failed') throw new GatewayOutcomeUnknown('The gateway failed', true);
    const entry = kept.intent === null ? null : await ledger.read(kept.intent);
    const intent = entry === null ? null : asIntent(entry);
    const { answer } = kept;
    if (answer.kind === 'declined') throw new GatewayDeclined(answer.code, answer.message);
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
    listIntents: (createdFrom) =>
      read('list', async () => (await ledger.since(createdFrom)).map(asIntent)),
    verifyWebhook: (body, signature, now) => stripeEvent(secret, body, signature, now),

    decide: async (intent, approved) => {
      await enterInBooks({ key: null, intent, command: { kind: 'bank', approved } });
      return ledger.read(intent);
    },
    intentAtBank: (intent) => ledger.read(intent),
    signedEvents: async () => (await ledger.events()).map(signed),
    sendTo: (receiver) => {
      send = receiver;
    },
    runStalled: async () => {
      for (const effect of stalled.splice(0)) await effect();
    },
  };
}

/** A webhook's signature header in Stripe's format: the HMAC of time and raw body. */
export function signWebhook(secret: string, body: string, now: number): string {
  const mac = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex');
  return `t=${now},v1=${mac}`;
}

/** The practice gateway, whose books are in the practice clinic's own database. */
export function practiceCards({
  keyring,
  ...parts
}: Omit<PracticeGatewayOptions, 'secret'> & { readonly keyring: Keyring }) {
  const secret = keyring.secretFor('practice-webhooks');
  const gateway = createPracticeGateway({ ...parts, secret });
  return { gateway, bankOrigins: [new URL(parts.publicUrl).origin] };
}
