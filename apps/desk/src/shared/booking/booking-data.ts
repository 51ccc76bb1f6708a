import type { CallAnswer } from '@clinic/contract';
import type { OverrideReason } from '@clinic/domain';
import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api.ts';

/** Provider and time of an appointment, and the reason for overriding a rule. */
export interface Place {
  readonly providerId: string;
  readonly start: number;
  readonly minutes?: number | undefined;
  readonly overrideReason?: OverrideReason | undefined;
  /** When absent, the fee is paid as chosen for the booking. */
  readonly feeBy?: 'clinic' | undefined;
}

export type Placed = CallAnswer<'deskBook'>['extras'];

/** Fetched once for each booking begun, as each fetch is recorded in the audit trail. */
export const optionsQuery = (person: string) =>
  queryOptions({
    queryKey: ['booking', 'options', person],
    queryFn: async () =>
      (await ask('deskBookingOptions', { params: { id: person }, body: {} })).extras,
    staleTime: Infinity,
    gcTime: 0,
  });

/** The texts to read out to the patient of an appointment. */
export const consentsQuery = (appointmentId: string) =>
  queryOptions({
    queryKey: ['appointment', appointmentId, 'consents'],
    queryFn: async () =>
      (await ask('deskConsents', { params: { id: appointmentId } })).extras.texts,
    gcTime: 0,
  });

interface TimesOf {
  /** The id of an account, or the number of a record without one. */
  readonly person: string;
  readonly type: string;
  /** Empty for the provider who is free first. */
  readonly providerId: string;
  readonly from: string;
  /** Leaves out the times before. */
  readonly notBefore: number | undefined;
}

export const timesQuery = ({ person, type, providerId, from, notBefore }: TimesOf) =>
  queryOptions({
    queryKey: ['booking', 'times', person, type, providerId, from, notBefore],
    queryFn: async () => {
      const body = { type, from, notBefore, ...(providerId !== '' && { providerId }) };
      return (await ask('deskFreeTimes', { params: { id: person }, body })).extras;
    },
    gcTime: 0,
  });

/** Marks a cancellation, which says itself what became of its appointment. */
export const CANCELLING = ['cancel'];
