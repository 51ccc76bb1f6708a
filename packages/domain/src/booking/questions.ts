import { type ClinicDate, calendarDate } from '../clinic-time.ts';
import { needsFeeWarning } from '../fees/fee-policies.ts';
import type { BookingAgreement } from '../privacy/agreement-text.ts';
import type { AppointmentForm, ContactPreference } from './appointment-type.ts';

/** What the reason field asks for: the key of its label and placeholder. */
export type ReasonLabel = 'claimNumber' | 'licenceNumber' | 'reason';

export interface ReasonRule {
  readonly label: ReasonLabel;
  /** In code points, after trimming. */
  readonly minimum: number;
  readonly maximum: number;
}

/** The most code points of a reason. */
const REASON_MAXIMUM = 80;

/** The label and the lengths of the reason field of a form. */
export function reasonRule(form: AppointmentForm): ReasonRule {
  switch (form) {
    case 'injuryClaim':
      return { label: 'claimNumber', minimum: 8, maximum: REASON_MAXIMUM };
    case 'driverMedical':
      return { label: 'licenceNumber', minimum: 7, maximum: REASON_MAXIMUM };
    default:
      return { label: 'reason', minimum: 2, maximum: REASON_MAXIMUM };
  }
}

export type LengthRefusal = 'tooShort' | 'tooLong';
export type ReasonRefusal = LengthRefusal | 'empty';

/** Why a reason is refused, or null; the text is trimmed and counted in code points.. */
export const whyReasonRefused = (form: AppointmentForm, text: string): ReasonRefusal | null =>
  text.trim() === '' ? 'empty' : lengthRefusal(text, reasonRule(form));

/** Why a length is refused, or null; counts code points without surrounding white space. */
function lengthRefusal(
  text: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): LengthRefusal | null {
  const length = Array.from(text.trim()).length;
  if (length < minimum) return 'tooShort';
  return length > maximum ? 'tooLong' : null;
}

/** What the patient experiences, by stable keys. */
export const EXPERIENCING = [
  'notAbsent',
  'modifiedDuties',
  'missingWork',
  'missingTraining',
  'missingStudies',
] as const;
export type Experiencing = (typeof EXPERIENCING)[number];

/** Treatments by stable keys, in the order of §2; 'other' carries a text. */
export const TREATMENTS = [
  'none',
  'physiotherapy',
  'massageTherapy',
  'activeRehabilitation',
  'kinesiology',
  'chiropractic',
  'acupuncture',
  'psychology',
  'counselling',
  'other',
] as const;
export type TreatmentKey = (typeof TREATMENTS)[number];
export type Treatment =
  Exclude<TreatmentKey, 'other'> | { readonly key: 'other'; readonly text: string };

/** The answer that means no medication. */
export const NO_MEDICATION = 'No';

/** The injury-claim questions of type I as answered so far. */
export interface CrashReport {
  readonly crashYear: number | null;
  /** 1 to 12. */
  readonly crashMonth: number | null;
  readonly crashDay: number | null;
  readonly contactPreference: ContactPreference | null;
  readonly symptom: string;
  readonly experiencingList: readonly Experiencing[];
  readonly treatmentList: readonly Treatment[];
  /** 'No', or the medication that the patient takes; null while unanswered. */
  readonly medicationTaken: string | null;
}

export type CrashReportRefusal =
  | { readonly field: 'crashDate'; readonly code: 'invalid' }
  | { readonly field: 'contactPreference'; readonly code: 'missing' }
  | { readonly field: 'symptom'; readonly code: LengthRefusal }
  | { readonly field: 'experiencingList' | 'treatmentList'; readonly code: 'missing' }
  | { readonly field: 'otherTreatment'; readonly code: LengthRefusal }
  | { readonly field: 'medicationTaken'; readonly code: 'missing' | LengthRefusal };

/** Lengths in code points, both inclusive. */
export const SYMPTOM_LENGTH = { minimum: 3, maximum: 300 } as const;
export const OTHER_TREATMENT_LENGTH = { minimum: 3, maximum: 50 } as const;
export const MEDICATION_LENGTH = { minimum: 3, maximum: 200 } as const;

/** An earlier year is taken for a typing error. */
const EARLIEST_YEAR = 1900;

/** The date of the crash, or null when it is incomplete or not in the calendar. */
export function crashDate(
  report: Pick<CrashReport, 'crashYear' | 'crashMonth' | 'crashDay'>,
): ClinicDate | null {
  const { crashYear, crashMonth, crashDay } = report;
  if (crashYear === null || crashMonth === null || crashDay === null) return null;
  if (crashYear < EARLIEST_YEAR) return null;
  return calendarDate(crashYear, crashMonth, crashDay);
}

/**
 * Everything wrong with a crash report, in the order of the form. `today` is the clinic's date, and the crash
 * must not be after it..
 */
