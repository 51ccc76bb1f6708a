import type { PerCall } from './every-call.ts';
import type { Place } from './places.ts';
import { type TwoPatients, idsOf } from './two-patients.ts';

/** What a text in a request may stand for, and what happens when it is the other patient's. */
export type PlaceRule =
  /** Names a thing of a patient: the other's is refused exactly as an unknown one is. */
  | {
      readonly kind: 'owned';
      readonly others: (clinic: TwoPatients) => readonly string[];
      readonly unknown: string;
      readonly status: number;
      readonly code: string;
    }
  /** Names something of the clinic's, which belongs to no patient. */
  | { readonly kind: 'not owned'; readonly what: string }
  /** Taken, but the server decides, or it counts among the asker's own things only. */
  | {
      readonly kind: 'not believed';
      readonly others: (clinic: TwoPatients) => readonly string[];
      readonly because: string;
    }
  /** Names nothing. */
  | { readonly kind: 'words'; readonly what: string };

export type MatrixRow = Readonly<Record<Place, PlaceRule>>;

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const owned = (over: Partial<Extract<PlaceRule, { kind: 'owned' }>> = {}): PlaceRule => ({
  kind: 'owned',
  others: ({ other }) => idsOf(other),
  unknown: UNKNOWN_ID,
  status: 404,
  code: 'notFound',
  ...over,
});
const notOwned = (what: string): PlaceRule => ({ kind: 'not owned', what });
const words = (what: string): PlaceRule => ({ kind: 'words', what });
const notBelieved = (
  because: string,
  others: (clinic: TwoPatients) => readonly string[] = ({ other }) => idsOf(other),
): PlaceRule => ({ kind: 'not believed', because, others });

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
  },
  earliestSlot: { 'query.id': notOwned('a doctor') },
  getPatientRecord: {
    'params.demographicNo': owned({ unknown: 'T00000000' }),
  },
  createBooking: {
    'headers.idempotency-key': notBelieved('keys are each patient’s own', ({ other }) => [
      other.requestKey,
    ]),
    'body.doctor': notOwned('a doctor'),
    'body.rescheduleOf': owned(),
    'body.previousTicklers.0': notBelieved('R-8'),
    'body.stripePaymentToken': notBelieved('R-8'),
    ...below('body', injuryWords),
  },
  cancelAppointment: { 'params.id': owned() },
  placeHold: {
    'body.doctor': notOwned('a doctor'),
    'body.rescheduleOf': owned(),
  },
  readHold: {},
  releaseHold: {},
  saveDraft: below('body.draft', injuryWords),
  charge: {
    'headers.idempotency-key': notBelieved('keys are each patient’s own', ({ other }) => [
      other.requestKey,
    ]),
    'body.payment_intent_id': owned({
      others: ({ other }) => [other.intent],
      unknown: 'pi_practice_nobody',
    }),
    'body.payment_method_id': words('a card, by a name that the gateway gave once'),
    'body.providerId': notBelieved('R-8'),
    'body.doctor': notOwned('a doctor'),
    ...below('body', injuryWords),
  },
  appState: {},
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
  saveMedicalProfile: below('body.eMedProfile', {
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
  captchaChallenge: {},
  login: {
    'body.email': owned({
      others: ({ other }) => [other.row.email],
      unknown: 'nobody@test.example',
      status: 401,
      code: 'wrongCredentials',
    }),
    'body.password': words('a password'),
    'body.recaptcha': words('a proof of work'),
  },
  logout: {},
  renewSession: {},
};

/** Calls that need no token; any other call that opens its door is a mistake. */
export const publicCalls = [
  'captchaChallenge',
  'getConfig',
  'listPharmacies',
  'login',
  'recordsStatus',
  'saveError',
];
