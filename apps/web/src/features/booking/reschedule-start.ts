import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { appointmentsQuery } from '../../shared/api/appointments.ts';
import { dropRescheduleTarget, readRescheduleTarget } from '../../shared/reschedule-target.ts';
import type { OpenJourney } from './journey.ts';

const never = () => () => {};

/**
 * Takes over the visit that My Appointments chose to move, also after a reload: only its id is
 * kept in the browser. True while that visit is being looked up.
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
