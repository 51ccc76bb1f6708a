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
}

export type Placed = CallAnswer<'deskBook'>['extras'];

/** Asked once for each time that a booking is begun: it stands on the trail. */
export const optionsQuery = (patientId: string) =>
  queryOptions({
    queryKey: ['booking', 'options', patientId],
    queryFn: async () =>
      (await ask('deskBookingOptions', { params: { patientId }, body: {} })).extras,
    staleTime: Infinity,
    gcTime: 0,
  });

interface TimesOf {
  readonly patientId: string;
  readonly type: string;
  /** Empty for whoever is free first. */
  readonly providerId: string;
  readonly from: string;
}

export const timesQuery = ({ patientId, type, providerId, from }: TimesOf) =>
  queryOptions({
    queryKey: ['booking', 'times', patientId, type, providerId, from],
    queryFn: async () => {
      const body = { type, from, ...(providerId !== '' && { providerId }) };
      return (await ask('deskFreeTimes', { params: { patientId }, body })).extras;
    },
    gcTime: 0,
  });
