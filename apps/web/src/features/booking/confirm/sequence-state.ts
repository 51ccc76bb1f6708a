import type { ConfirmFacts } from '@clinic/domain';
import type { Problem } from '../hold/hold-time.ts';
import { withUpload, type Pause, type Question } from './confirm-sequence.ts';

/** State of the sequence after Next. */
export interface SequenceState {
  readonly busy: boolean;
  /** The question whose dialog is open, or null. */
  readonly asking: Question | null;
  /** Why the booking stopped; everything entered is kept. */
  readonly problem: Problem | null;
  /** Set while it is not known whether the booking was made; null otherwise. */
  readonly unsettled: Unsettled | null;
  /** What was known at the last question, or when the booking was last sent; null before. */
  readonly facts: ConfirmFacts | null;
  /** The patient has uploaded all documents here: another upload would not help. */
  readonly uploadedHere: boolean;
  /** The pharmacy prompt was answered or closed: it is shown once per appointment. */
  readonly pharmacyAnswered: boolean;
}

/** `unknown` is what the patient reads after a minute of polling; null while polling. */
export interface Unsettled {
  readonly unknown: string | null;
}

export type SequenceEvent =
  /** Next or an answer was pressed. */
  | { readonly type: 'work' }
  /** The calls have led to a question, or to an end. */
  | ({ readonly type: 'pause' } & Pause)
  | { readonly type: 'uploaded'; readonly document: 'healthCard' | 'pictureId' }
  | { readonly type: 'pharmacyAnswered' }
  | ({ readonly type: 'unsettled' } & Unsettled)
  | { readonly type: 'refused'; readonly problem: Problem }
  /** The dialog was closed, or the form itself says what to do. */
  | { readonly type: 'idle' };

export const NEW_SEQUENCE: SequenceState = {
  busy: false,
  asking: null,
  problem: null,
  unsettled: null,
  facts: null,
  uploadedHere: false,
  pharmacyAnswered: false,
};

/** The reducer of the sequence after Next. There is no I/O here: `useConfirmSequence` makes the calls. */
export function nextSequence(state: SequenceState, event: SequenceEvent): SequenceState {
  const { facts, uploadedHere, pharmacyAnswered } = state;
  const idle = { ...NEW_SEQUENCE, facts, uploadedHere, pharmacyAnswered };
  switch (event.type) {
    case 'work':
      return { ...state, busy: true, problem: null };
    case 'pause':
      return paused(state, idle, event);
    case 'uploaded': {
      if (facts === null) return state;
      const { uploads } = withUpload(facts, event.document);
      const hasAll = uploads.healthCard && uploads.pictureId;
      return { ...state, facts: { ...facts, uploads }, uploadedHere: hasAll };
    }
    case 'pharmacyAnswered':
      return { ...state, pharmacyAnswered: true };
    case 'unsettled':
      return { ...idle, unsettled: { unknown: event.unknown } };
    case 'refused':
      return { ...idle, problem: event.problem };
    case 'idle':
      return idle;
  }
}

function paused(state: SequenceState, idle: SequenceState, { facts, stop }: Pause): SequenceState {
  switch (stop) {
    // What these ends lead to is an event of its own; until then the screen stays as it is.
    case 'showProblems':
    case 'refuseOverLimit':
    case 'book':
    case 'pay':
      return { ...state, facts };
    default:
      return { ...idle, facts, asking: stop };
  }
}
