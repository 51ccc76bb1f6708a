import { keyOfHold } from '@clinic/domain';

import type { PerCall } from './every-call.ts';
import { accountMatrix, olderForm, publicAccountCalls } from './account-matrix.ts';
import { type MatrixRow, notBelieved, notOwned, owned, words } from './matrix-rules.ts';

export type { MatrixRow, PlaceRule } from './matrix-rules.ts';

const injuryWords = {
  reason: words('the reason'),
  symptom: words('the symptoms'),
  medicationTaken: words('medication'),
  'experiencingList.0': words('a key of a fixed list'),
  'treatmentList.0': words('a key of a fixed list'),
  'treatmentList.0.text': words('another treatment'),
};
const below = (prefix: string, row: MatrixRow): MatrixRow =>
  Object.fromEntries(Object.entries(row).map(([name, rule]) => [`${prefix}.${name}`, rule]));

/** S-1: every place of every call where an id could stand. A call without its row does not compile. */
export const objectMatrix: PerCall<MatrixRow> = {
  getMe: {},
  checkNoPcp: {},
  listAppointments: {},
  listDoctors: {},
  getProvider: { 'params.id': notOwned('a doctor') },
  doctorStatus: {},
  doctorSchedule: {
    'query.id': notOwned('a doctor'),
    'query.from': words('a date'),
    'query.to': words('a date'),
    'query.type': notOwned('an appointment type'),
  },
  earliestSlot: { 'query.id': notOwned('a doctor'), 'query.type': notOwned('an appointment type') },
  getPatientRecord: {
    'params.demographicNo': owned({ unknown: 'T00000000' }),
  },
  createBooking: {
    'headers.idempotency-key': notBelieved('keys are each patient’s own', ({ other }) => [
      other.requestKey,
    ]),
    'body.doctor': notOwned('a doctor'),
    'body.selectedType': notOwned('an appointment type'),
    'body.rescheduleOf': owned(),
    'body.previousTicklers.0': notBelieved('R-8'),
    'body.stripePaymentToken': notBelieved('R-8'),
    ...below('body', injuryWords),
  },
  cancelAppointment: { 'params.id': owned() },
  placeHold: {
    'body.doctor': notOwned('a doctor'),
    'body.selectedType': notOwned('an appointment type'),
    'body.rescheduleOf': owned(),
  },
  readHold: {
    'headers.idempotency-key': owned({
      others: ({ other }) => [
        other.requestKey,
        keyOfHold(other.appointment),
        keyOfHold(other.hold),
      ],
      unknown: 'a-key-of-nobody',
      status: 200,
      code: null,
    }),
  },
  releaseHold: {
    'headers.idempotency-key': owned({
      others: ({ other }) => [keyOfHold(other.hold)],
      unknown: 'a-key-of-nobody',
      status: 200,
      code: null,
    }),
  },
  saveDraft: {
    'headers.idempotency-key': owned({
      others: ({ other }) => [keyOfHold(other.hold)],
      unknown: 'a-key-of-nobody',
      status: 409,
      code: 'holdGone',
    }),
    ...below('body.draft', injuryWords),
  },
  charge: {
    'headers.idempotency-key': notBelieved('keys are each patient’s own', ({ other }) => [
      other.requestKey,
    ]),
    'body.payment_intent_id': owned({
      others: ({ other }) => [other.intent],
      unknown: 'pi_practice_nobody',
      code: 'paymentNotFound',
    }),
    'body.payment_method_id': words('a card, by a name that the gateway gave once'),
    'body.providerId': notBelieved('R-8'),
    'body.doctor': notOwned('a doctor'),
    'body.selectedType': notOwned('an appointment type'),
    ...below('body', injuryWords),
  },
  appState: { 'query.selectedType': notOwned('an appointment type') },
  recordsStatus: {},
  getConfig: {},
  findDemographics: {
    'headers.id': owned({ status: 403, code: 'notYourData' }),
    'headers.hin': owned({
      others: ({ other }) => [other.cardNumber],
      unknown: '9000000002',
      status: 403,
      code: 'notYourData',
    }),
    'headers.province': words('a province'),
  },
  createDemographics: {
    'body.id': owned({ status: 403, code: 'notYourData' }),
    'body.familyDoc': words('one of two ids of the clinic, which the server takes itself'),
  },
  saveAgreement: {
    'body.version': words('the version of a text'),
    'body.hash': words('the hash of a text'),
  },
  saveMedicalProfile: {
    ...olderForm,
    ...below('body.eMedProfile', {
      passportNumber: words('a field of the form'),
      firstName: words('a field of the form'),
      lastName: words('a field of the form'),
      address: words('a field of the form'),
      city: words('a field of the form'),
      postal: words('a field of the form'),
      phone: words('a field of the form'),
      countryOfBirth: words('a field of the form'),
      issuingCountry: words('a field of the form'),
      identityDocument: words('a field of the form'),
      preferredLanguage: words('a field of the form'),
      hearAboutUs: words('a field of the form'),
    }),
  },
  readMedicalProfile: {},
  reportProblem: {
    'body.dataURL': words('a picture'),
    'body.message': words('a suggestion'),
  },
  saveError: {
    'body.err': words('an error'),
    'body.date': words('a date that nobody reads'),
    'body.details': words('words that nobody reads'),
    'body.details.requestId': words('the reference of an answer'),
  },
  listPharmacies: {},
  addPreferredPharmacy: {
    ...olderForm,
    'body.demographicNo': owned({ unknown: 'T00000000' }),
    'body.pharmacy': notOwned('a pharmacy'),
    'body.pharmacy.id': notOwned('a pharmacy'),
    'body.pharmacy.name': words('a name that nobody reads'),
    'body.pharmacy.address.address': words('an address that nobody reads'),
    'body.pharmacy.fax': words('a number that nobody reads'),
    'body.pharmacy.phone1': words('a number that nobody reads'),
  },
  shouldUploadDocument: {},
  uploadDocuments: {},
  exportData: {},
  listMessages: {},
  startMessage: { 'body.message': words('a message') },
  readMessage: { 'params.id': owned() },
  changeMessage: { ...olderForm, 'params.id': owned(), 'body.message': words('a message') },
  readAttachment: { 'params.id': owned() },
  captchaChallenge: {},
  ...accountMatrix,
  logout: {},
  renewSession: {},
};

/** Calls that need no token; any other call that opens its door is a mistake. */
export const publicCalls = [
  'captchaChallenge',
  'getConfig',
  'listPharmacies',
  ...publicAccountCalls,
  'recordsStatus',
  'saveError',
];
