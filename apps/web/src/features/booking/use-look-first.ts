import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useUser } from '../../shared/session/session.ts';
import { dropUnsettled, readUnsettled } from '../../shared/unsettled-request.ts';
import { whatBecameOf } from './earlier-request.ts';
import type { OpenJourney } from './journey.ts';
import { holdQuery } from './slot-queries.ts';

export interface FirstLook {
  /** Until it is known, nothing else is offered. */
  readonly over: boolean;
  /** What the patient reads after a minute without an answer. */
  readonly unknown: string | null;
  readonly again: () => void;
}

/**
 * Who comes to home, by a reload, a new sign-in or from another page, while it is not known what became
 * of the last request, hears that first.
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
  const visit = look.data?.kind === 'booked' ? look.data.visit : null;
  useEffect(() => {
    if (visit !== null) send({ type: 'booked', visit });
  }, [visit, send]);

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
