import type { CallInput, RepeatableId } from '@clinic/contract';
import { askUntilKnown, type Known, type Waiting } from '@clinic/contract/outcome';
import { noteCharge } from './charges-under-way.ts';
import { callService } from './service.ts';

const device: Waiting = {
  now: () => performance.now(),
  pause: (ms) => new Promise((over) => setTimeout(over, ms)),
};

/** Repeats a call for up to a minute until its outcome is known. Calls `onChecking` once if it repeats. */
export function callUntilKnown<Id extends RepeatableId>(
  id: Id,
  input: CallInput<Id>,
  onChecking: () => void = () => {},
): Promise<Known<Id>> {
  const asked = askUntilKnown(
    (patienceMs) => callService(id, input, { patienceMs }),
    device,
    onChecking,
  );
  return id === 'charge' ? noteCharge(asked) : asked;
}
