import { currentAgreement } from '@clinic/contract/agreements';
import { keyOfHold } from '@clinic/domain';
import { aMedicalProfile } from '@clinic/domain/testing';
import type { AskOptions } from '../testing/index.ts';
import { accountRequests } from './account-requests.ts';
import type { PerCall } from './every-call.ts';
import { PASSWORD, aPicture } from '../testing/index.ts';
import { type TwoPatients, slotOn } from './two-patients.ts';

/** A request of the asker's that each call answers with 200: what the system tests bend. */
export const validRequests: PerCall<(clinic: TwoPatients) => AskOptions> = {
  getMe: signedIn(),
  checkNoPcp: signedIn(),
  listAppointments: signedIn(() => ({ query: { all: 'true' } })),
  listDoctors: signedIn(),
  getProvider: signedIn(() => ({ params: { id: '101' } })),
  doctorStatus: signedIn(),
  doctorSchedule: signedIn(() => ({
    query: { from: '2026-11-23', to: '2026-11-28', id: '101' },
  })),
  earliestSlot: signedIn(() => ({ query: { type: 'O', id: '-1' } })),
  getPatientRecord: signedIn(({ asker }) => ({ params: { demographicNo: asker.row.recordId } })),
  createBooking: signedIn(() => ({
    headers: { 'idempotency-key': 'a-key-of-the-asker' },
    body: { ...slotOn('2026-11-26', '08:00'), reason: 'A cough' },
  })),
  cancelAppointment: signedIn(({ asker }) => ({ params: { id: asker.appointment } })),
  placeHold: signedIn(() => ({ body: slotOn('2026-11-27', '08:10') })),
  readHold: signedIn(() => ({ headers: { 'idempotency-key': 'a-key-of-the-asker' } })),
  releaseHold: signedIn(({ asker }) => ({
    headers: { 'idempotency-key': keyOfHold(asker.hold) },
  })),
  saveDraft: signedIn(() => ({ body: { draft: { reason: 'A cough that stays' } } })),
  charge: signedIn(() => ({
    body: {
      ...slotOn('2026-11-28', '13:00', 'V'),
      payment_method_id: 'pm_practice_succeeds_asker',
      amount: 200,
      reason: 'A cough',
    },
  })),
  appState: signedIn(() => ({ query: { eligibility: 'E', selectedType: 'O' } })),
  recordsStatus: () => ({}),
  getConfig: () => ({}),
  findDemographics: signedIn(({ asker }) => ({ headers: saidBy(asker) })),
  createDemographics: signedIn(({ asker }) => ({
    body: { id: asker.row.recordId, familyDoc: '1998', hasFamilyDoc: true },
  })),
  saveAgreement: signedIn(() => {
    const { kind, version, hash } = currentAgreement('general');
    return { body: { kind, version, hash } };
  }),
  saveMedicalProfile: signedIn(() => ({ body: { eMedProfile: aMedicalProfile() } })),
  readMedicalProfile: signedIn(),
  reportProblem: signedIn(() => ({
    body: { dataURL: '', message: 'Larger letters, please', isAppointment: true },
  })),
  saveError: () => ({ body: { err: 'TypeError: x is undefined', details: { page: 'home' } } }),
  listPharmacies: () => ({}),
  addPreferredPharmacy: signedIn(({ asker }) => ({
    body: { demographicNo: asker.row.recordId, pharmacy: 'pharmacy-main' },
  })),
  shouldUploadDocument: signedIn(),
  uploadDocuments: signedIn(() => ({ body: { isHealthCard: 'true' }, files: [aPicture()] })),
  exportData: signedIn(),
  listMessages: signedIn(),
  startMessage: signedIn(() => ({ body: { message: 'How long is the wait?' } })),
  readMessage: signedIn(({ asker }) => ({ params: { id: asker.message } })),
  changeMessage: signedIn(({ asker }) => ({
    params: { id: asker.message },
    body: { message: 'Good evening' },
  })),
  readAttachment: signedIn(({ asker }) => ({ params: { id: asker.attachment } })),
  captchaChallenge: () => ({}),
  login: ({ asker }) => ({
    body: {
      method: 'email',
      email: asker.row.email,
      password: PASSWORD,
      recaptcha: `ok:${crypto.randomUUID()}`,
    },
  }),
  ...accountRequests,
  logout: signedIn(),
  renewSession: signedIn(),
};

/** The headers of `GET /demographics` with which a patient says who they are. */
export function saidBy({ row, cardNumber }: TwoPatients['asker']): Record<string, string> {
  const [year = '', month = '', day = ''] = row.birthDate.split('-');
  return { id: row.recordId, hin: cardNumber, province: row.cardProvince, year, month, day };
}

function signedIn(request: (clinic: TwoPatients) => AskOptions = () => ({})) {
  return (clinic: TwoPatients): AskOptions => ({
    token: clinic.asker.token,
    ...request(clinic),
  });
}
