import { needsDocuments, nextConfirmStep } from '@clinic/domain';
import type { AppointmentType, ConfirmFacts, ConfirmStep, Eligibility } from '@clinic/domain';

/**
 * What the clinic is asked between Next and the booking. Each throws what the patient then reads.
 */
export interface ConfirmAsks {
  readonly uploads: () => Promise<NonNullable<ConfirmFacts['uploads']>>;
  readonly demographics: () => Promise<'found' | 'noEntry'>;
  readonly limits: () => Promise<'kept' | 'broken'>;
  readonly stateChargeCents: () => Promise<number>;
}

/** A step at which the patient is asked something, in a dialog. */
export type Question = Extract<
  ConfirmStep,
  | 'warnOfFee'
  | 'uploadHealthCard'
  | 'uploadPictureId'
  | 'confirmIcbc'
  | 'choosePharmacy'
  | 'askFamilyDoctor'
  | 'showNotice'
  | 'agreeToDetails'
  | 'fillImmigrationForm'
>;

/** Where the sequence waits for the patient, or what it leads to. */
type ConfirmStop = Question | 'showProblems' | 'refuseOverLimit' | 'book' | 'pay';

export interface Pause {
  readonly facts: ConfirmFacts;
  readonly stop: ConfirmStop;
}

/** What is known when Next is pressed. */
export interface KnownAtNext {
  readonly type: AppointmentType;
  readonly eligibility: Eligibility;
  readonly answersValid: boolean;
  readonly isReschedule: boolean;
  readonly feeAccepted: boolean;
  readonly pharmacyPrompt: boolean;
  readonly pharmacyAnswered: boolean;
  /** The policy carries an Important Notice for this type and patient. */
  readonly noticeNeeded: boolean;
}

export function factsAtNext({ type, eligibility, ...known }: KnownAtNext): ConfirmFacts {
  return {
    ...known,
    form: type.form,
    chargeCents: type.chargeCents,
    documentsNeeded: needsDocuments(type, eligibility),
    uploads: null,
    icbcConfirmed: false,
    demographics: null,
    noticeUnderstood: false,
    detailsAgreed: false,
    limits: null,
    stateChargeCents: null,
    immigrationFormDone: false,
  };
}

/** Goes on after Next or after an answer, asking the clinic, until the patient is needed. */
export async function goOn(facts: ConfirmFacts, asks: ConfirmAsks): Promise<Pause> {
  const step = nextConfirmStep(facts);
  switch (step) {
    case 'checkUploads':
      return goOn({ ...facts, uploads: await asks.uploads() }, asks);
    case 'checkDemographics':
      return goOn({ ...facts, demographics: await asks.demographics() }, asks);
    case 'checkLimits':
      return goOn({ ...facts, limits: await asks.limits() }, asks);
    case 'fetchState':
      return goOn({ ...facts, stateChargeCents: await asks.stateChargeCents() }, asks);
    default:
      return { facts, stop: step };
  }
}

/** What an upload that succeeded adds to what the clinic has. */
export function withUpload({ uploads }: ConfirmFacts, document: 'healthCard' | 'pictureId') {
  const had = uploads === null || uploads === 'failed' ? null : uploads;
  return {
    uploads: {
      healthCard: document === 'healthCard' || had?.healthCard === true,
      pictureId: document === 'pictureId' || had?.pictureId === true,
    },
  };
}
