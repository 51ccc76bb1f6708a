import type { RefusalStatus } from '@clinic/contract';
import { type TextCode, text, waitText } from '@clinic/contract/texts';
import { type Locale, type Values } from '@clinic/texts';
import type { FastifyReply } from 'fastify';

/** Refusal code -> HTTP status, for all calls. */
const statusOfRefusal = {
  invalidInput: 422,
  notFound: 404,
  paymentNotFound: 404,
  methodNotAllowed: 405,
  tooLarge: 413,
  wrongMediaType: 415,
  tooManyFiles: 422,
  noFileChosen: 422,
  imageNotReadable: 422,
  fileNotAccepted: 422,
  tooManyRequests: 429,
  serviceBusy: 503,
  clinicBusy: 503,
  clinicUnreachable: 503,
  clinicRefuses: 503,
  bug: 500,

  tokenNotValid: 401,
  wrongCredentials: 401,
  accountBlocked: 403,
  notVisible: 403,
  captchaFailed: 422,
  captchaUnavailable: 503,
  captchaNeeded: 422,
  notYourData: 403,

  registrationRefused: 422,
  cardKnown: 409,
  invitedCardKnown: 409,
  recordUnclear: 409,
  linkNotValid: 409,
  linkUsed: 409,
  signUpEnded: 409,
  recoveryRefused: 422,
  resetRefused: 422,
  dashboardClosed: 403,
  dashboardRefused: 401,

  dateNotValid: 422,
  rangeReversed: 422,
  rangeTooLong: 422,

  bookingBlocked: 403,
  typeNotOffered: 422,
  documentsMissing: 422,
  recordMissing: 422,
  medicalProfileMissing: 422,
  rescheduleUnclear: 422,
  paymentRequired: 402,
  cardDeclined: 402,
  amountDiffers: 409,
  nothingToPay: 409,
  linkStands: 409,
  linkTooSoon: 409,
  linkNotOffered: 409,
  notCharged: 409,
  paymentUnderWay: 409,
  paymentUnknown: 503,
  paymentsUnavailable: 503,
  slotTaken: 409,
  slotNotOffered: 409,
  slotTooSoon: 409,
  slotTooLate: 409,
  doctorNotAvailable: 409,
  doctorFamilyOnly: 409,
  doctorNoPcp: 409,
  holdGone: 409,
  oneEachDay: 409,
  twoUpcoming: 409,
  notReschedulable: 409,
  notCancellable: 409,
  changedByClinic: 409,
  bookingChanged: 409,
  paymentGivenBack: 409,
  requestReused: 409,
  recordOpened: 409,
  bornOtherwise: 409,
  chartOfAnother: 409,
  noSuchChart: 404,
  managerChoosesChart: 403,
  hasOtherChart: 409,
  agreementOutdated: 409,
  messageAnswered: 409,
  primaryDoctorUnknown: 503,
  clinicConfirming: 503,

  deskSignedOut: 401,
  deskLocked: 401,
  deskSignInRefused: 401,
  deskUnlockRefused: 401,
  passkeyRefused: 401,
  passkeyNotAdded: 409,
  passkeyKnown: 409,
  passkeysFull: 409,
  passkeysNotOffered: 409,
  notOurPage: 403,
  notAllowed: 403,
  factorNeeded: 403,
  invitationNotValid: 409,
  codeRefused: 422,
  lookReasonMissing: 422,
  appointmentChanged: 409,
  noShowStands: 409,
  undoTooLate: 409,
  undoTimeTaken: 409,
  undoTimeClosed: 409,
  undoBookedSince: 409,
  attendanceInEmr: 409,
  accountClosed: 409,
  changedInEmr: 409,
  patientNotChanged: 409,
  emailTaken: 409,
  cardTaken: 409,
  likelyKnown: 409,
  chartGone: 409,
  chartNotActive: 409,
  chartNotDated: 409,
  hasAccount: 409,
  bothHaveAccounts: 409,
  sameRecord: 409,
  mergeOver: 409,
  addInEmr: 409,
  accountLinkOver: 409,
  accountLinkRefused: 422,
  accountWatched: 409,
  addressFrozen: 409,
  addressUnsettled: 409,
  addressAnswered: 409,
  noAddressWaits: 409,
  managerDecides: 409,
  recoveryOff: 409,
  staffExists: 409,
  clinicianWithoutProvider: 422,
  ownStaffAccount: 409,
  closingOver: 409,
  stopOver: 409,
  exportWaits: 409,
  exportStopped: 409,
  harmsMany: 403,
  staffClosed: 409,
  notRefundable: 409,
  feeMoving: 409,
  noCardPayments: 409,
  cardCompanyUnreachable: 503,
  keptInEmr: 409,
  previewOutdated: 409,
  messageChanged: 409,
  changedMeanwhile: 409,
  documentRefusedAlready: 409,
  colleagueCannotRead: 409,
  trailTooLong: 409,
} as const satisfies Partial<Record<TextCode, RefusalStatus | 500>>;

