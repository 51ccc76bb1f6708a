import { useEffect, useSyncExternalStore, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { appointmentsQuery } from '../../api/appointments.ts';
import { preselectedType } from '../../shared/preselected-type.ts';
import { dropRescheduleTarget, readRescheduleTarget } from '../../shared/reschedule-target.ts';
import { useUser } from '../../shared/session/session.ts';
import { useStore } from '../../shared/store.ts';
import { dropUnsettled, readUnsettled } from '../../shared/unsettled-request.ts';
import type { Loaded } from './choose/booking-data.ts';
import { whatBecameOf } from './hold/earlier-request.ts';
import type { OpenJourney } from './journey.ts';
import { holdQuery } from './slots/slot-queries.ts';

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

const never = () => () => {};

/**
 * Takes over the appointment that My Appointments chose to move, also after a reload: only its id
 * is kept in the browser. True while that appointment is being looked up.
 */
export function useRescheduleStart({ journey, send }: OpenJourney): boolean {
  const id = useSyncExternalStore(never, readRescheduleTarget);
  const isNew = id !== null && journey.rescheduleOf?.appointmentId !== id;
  const list = useQuery({ ...appointmentsQuery(), enabled: isNew });

  useEffect(() => {
    if (!isNew || !list.data) return;
    const old = list.data.appointments.find((appointment) => appointment.id === id);
    if (old?.isReschedulable) {
      const { code, description } = old;
      send({ type: 'reschedule', of: { appointmentId: id, type: code, description } });
    } else dropRescheduleTarget();
  }, [isNew, id, list.data, send]);

  return isNew && list.isLoading;
}

interface FirstLook {
  /** Until it is known, nothing else is offered. */
  readonly over: boolean;
  /** What the patient reads after a minute without an answer. */
  readonly unknown: string | null;
  readonly again: () => void;
}

/**
 * Who comes to home, by a reload, a new sign-in or from another page, while it is not known what
 * became of the last request, hears that first.
 */
export function useLookFirst({ journey, send }: OpenJourney): FirstLook {
  const { id } = useUser();
  const [key] = useState(() => (journey.draft.step === 'booked' ? null : readUnsettled(id)));
  const look = useQuery({
    queryKey: ['unsettled', key],
    queryFn: async ({ client }) => {
      const { became, hold } = await whatBecameOf(id, key ?? '');
      client.setQueryData(holdQuery.queryKey, hold);
      return became;
    },
    enabled: key !== null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const booked = look.data?.kind === 'booked' ? look.data.booked : null;
  useEffect(() => {
    if (booked !== null) send({ type: 'booked', booked });
  }, [booked, send]);

  return {
    over: key === null || look.isSuccess || journey.draft.step === 'booked',
    unknown: look.isFetching ? null : (look.error?.message ?? null),
    again: () => void look.refetch(),
  };
}

/** Who comes back after a booking starts a new one, unless what was booked was not shown yet. */
export function useFreshStart({ journey, send }: OpenJourney): void {
  const { id } = useUser();
  const booked = journey.draft.step === 'booked';
  const [cameBackBooked] = useState(() => booked && readUnsettled(id) === null);
  useEffect(() => {
    if (cameBackBooked) send({ type: 'reset' });
  }, [cameBackBooked, send]);
  useEffect(() => {
    const key = readUnsettled(id);
    if (booked && key !== null) dropUnsettled(id, key);
  }, [booked, id]);
}
