import type { DocumentKind } from '../../../shared/files/upload-document-dialog.tsx';
import type { Problem, Refusal } from '../hold/hold-time.ts';
import type { CardOutcome } from './card.ts';
import type { PayOutcome } from './pay.ts';

/** State of Pay Online. */
export interface PaymentState {
  readonly shown:
    | { readonly kind: 'form'; readonly problem: Problem | null }
    /** The patient is asked to accept the new fee. */
    | { readonly kind: 'feeWarning' }
    /** Documents to upload before the charge; the dialog asks for the first. */
    | { readonly kind: 'documents'; readonly missing: readonly DocumentKind[] }
    /** It is not known whether the fee was paid; `unknown` is null while polling. */
    | { readonly kind: 'unsettled'; readonly unknown: string | null };
  /** Payment method of the last charge; the charge is repeated with the same one. */
  readonly charged: string | null;
  /** The patient has uploaded all documents here: another upload would not help. */
  readonly uploadedHere: boolean;
}

export type PaymentEvent =
  | { readonly type: 'pay'; readonly feeAccepted: boolean }
  | { readonly type: 'acceptFee' }
  | { readonly type: 'card'; readonly card: CardOutcome }
  | { readonly type: 'charged'; readonly outcome: PayOutcome }
  | {
      readonly type: 'missing';
      readonly missing: readonly DocumentKind[];
      readonly message: string;
    }
  | { readonly type: 'uploaded'; readonly document: DocumentKind }
  | { readonly type: 'checkAgain' }
  | { readonly type: 'unsettled'; readonly unknown: string | null }
  /** `problem` is null where a dialog was closed, or the patient is back from the bank. */
  | { readonly type: 'stopped'; readonly problem: Problem | null };

/** What the page does next; each call answers with the next event. */
export type PaymentCall =
  | { readonly type: 'saveFeeAgreement' }
  | { readonly type: 'takeCard' }
  | { readonly type: 'charge'; readonly method: string }
  | { readonly type: 'goToBank'; readonly url: string }
  | { readonly type: 'findMissing'; readonly message: string }
  | { readonly type: 'followRefusal'; readonly refusal: Refusal };

interface PaymentStep {
  readonly state: PaymentState;
  readonly call?: PaymentCall;
}

export const NEW_PAYMENT: PaymentState = {
  shown: { kind: 'form', problem: null },
  charged: null,
  uploadedHere: false,
};

/** The reducer of Pay Online. There is no I/O here: `usePayment` makes the calls. */
export function nextPayment(state: PaymentState, event: PaymentEvent): PaymentStep {
  const show = (shown: PaymentState['shown'], call?: PaymentCall): PaymentStep => ({
    state: { ...state, shown },
    ...(call && { call }),
  });
  const idle = NEW_PAYMENT.shown;
  switch (event.type) {
    case 'pay':
      return event.feeAccepted ? show(idle, { type: 'takeCard' }) : show({ kind: 'feeWarning' });
    case 'acceptFee':
      return { state, call: { type: 'saveFeeAgreement' } };
    case 'card':
      return entered(state, event.card);
    case 'charged':
      return followed(state, event.outcome);
    case 'missing':
      return event.missing.length > 0
        ? show({ kind: 'documents', missing: event.missing })
        : show({ kind: 'form', problem: { message: event.message, needsClinic: true } });
    case 'uploaded': {
      if (state.shown.kind !== 'documents') return { state };
      const missing = state.shown.missing.filter((kind) => kind !== event.document);
      if (missing.length > 0) return show({ kind: 'documents', missing });
      return repeated({ ...state, shown: idle, uploadedHere: true });
    }
    case 'checkAgain':
      return repeated({ ...state, shown: { kind: 'unsettled', unknown: null } });
    case 'unsettled':
      return show({ kind: 'unsettled', unknown: event.unknown });
    case 'stopped':
      return show({ kind: 'form', problem: event.problem });
  }
}

function entered(state: PaymentState, card: CardOutcome): PaymentStep {
  switch (card.kind) {
    case 'method':
      return repeated({ ...state, charged: card.id });
    case 'failed':
      return { state: { ...state, shown: { kind: 'form', problem: { message: card.message } } } };
    case 'incomplete':
      return { state };
  }
}

/** Sends the charge, or the same one again. */
function repeated(state: PaymentState): PaymentStep {
  const { charged: method } = state;
  return method === null ? { state } : { state, call: { type: 'charge', method } };
}

function followed(state: PaymentState, outcome: PayOutcome): PaymentStep {
  const stop = (problem: Problem) => ({
    state: { ...state, shown: { kind: 'form', problem } as const },
  });
  switch (outcome.kind) {
    // The journey shows the booking.
    case 'paid':
      return { state };
    case 'toBank':
      return { state, call: { type: 'goToBank', url: outcome.url } };
    case 'unknown':
      return { state: { ...state, shown: { kind: 'unsettled', unknown: outcome.message } } };
    case 'priced':
      return stop({ message: outcome.message });
    case 'documentsMissing':
      return state.uploadedHere
        ? stop({ message: outcome.message, needsClinic: true })
        : { state, call: { type: 'findMissing', message: outcome.message } };
    case 'refused':
      return { state, call: { type: 'followRefusal', refusal: outcome } };
  }
}
