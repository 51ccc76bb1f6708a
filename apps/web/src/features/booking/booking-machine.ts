import { assign, setup } from 'xstate';
import type { ClinicDate } from '@clinic/domain';
import type { ApiAnswers } from '@clinic/contract';
import {
  isReady,
  choosing,
  confirming,
  ended,
  looking,
  paying,
  picked,
  searching,
  type BookedVisit,
  type Draft,
  type PickedSlot,
  type ReadySearch,
  type RescheduleOf,
  type Search,
} from './booking-draft.ts';
import type { CrashAnswers } from './crash-answers.ts';
import { NO_ANSWERS, withKept, withReason, type VisitAnswers } from './visit-answers.ts';

export interface Journey {
  readonly draft: Draft;
  /** Survives every detour and ends with the booking or a reset. */
  readonly answers: VisitAnswers;
  readonly rescheduleOf: RescheduleOf | null;
  /** The fee of the chosen type was accepted in the warning. */
  readonly feeAccepted: boolean;
  /** What the patient must read on the step they were brought back to. */
  readonly notice: string | null;
}

export type JourneyEvent =
  | { readonly type: 'choose'; readonly search: Search }
  | { readonly type: 'search'; readonly firstDay: ClinicDate }
  | { readonly type: 'show'; readonly day: ClinicDate }
  | { readonly type: 'pick'; readonly slot: PickedSlot; readonly requestKey: string }
  | { readonly type: 'answer'; readonly reason: string }
  | { readonly type: 'tellOfCrash'; readonly crash: Partial<CrashAnswers> }
  /** `requestKey` names the slot that is lost; without it, the one in hand. */
  | { readonly type: 'slotLost'; readonly message: string; readonly requestKey?: string }
  | { readonly type: 'acceptFee' }
  | { readonly type: 'pay'; readonly chargeCents: number }
  | { readonly type: 'priced'; readonly chargeCents: number }
  | { readonly type: 'booked'; readonly visit: BookedVisit }
  | { readonly type: 'back' }
  | { readonly type: 'resume'; readonly held: HeldDraft }
  | { readonly type: 'reschedule'; readonly of: RescheduleOf }
  | { readonly type: 'reset' };

/** A hold read back from the service, with the answers that its draft kept. */
export interface HeldDraft {
  readonly search: ReadySearch;
  readonly slot: PickedSlot;
  readonly requestKey: string;
  readonly answers: ApiAnswers | null;
  readonly rescheduleOf: RescheduleOf | null;
}

const start: Journey = {
  draft: { step: 'schedule', search: { type: null, doctor: null, date: null } },
  answers: NO_ANSWERS,
  rescheduleOf: null,
  feeAccepted: false,
  notice: null,
};

/** The journey's search, on any step that still has one. */
export function searchOf(draft: Draft): Search | null {
  return draft.step === 'booked' ? null : draft.search;
}

/** The slot in hand, from confirm on. */
export function slotOf(draft: Draft): PickedSlot | null {
  if (draft.step === 'booked') return draft.visit.slot;
  return draft.step === 'confirm' || draft.step === 'payment' ? draft.slot : null;
}

/** The journey from its first step on, for the visit that is being moved. */
function moving(rescheduleOf: RescheduleOf): Journey {
  const search = { type: rescheduleOf.type, doctor: null, date: null };
  return { ...start, draft: { step: 'schedule', search }, rescheduleOf };
}

/**
 * The journey (§4 Booking flow): the specification's five states and no other. A step's draft holds
 * what was settled before it, so that no screen meets a half-filled booking. The machine does no
 * I/O: the screens ask the service and say what came of it.
 */
