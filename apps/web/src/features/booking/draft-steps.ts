import type { ClinicDate } from '@clinic/domain';
import { isReady } from './booking-draft.ts';
import type { BookedVisit, Draft, PickedSlot } from './booking-draft.ts';

// How a draft goes from one step to the next. The machine's states say which of these can happen.

function wrongStep(draft: Draft): never {
  throw new Error(`The journey does not go there from ${draft.step}`);
}

/** From the types to the slots. */
export function searching(draft: Draft, firstDay: ClinicDate): Draft {
  if (draft.step !== 'schedule') return wrongStep(draft);
  const search = { ...draft.search, date: draft.search.date ?? firstDay };
  return isReady(search)
    ? { step: 'displaySchedule', search, shown: search.date }
    : wrongStep(draft);
}

/** From the slots to confirm, with a slot in hand. */
export function picked(draft: Draft, slot: PickedSlot, requestKey: string): Draft {
  if (draft.step !== 'displaySchedule') return wrongStep(draft);
  const { search, shown } = draft;
  return { step: 'confirm', search, shown, slot, requestKey };
}

/** Back from the slots to the types. */
export function choosing(draft: Draft): Draft {
  return draft.step === 'displaySchedule'
    ? { step: 'schedule', search: draft.search }
    : wrongStep(draft);
}

/** Back to the slots: the slot is no longer in hand. */
export function looking(draft: Draft): Draft {
  return draft.step === 'confirm' || draft.step === 'payment'
    ? { step: 'displaySchedule', search: draft.search, shown: draft.shown }
    : wrongStep(draft);
}

/** On to payment with the price that the clinic names, or there with another one. */
export function paying(draft: Draft, chargeCents: number): Draft {
  return draft.step === 'confirm' || draft.step === 'payment'
    ? { ...draft, step: 'payment', chargeCents }
    : wrongStep(draft);
}

/** Back from payment to confirm. */
export function confirming(draft: Draft): Draft {
  if (draft.step !== 'payment') return wrongStep(draft);
  const { search, shown, slot, requestKey } = draft;
  return { step: 'confirm', search, shown, slot, requestKey };
}

/** To the end, whatever the way there. */
export function ended(visit: BookedVisit): Draft {
  return { step: 'booked', visit };
}
