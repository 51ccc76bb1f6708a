import type { CallAnswer } from '@clinic/contract';
import type { LookReason } from '@clinic/domain';
import { queryOptions } from '@tanstack/react-query';
import { DeskError, ask } from '../api.ts';
import { t } from '../words.ts';

export type Patient = CallAnswer<'deskOpenPatient'>['extras'];

/** Opened once it stands on the trail; what it shows anew after a change nobody asked for. */
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

/** A page of the documents that wait, the longest waiting first, and whose email came back. */
export const waitingQuery = (after: string | null) =>
  queryOptions({
    queryKey: ['patients', 'waiting', after],
    queryFn: async () =>
      (await ask('deskPatientsWaiting', { body: after === null ? {} : { after } })).extras,
    gcTime: 0,
  });

/** What a change was refused with; where nobody answered, that it is not known. */
export const whyNot = (error: Error | null): string | undefined => {
  if (error === null) return undefined;
  return error instanceof DeskError && error.code === null
    ? t('desk.changeUnknown')
    : error.message;
};

export const nameOf = ({ firstName, lastName }: Pick<Patient, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`;
