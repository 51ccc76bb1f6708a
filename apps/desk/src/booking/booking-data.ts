import type { CallAnswer } from '@clinic/contract';
import type { OverrideReason } from '@clinic/domain';
import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api.ts';

/** Where an appointment is to be, and why it may be against a rule. */
export interface Place {
  readonly providerId: string;
  readonly start: number;
  readonly minutes?: number | undefined;
  readonly overrideReason?: OverrideReason | undefined;
  /** Left out, as was chosen for the booking. */
  readonly feeBy?: 'clinic' | undefined;
}

export type Placed = CallAnswer<'deskBook'>['extras'];

/** Asked once for each time that a booking is begun: it stands on the trail. */
export const optionsQuery = (person: string) =>
  queryOptions({
    queryKey: ['booking', 'options', person],
    queryFn: async () =>
      (await ask('deskBookingOptions', { params: { id: person }, body: {} })).extras,
    staleTime: Infinity,
    gcTime: 0,
  });

interface TimesOf {
  /** The id of an account, or the number of a record without one. */
  readonly person: string;
  readonly type: string;
  /** Empty for whoever is free first. */
  readonly providerId: string;
  readonly from: string;
}

export const timesQuery = ({ person, type, providerId, from }: TimesOf) =>
  queryOptions({
    queryKey: ['booking', 'times', person, type, providerId, from],
    queryFn: async () => {
      const body = { type, from, ...(providerId !== '' && { providerId }) };
      return (await ask('deskFreeTimes', { params: { id: person }, body })).extras;
    },
    gcTime: 0,
  });