export const bookingMachine = setup({
  types: {
    context: {} as Journey,
    events: {} as JourneyEvent,
  },
  guards: {
    ready: ({ context: { draft } }, { firstDay }: { firstDay: ClinicDate }) =>
      draft.step === 'schedule' &&
      draft.search.type !== 'F' &&
      isReady({ ...draft.search, date: draft.search.date ?? firstDay }),
    inHand: ({ context: { draft } }, { requestKey }: { requestKey: string | undefined }) =>
      requestKey === undefined || ('requestKey' in draft && draft.requestKey === requestKey),
    typeAllowed: ({ context: { rescheduleOf } }, params: { search: Search }) =>
      rescheduleOf === null || params.search.type === rescheduleOf.type,
  },
}).createMachine({
  id: 'booking',
  initial: 'schedule',
  context: start,
  on: {
    reset: { target: '.schedule', actions: assign(() => start) },
    reschedule: { target: '.schedule', actions: assign(({ event }) => moving(event.of)) },
    // Wherever the patient went while the answer was on its way: what was booked is shown.
    booked: {
      target: '.booked',
      actions: assign(({ event }) => ({ ...start, draft: ended(event.visit) })),
    },
  },
  states: {
    schedule: {
      on: {
        choose: {
          guard: { type: 'typeAllowed', params: ({ event }) => ({ search: event.search }) },
          actions: assign(({ context, event }) => ({
            draft: { step: 'schedule', search: event.search },
            feeAccepted: context.feeAccepted && event.search.type === searchOf(context.draft)?.type,
            notice: null,
          })),
        },
        search: {
          guard: { type: 'ready', params: ({ event }) => ({ firstDay: event.firstDay }) },
          target: 'displaySchedule',
          actions: assign(({ context, event }) => ({
            draft: searching(context.draft, event.firstDay),
            notice: null,
          })),
        },
        resume: {
          target: 'confirm',
          actions: assign(({ context, event: { held } }) => ({
            draft: {
              step: 'confirm',
              search: held.search,
              shown: held.search.date,
              slot: held.slot,
              requestKey: held.requestKey,
            },
            answers: withKept(context.answers, held.search.type, held.answers),
            rescheduleOf: held.rescheduleOf,
            feeAccepted: false,
            notice: null,
          })),
        },
      },
    },
    displaySchedule: {
      on: {
        show: {
          actions: assign(({ context: { draft }, event }) => ({
            draft: draft.step === 'displaySchedule' ? { ...draft, shown: event.day } : draft,
            notice: null,
          })),
        },
        pick: {
          target: 'confirm',
          actions: assign(({ context, event }) => ({
            draft: picked(context.draft, event.slot, event.requestKey),
            notice: null,
          })),
        },
        back: {
          target: 'schedule',
          actions: assign(({ context }) => ({ draft: choosing(context.draft), notice: null })),
        },
      },
    },
    confirm: {
      on: {
        answer: {
          actions: assign(({ context: { draft, answers }, event }) =>
            draft.step === 'confirm'
              ? { answers: withReason(answers, draft.search.type, event.reason) }
              : {},
          ),
        },
        tellOfCrash: {
          actions: assign(({ context: { answers }, event }) => ({
            answers: { ...answers, crash: { ...answers.crash, ...event.crash } },
          })),
        },
        slotLost: {
          guard: { type: 'inHand', params: ({ event }) => ({ requestKey: event.requestKey }) },
          target: 'displaySchedule',
          actions: assign(({ context, event }) => ({
            draft: looking(context.draft),
            notice: event.message,
          })),
        },
        acceptFee: { actions: assign({ feeAccepted: true }) },
        pay: {
          target: 'payment',
          actions: assign(({ context: { draft }, event }) => ({
            draft: paying(draft, event.chargeCents),
          })),
        },
        back: {
          target: 'displaySchedule',
          actions: assign(({ context }) => ({ draft: looking(context.draft), notice: null })),
        },
      },
    },
    payment: {
      on: {
        acceptFee: { actions: assign({ feeAccepted: true }) },
        // Another price than the one that was shown: what was accepted before counts no more.
        priced: {
          actions: assign(({ context: { draft }, event }) => ({
            draft: paying(draft, event.chargeCents),
            feeAccepted: false,
          })),
        },
        slotLost: {
          guard: { type: 'inHand', params: ({ event }) => ({ requestKey: event.requestKey }) },
          target: 'displaySchedule',
          actions: assign(({ context, event }) => ({
            draft: looking(context.draft),
            notice: event.message,
          })),
        },
        back: {
          target: 'confirm',
          actions: assign(({ context }) => ({ draft: confirming(context.draft) })),
        },
      },
    },
    booked: {},
  },
});
