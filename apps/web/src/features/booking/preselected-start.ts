import { useEffect } from 'react';
import { preselectedType } from '../../shared/preselected-type.ts';
import { useStore } from '../../shared/store.ts';
import type { Loaded } from './booking-data.ts';
import type { OpenJourney } from './journey.ts';

/** Chooses the type that the patient's login link named, where it is open to them. */
export function usePreselectedType({ journey, send }: OpenJourney, loaded: Loaded): void {
  const wanted = useStore(preselectedType);
  const types = loaded.state === 'ready' ? loaded.data.types : null;
  const { draft, rescheduleOf } = journey;

  useEffect(() => {
    if (wanted === null || types === null) return;
    preselectedType.set(null);
    const open = types.some(({ code, enabled }) => code === wanted && enabled);
    if (open && draft.step === 'schedule' && rescheduleOf === null)
      send({ type: 'choose', search: { ...draft.search, type: wanted, doctor: null } });
  }, [wanted, types, draft, rescheduleOf, send]);
}
