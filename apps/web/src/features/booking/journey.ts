import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { createActor, type ActorRefFrom } from 'xstate';
import { accessToken } from '../../shared/api/access-token.ts';
import { dropRescheduleTarget } from '../../shared/reschedule-target.ts';
import { useUser } from '../../shared/session/session.ts';
import { bookingMachine, slotOf, type Journey } from './booking-machine.ts';
import { releaseHold } from './hold-calls.ts';
import { forgetDays, holdQuery } from './slot-queries.ts';

export type JourneyActor = ActorRefFrom<typeof bookingMachine>;

interface Kept {
  readonly userId: string;
  readonly actor: JourneyActor;
}

const kept = new WeakMap<QueryClient, Kept>();

/**
 * The patient's journey. It outlives the page, so that a look at My Appointments or an expired
 * session loses nothing; another patient at the same screen gets a new one.
 */
function journeyOf(queryClient: QueryClient, userId: string): JourneyActor {
  const known = kept.get(queryClient);
  if (known?.userId === userId) return known.actor;
  known?.actor.stop();
  const actor = createActor(bookingMachine);
  let before: Journey = actor.getSnapshot().context;
  actor.subscribe(({ context }) => {
    followHold(queryClient, before, context);
    if (before.rescheduleOf && !context.rescheduleOf) dropRescheduleTarget();
    before = context;
  });
  actor.start();
  kept.set(queryClient, { userId, actor });
  return actor;
}

/** A slot that is no longer in hand goes back to the clinic, unless it became a visit. */
function followHold(queryClient: QueryClient, before: Journey, now: Journey): void {
  if (!slotOf(before.draft) || before.draft.step === 'booked') return;
  if (now.draft.step === 'booked') {
    queryClient.setQueryData(holdQuery.queryKey, null);
    void forgetDays(queryClient);
  } else if (!slotOf(now.draft)) {
    queryClient.setQueryData(holdQuery.queryKey, null);
    void forgetDays(queryClient);
    if (accessToken.get() !== null) void releaseHold();
  }
}

export interface OpenJourney {
  readonly journey: Journey;
  readonly send: JourneyActor['send'];
}

export function useJourney(): OpenJourney {
  const queryClient = useQueryClient();
  const { id } = useUser();
  const actor = journeyOf(queryClient, id);
  const subscribe = useCallback(
    (listener: () => void) => {
      const subscription = actor.subscribe(listener);
      return () => subscription.unsubscribe();
    },
    [actor],
  );
  const journey = useSyncExternalStore(subscribe, () => actor.getSnapshot().context);
  return { journey, send: actor.send };
}
