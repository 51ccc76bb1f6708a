import type { CallAnswer } from '@clinic/contract';
import type { LookReason } from '@clinic/domain';
import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api.ts';

export type Patient = CallAnswer<'deskOpenPatient'>['extras'];

/** A patient's record. The audit trail records the opening; refetches after a change are not looks. */
export const patientQuery = (id: string, lookReason: LookReason | undefined) =>
  queryOptions({
    queryKey: ['patient', id, lookReason],
    queryFn: async ({ client: queries, queryKey }) => {
      const background = queries.getQueryData(queryKey) !== undefined;
      const body = lookReason === undefined ? {} : { lookReason };
      return (await ask('deskOpenPatient', { params: { id }, body }, { background })).extras;
    },
    staleTime: Infinity,
    gcTime: 0,
  });

/** A page of waiting documents, the oldest first, and of patients whose emails were returned. */
export const waitingQuery = (after: string | null) =>
  queryOptions({
    queryKey: ['patients', 'waiting', after],
    queryFn: async () =>
      (await ask('deskPatientsWaiting', { body: after === null ? {} : { after } })).extras,
    gcTime: 0,
  });

export const nameOf = ({ firstName, lastName }: Pick<Patient, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`;
