import type { CallInput, RepeatableId } from '@clinic/contract';
import { askUntilKnown, type Known, type Waiting } from '@clinic/contract/outcome';
import { noteCharge } from './charges-under-way.ts';
import { callService } from './service.ts';

const device: Waiting = {
  now: () => performance.now(),
  pause: (ms) => new Promise((over) => setTimeout(over, ms)),
};

/** Asks until the outcome is known, for a minute; `onChecking` hears once that it is not. */
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
