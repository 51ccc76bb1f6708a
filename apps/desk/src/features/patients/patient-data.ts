import type { ApiChangedFee, CallAnswer } from '@clinic/contract';
import type { LookReason } from '@clinic/domain';
import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { ask } from '../../shared/api.ts';

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

/** Says what a change has done, and which fees it has changed. */
export type Done = (says: string, fees?: readonly ApiChangedFee[]) => void;

/** What the dialogs of a patient's record have in common. The page below shows what is so. */
export interface PatientDialog {
  readonly shows: readonly QueryKey[];
  readonly onClose: () => void;
  readonly onDone: Done;
}

/** A dialog that closes once its change is made. */
export const patientDialog = (onClose: () => void, onDone: Done): PatientDialog => ({
  shows: [['patient']],
  onClose,
  onDone(says, fees) {
    onClose();
    onDone(says, fees);
  },
});
