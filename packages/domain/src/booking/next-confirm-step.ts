import { needsFeeWarning } from '../fees/fee.ts';
import type { AppointmentTypeCode } from './appointment-type.ts';

/** What is known while the patient goes from Next on confirm to a booking. Null means not asked yet. */
export interface ConfirmFacts {
  readonly type: AppointmentTypeCode;
  readonly isReschedule: boolean;
  /** Whether the fields of step 3 pass their rules. */
  readonly answersValid: boolean;
  /** The type's fee for this patient, in cents. */
  readonly chargeCents: number;
  readonly feeAccepted: boolean;
  /** Whether type and eligibility ask for documents, by the policy. */
  readonly documentsNeeded: boolean;
  /** What is uploaded; a check that failed counts as both uploaded. */
  readonly uploads: { readonly healthCard: boolean; readonly pictureId: boolean } | 'failed' | null;
  readonly icbcConfirmed: boolean;
  /** Whether the preferred-pharmacy prompt is switched on, and whether it has been answered. */
  readonly pharmacyPrompt: boolean;
  readonly pharmacyAnswered: boolean;
  /** Whether the clinic's records know the patient; 'created' after the family-doctor question. */
  readonly demographics: 'found' | 'noEntry' | 'created' | null;
  /** Whether the policy carries an Important Notice for type and eligibility. */
  readonly noticeNeeded: boolean;
  readonly noticeUnderstood: boolean;
  readonly detailsAgreed: boolean;
  readonly limits: 'kept' | 'broken' | null;
  /** The charge that the appointment state names, in cents. */
  readonly stateChargeCents: number | null;
  readonly immigrationFormDone: boolean;
}

export type ConfirmStep =
  | 'showProblems'
  | 'warnOfFee'
  | 'checkUploads'
  | 'uploadHealthCard'
  | 'uploadPictureId'
  | 'confirmIcbc'
  | 'choosePharmacy'
  | 'checkDemographics'
  | 'askFamilyDoctor'
  | 'showNotice'
  | 'agreeToDetails'
  | 'checkLimits'
  | 'refuseOverLimit'
  | 'fetchState'
  | 'fillImmigrationForm'
  | 'book'
  | 'pay';

/**
 * What comes next after Next on confirm. A reschedule has no fee warning,
 * no documents, no limits, no immigration form and no payment..
 */
export function nextConfirmStep(facts: ConfirmFacts): ConfirmStep {
  const { isReschedule } = facts;
  if (!facts.answersValid) return 'showProblems';
  if (!isReschedule && !facts.feeAccepted && needsFeeWarning(facts.chargeCents)) return 'warnOfFee';
  const documents = isReschedule ? null : documentStep(facts);
  if (documents) return documents;
  if (facts.type === 'I' && !facts.icbcConfirmed) return 'confirmIcbc';
  if (facts.pharmacyPrompt && !facts.pharmacyAnswered) return 'choosePharmacy';
  if (facts.demographics === null) return 'checkDemographics';
  if (facts.demographics === 'noEntry') return 'askFamilyDoctor';
  if (facts.noticeNeeded && !facts.noticeUnderstood) return 'showNotice';
  if (!facts.detailsAgreed) return 'agreeToDetails';
  if (!isReschedule && facts.limits === null) return 'checkLimits';
  if (!isReschedule && facts.limits === 'broken') return 'refuseOverLimit';
  if (facts.stateChargeCents === null) return 'fetchState';
  if (isReschedule) return 'book';
  if (!facts.feeAccepted && needsFeeWarning(facts.stateChargeCents)) return 'warnOfFee';
  if (hasImmigrationForm(facts.type) && !facts.immigrationFormDone) return 'fillImmigrationForm';
  return facts.stateChargeCents > 0 ? 'pay' : 'book';
}

function documentStep(facts: ConfirmFacts): ConfirmStep | null {
  const { uploads } = facts;
  if (!facts.documentsNeeded || uploads === 'failed') return null;
  if (uploads === null) return 'checkUploads';
  if (!uploads.healthCard) return 'uploadHealthCard';
  return uploads.pictureId ? null : 'uploadPictureId';
}

/** Whether a type asks for the immigration exam form before booking or payment.. */
export function hasImmigrationForm(type: AppointmentTypeCode): boolean {
  return type === 'M' || type === 'G';
}
