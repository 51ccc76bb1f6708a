import { useQuery } from '@tanstack/react-query';
import type { EpochSeconds } from '@clinic/domain';
import type { ApiHold } from '@clinic/contract';
import { useClinicNow } from '../../../api/clock.ts';
import { sameSlot, type PickedSlot } from '../journey.ts';
import { holdQuery } from '../slots/slot-queries.ts';

export type HoldState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'held'; readonly until: EpochSeconds; readonly secondsLeft: number }
  | { readonly kind: 'lapsed' }
  /** Another tab of the patient holds another time. */
  | { readonly kind: 'moved' };

function holdStateOf(
  hold: ApiHold | null | undefined,
  slot: PickedSlot,
  now: EpochSeconds,
): HoldState {
  if (hold === undefined) return { kind: 'asking' };
  if (hold === null || hold.expiresAt <= now) return { kind: 'lapsed' };
  if (!sameSlot(hold, slot)) return { kind: 'moved' };
  return { kind: 'held', until: hold.expiresAt, secondsLeft: hold.expiresAt - now };
}

/** Whether the slot in hand is still held for the patient, and for how long. */
export function useHoldState(slot: PickedSlot): HoldState {
  // Who comes back to a tab may have held another time meanwhile, on another device too.
  const { data, isError } = useQuery({ ...holdQuery, refetchOnWindowFocus: 'always' });
  const now = useClinicNow();
  return isError ? { kind: 'lapsed' } : holdStateOf(data, slot, now);
}
