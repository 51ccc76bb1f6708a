import {
  ELIGIBILITY_RULES,
  needsDocuments,
  nextConfirmStep,
  whyReasonRefused,
} from '@clinic/domain';
import type { AppointmentType, ConfirmFacts, ConfirmStep, Eligibility } from '@clinic/domain';

/** What the clinic is asked between Next and the booking. Each throws what the patient then reads. */
export interface ConfirmAsks {
  readonly demographics: () => Promise<'found' | 'noEntry'>;
  readonly limits: () => Promise<'kept' | 'broken'>;
  readonly stateChargeCents: () => Promise<number>;
}

/** Where the sequence waits for the patient, or what it leads to. */
export type ConfirmStop = Exclude<
  ConfirmStep,
  'checkDemographics' | 'checkLimits' | 'fetchState' | 'checkUploads'
>;

export interface Pause {
  readonly facts: ConfirmFacts;
  readonly stop: ConfirmStop;
}

/** What is known when Next is pressed. */
export function factsAtNext(
  type: AppointmentType,
  eligibility: Eligibility,
  reason: string,
  { isReschedule, feeAccepted }: { readonly isReschedule: boolean; readonly feeAccepted: boolean },
): ConfirmFacts {
  return {
    type: type.code,
    isReschedule,
    answersValid: whyReasonRefused(type.code, reason) === null,
    chargeCents: type.chargeCents,
    feeAccepted,
    documentsNeeded: needsDocuments({ eligibilities: ELIGIBILITY_RULES }, type, eligibility),
    uploads: null,
    icbcConfirmed: false,
    pharmacyPrompt: false,
    pharmacyAnswered: false,
    demographics: null,
    noticeNeeded: false,
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
    case 'checkDemographics':
      return goOn({ ...facts, demographics: await asks.demographics() }, asks);
    case 'checkLimits':
      return goOn({ ...facts, limits: await asks.limits() }, asks);
    case 'fetchState':
      return goOn({ ...facts, stateChargeCents: await asks.stateChargeCents() }, asks);
    case 'checkUploads':
      // The browser cannot ask for the uploads yet; the service decides.
      return goOn({ ...facts, uploads: 'failed' }, asks);
    default:
      return { facts, stop: step };
  }
}