export type RefusalCode = keyof typeof statusOfRefusal;

/** A text that is written once the reader's language is known. */
export type LocalizedText = (locale: Locale) => string;

export const localized =
  (code: TextCode, values?: Values): LocalizedText =>
  (locale) =>
    text(locale, code, values);

export interface FieldProblem {
  readonly field: string;
  readonly message: LocalizedText;
}

export interface RefusalDetails {
  /** Values for the placeholders of the code's text. */
  readonly values?: Readonly<Record<string, string | number | LocalizedText>>;
  readonly errors?: readonly FieldProblem[];
  /** The true price in CAD. */
  readonly chargeAmount?: number;
  /** The ids of the patient's own appointments that are the reason. */
  readonly appointments?: readonly string[];
  /** A text in place of the code's own. */
  readonly says?: TextCode;
  /** Seconds. */
  readonly retryAfter?: number;
  /** The id of the log line of a bug. */
  readonly reference?: string;
  /** True when the input is malformed rather than wrong: status 400 in place of the code's own. */
  readonly malformed?: boolean;
}

/** A refusal as a value: a handler returns it in place of its answer. */
export class Refusal {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails) {
    this.code = code;
    this.details = details;
  }

  get status(): RefusalStatus | 500 {
    return this.details.malformed ? 400 : statusOfRefusal[this.code];
  }

  /** The envelope of R-2. */
  bodyIn(locale: Locale) {
    const { values = {}, errors, chargeAmount, appointments, reference, retryAfter } = this.details;
    const filled = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function' ? value(locale) : value,
    ]);
    return {
      success: false,
      type: this.code === 'tokenNotValid' ? this.code : undefined,
      extras: {
        message: text(locale, this.details.says ?? this.code, {
          ...(retryAfter !== undefined && { wait: waitText(locale, retryAfter) }),
          ...(Object.fromEntries(filled) as Values),
        }),
        code: this.code,
        chargeAmount,
        appointments,
        reference,
      },
      errors: errors?.map(({ field, message }) => ({ field, message: message(locale) })),
    };
  }
}

const BUSY_RETRY_SECONDS = 2;

export function refuse(code: RefusalCode, details: RefusalDetails = {}): Refusal {
  const waits = statusOfRefusal[code] === 503 || statusOfRefusal[code] === 429;
  return new Refusal(code, waits ? { retryAfter: BUSY_RETRY_SECONDS, ...details } : details);
}

/** A refusal of one field, with the text of a code beside the field. */
export function invalid(field: string, code: TextCode = 'invalidField', values?: Values): Refusal {
  return refuse('invalidInput', { errors: [{ field, message: localized(code, values) }] });
}

export const tooMany = (retryAfter: number) => refuse('tooManyRequests', { retryAfter });

/** Thrown when a body is refused before its handler runs. */
export class RefusedBody extends Error {
  override readonly name = 'RefusedBody';
  readonly refusal: Refusal;
  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(`A body was refused: ${refusal.code}`, options);
    this.refusal = refusal;
  }
}

/** A 400: what was sent cannot be read. */
export const MALFORMED = refuse('invalidInput', { malformed: true });
export const malformedBody = (options?: ErrorOptions) => new RefusedBody(MALFORMED, options);

/** A 415, before anything is read: the media type or the content encoding is not accepted. */
export const wrongMediaType = () => new RefusedBody(refuse('wrongMediaType'));

declare module 'fastify' {
  interface FastifyRequest {
    /** For the log. */
    refusalCode: RefusalCode | null;
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { retryAfter } = refusal.details;
  reply.request.refusalCode = refusal.code;
  if (retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfter)));
  return reply
    .code(refusal.status)
    .header('content-type', JSON_TYPE)
    .send(JSON.stringify(refusal.bodyIn(reply.request.locale)));
}