export function whyCrashReportRefused(
  report: CrashReport,
  today: ClinicDate,
): CrashReportRefusal[] {
  const refusals: CrashReportRefusal[] = [];
  const date = crashDate(report);
  if (date === null || date > today) refusals.push({ field: 'crashDate', code: 'invalid' });
  if (report.contactPreference === null)
    refusals.push({ field: 'contactPreference', code: 'missing' });
  const symptom = lengthRefusal(report.symptom, SYMPTOM_LENGTH);
  if (symptom) refusals.push({ field: 'symptom', code: symptom });
  if (report.experiencingList.length === 0)
    refusals.push({ field: 'experiencingList', code: 'missing' });
  if (report.treatmentList.length === 0) refusals.push({ field: 'treatmentList', code: 'missing' });
  for (const treatment of report.treatmentList) {
    if (typeof treatment === 'string') continue;
    const other = lengthRefusal(treatment.text, OTHER_TREATMENT_LENGTH);
    if (other) refusals.push({ field: 'otherTreatment', code: other });
  }
  const { medicationTaken: taken } = report;
  const medication = taken === null ? 'missing' : lengthRefusal(taken, MEDICATION_LENGTH);
  if (medication && taken !== NO_MEDICATION)
    refusals.push({ field: 'medicationTaken', code: medication });
  return refusals;
}

const ABSENCES: readonly Experiencing[] = ['missingWork', 'missingTraining', 'missingStudies'];

/** Ticks or unticks an item; 'not absent' and the three absences clear each other.. */
export function toggleExperiencing(
  list: readonly Experiencing[],
  item: Experiencing,
): Experiencing[] {
  if (list.includes(item)) return list.filter((other) => other !== item);
  const cleared = ABSENCES.includes(item) ? ['notAbsent'] : item === 'notAbsent' ? ABSENCES : [];
  return [...list.filter((other) => !cleared.includes(other)), item];
}

const treatmentKey = (treatment: Treatment): TreatmentKey =>
  typeof treatment === 'string' ? treatment : treatment.key;

/** Ticks or unticks a treatment; 'no treatment' and all others clear each other.. */
export function toggleTreatment(list: readonly Treatment[], key: TreatmentKey): Treatment[] {
  const rest = list.filter((treatment) => treatmentKey(treatment) !== key);
  if (rest.length < list.length) return rest;
  if (key === 'none') return ['none'];
  return [
    ...rest.filter((treatment) => treatment !== 'none'),
    key === 'other' ? { key, text: '' } : key,
  ];
}

/** What is known between Next on confirm and a booking. Null means not asked yet. */
export interface ConfirmFacts {
  readonly form: AppointmentForm;
  readonly isReschedule: boolean;
  /** Whether the fields of step 3 are valid. */
  readonly answersValid: boolean;
  /** The type's fee for this patient, in cents. */
  readonly chargeCents: number;
  readonly feeAccepted: boolean;
  /** Whether type and eligibility require documents. */
  readonly documentsNeeded: boolean;
  /** What is uploaded; a check that failed counts as both uploaded. */
  readonly uploads: { readonly healthCard: boolean; readonly pictureId: boolean } | 'failed' | null;
  readonly icbcConfirmed: boolean;
  /** Whether the preferred-pharmacy prompt is switched on, and whether it has been answered. */
  readonly pharmacyPrompt: boolean;
  readonly pharmacyAnswered: boolean;
  /** Whether the clinic's records have the patient; 'created' after the family-doctor question. */
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
 * The next step after Next on confirm. A reschedule has no fee warning, no documents, no limits, no
 * immigration form and no payment..
 */
export function nextConfirmStep(facts: ConfirmFacts): ConfirmStep {
  const { isReschedule } = facts;
  if (!facts.answersValid) return 'showProblems';
  if (!isReschedule && !facts.feeAccepted && needsFeeWarning(facts.chargeCents)) return 'warnOfFee';
  const documents = isReschedule ? null : documentStep(facts);
  if (documents) return documents;
  if (facts.form === 'injuryClaim' && !facts.icbcConfirmed) return 'confirmIcbc';
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
  if (facts.form === 'immigration' && !facts.immigrationFormDone) return 'fillImmigrationForm';
  return facts.stateChargeCents > 0 ? 'pay' : 'book';
}

/**
 * The texts that a patient agrees to on the way to a booking, in the order in which they are shown; the fee
 * is in cents. A reschedule has no fee warning..
 */
export function agreementsOfBooking({
  form,
  chargeCents,
}: Pick<ConfirmFacts, 'form' | 'chargeCents'>): readonly BookingAgreement[] {
  return [
    ...(needsFeeWarning(chargeCents) ? (['feeWarning'] as const) : []),
    ...(form === 'injuryClaim' ? (['icbc'] as const) : []),
    'general',
  ];
}

function documentStep(facts: ConfirmFacts): ConfirmStep | null {
  const { uploads } = facts;
  if (!facts.documentsNeeded || uploads === 'failed') return null;
  if (uploads === null) return 'checkUploads';
  if (!uploads.healthCard) return 'uploadHealthCard';
  return uploads.pictureId ? null : 'uploadPictureId';
}
