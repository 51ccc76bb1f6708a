import type { PracticeCard } from '@clinic/domain';

/** The statuses of Stripe, whose gateway the practice ledger stands in for. */
export type LedgerStatus =
  'requires_payment_method' | 'requires_action' | 'requires_capture' | 'succeeded' | 'canceled';

export interface LedgerIntent {
  readonly id: string;
  readonly payment: string | null;
  readonly amountCents: number;
  readonly currency: string;
  readonly status: LedgerStatus;
  readonly capturedCents: number;
  readonly createdAt: number;
  readonly declined: { readonly code: string; readonly message: string } | null;
  readonly refund: {
    readonly status: 'pending' | 'succeeded' | 'failed';
    readonly amountCents: number;
  } | null;
}

/** `card` is null for a payment method that nobody knows. */
export type LedgerCommand =
  | {
      readonly kind: 'create';
      readonly payment: string | null;
      readonly amountCents: number;
      readonly currency: string;
      readonly card: PracticeCard | null;
    }
  | { readonly kind: 'confirm'; readonly card: PracticeCard | null }
  | { readonly kind: 'capture'; readonly amountCents: number }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'refund'; readonly amountCents: number }
  | { readonly kind: 'bank'; readonly approved: boolean };

export type LedgerAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'declined'; readonly code: string; readonly message: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** `intent` is how it stands afterwards; null when there is none. */
export interface LedgerEntry {
  readonly answer: LedgerAnswer;
  readonly intent: LedgerIntent | null;
  readonly event: string | null;
}

const DECLINES: Partial<Record<PracticeCard, { code: string; message: string }>> = {
  declined: { code: 'generic_decline', message: 'Your card was declined.' },
  insufficient: { code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  expired: { code: 'expired_card', message: 'Your card has expired.' },
};

const NOT_AUTHENTICATED = {
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

/** What a command does to an intent, as Stripe does it; pure, so that both stand-ins share it. */
export function enter(
  command: LedgerCommand,
  intent: LedgerIntent | null,
  fresh: { readonly id: string; readonly now: number },
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
        ? done(
            { ...intent, status: 'requires_capture' },
            'payment_intent.amount_capturable_updated',
          )
        : declined(intent, NOT_AUTHENTICATED);
    case 'capture':
      if (intent.status !== 'requires_capture') return unexpected(intent);
      if (command.amountCents !== intent.amountCents)
        return refused('amount_too_large', 'Only the whole amount is captured here', intent);
      return done(
        { ...intent, status: 'succeeded', capturedCents: command.amountCents },
        'payment_intent.succeeded',
      );
    case 'cancel':
      if (intent.status === 'succeeded' || intent.status === 'canceled') return unexpected(intent);
      return done({ ...intent, status: 'canceled' }, 'payment_intent.canceled');
    case 'refund':
      if (intent.status !== 'succeeded') return unexpected(intent);
      if (intent.refund !== null || command.amountCents > intent.capturedCents)
        return refused('charge_already_refunded', 'The charge has already been refunded.', intent);
      return done(
        { ...intent, refund: { status: 'succeeded', amountCents: command.amountCents } },
        'charge.refunded',
      );
  }
}

function create(
  command: Extract<LedgerCommand, { kind: 'create' }>,
  fresh: { readonly id: string; readonly now: number },
): LedgerEntry {
  if (!Number.isSafeInteger(command.amountCents) || command.amountCents < 50)
    return refused('amount_too_small', 'Amount must be at least 50 cents', null);
  if (command.card === null) return refused('resource_missing', 'No such payment_method', null);
  const made: LedgerIntent = {
    id: fresh.id,
    payment: command.payment,
    amountCents: command.amountCents,
    currency: command.currency,
    status: 'requires_payment_method',
    capturedCents: 0,
    createdAt: fresh.now,
    declined: null,
    refund: null,
  };
  return confirmed(made, command.card);
}

function confirmed(intent: LedgerIntent, card: PracticeCard | null): LedgerEntry {
  if (card === null) return refused('resource_missing', 'No such payment_method', intent);
  const decline = DECLINES[card];
  if (decline) return declined(intent, decline);
  return card === 'needsBank'
    ? done(
        { ...intent, status: 'requires_action', declined: null },
        'payment_intent.requires_action',
      )
    : done(
        { ...intent, status: 'requires_capture', declined: null },
        'payment_intent.amount_capturable_updated',
      );
}

const done = (intent: LedgerIntent, event: string): LedgerEntry => ({
  answer: { kind: 'done' },
  intent,
  event,
});

const declined = (
  intent: LedgerIntent,
  why: { readonly code: string; readonly message: string },
): LedgerEntry => ({
  answer: { kind: 'declined', ...why },
  intent: { ...intent, status: 'requires_payment_method', declined: why },
  event: 'payment_intent.payment_failed',
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
