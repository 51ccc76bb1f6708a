import type { ApiDaySheet } from '@clinic/contract';
import { keptChoice } from '../../shared/kept-choice.ts';

type Providers = ApiDaySheet['providers'];

/** Which providers the sheet leaves out, and in which order the others stand, by id. */
interface Arrangement {
  readonly hidden: readonly string[];
  /** Whoever is not among them comes after them, as the clinic has them. */
  readonly order: readonly string[];
}

export const AS_THE_CLINIC_HAS_THEM: Arrangement = { hidden: [], order: [] };

export const { use: useArrangement, choose: arrange } = keptChoice('desk.providers', {
  read: (kept) => ({ ...AS_THE_CLINIC_HAS_THEM, ...(JSON.parse(kept ?? '{}') as Arrangement) }),
  write: (arrangement: Arrangement) => JSON.stringify(arrangement),
});

export function inOrder(providers: Providers, { order }: Arrangement): Providers {
  const placeOf = ({ id }: Providers[number]) =>
    order.includes(id) ? order.indexOf(id) : order.length;
  return providers.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Who is not left out, and whose appointment is open; everybody where that is nobody. */
export function shownOf(
  providers: Providers,
  { hidden }: Arrangement,
  openId: string | null,
): Providers {
  const shown = providers.filter(
    ({ id, appointments }) =>
      !hidden.includes(id) || appointments.some((each) => each.id === openId),
  );
  return shown.length === 0 ? providers : shown;
}
