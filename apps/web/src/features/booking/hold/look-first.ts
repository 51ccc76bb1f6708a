import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { takeAnswer } from '../../../api/query-client.ts';
import { useUser } from '../../../shared/session/session.ts';
import { readUnsettled } from '../../../shared/unsettled-request.ts';
import { holdQuery } from '../booking-data.ts';
import type { OpenJourney } from '../journey.ts';
import { whatBecameOf } from './hold-calls.ts';

interface FirstLook {
  /** True once the outcome is known or none was open; until then nothing else is offered. */
  readonly over: boolean;
  /** What the patient reads after a minute without an answer; null before. */
  readonly unknown: string | null;
  readonly again: () => void;
}

/**
 * On arrival at home with a request of unknown outcome (after a reload, a sign-in or from another
 * page), finds out what became of the request before anything else is offered.
 */
export function useLookFirst({ journey, send }: OpenJourney): FirstLook {
  const { id } = useUser();
  const [key] = useState(() => (journey.draft.step === 'booked' ? null : readUnsettled(id)));
  const look = useQuery({
    queryKey: ['unsettled', key],
    queryFn: async ({ client }) => {
      const { became, hold } = await whatBecameOf(id, key ?? '');
      takeAnswer(client, holdQuery, hold);
      if (became.kind === 'booked') send({ type: 'booked', booked: became.booked });
      return became;
    },
    enabled: key !== null,
    // Not refetched on a change of language, which could lead the patient back to the booked page.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
  const isBooked = journey.draft.step === 'booked';
  return {
    over: key === null || look.isSuccess || isBooked,
    unknown: look.isFetching ? null : (look.error?.message ?? null),
    again: () => void look.refetch(),
  };
}
