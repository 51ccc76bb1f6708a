import {
  EXPERIENCING,
  MEDICATION_LENGTH,
  NO_MEDICATION,
  OTHER_TREATMENT_LENGTH,
  SYMPTOM_LENGTH,
  TREATMENTS,
  reasonRule,
  whyCrashReportRefused,
  whyReasonRefused,
  type AppointmentForm,
  type ClinicDate,
  type CrashReport,
  type CrashReportRefusal,
  type Experiencing,
  type ReasonLabel,
  type Treatment,
} from '@clinic/domain';
import type { ApiAnswers, ApiFieldError } from '@clinic/contract';
import { text } from '@clinic/contract/told-by-pages';
import { locale, t } from '../../../messages/t.ts';

/**
 * Injury-claim answers as the form holds them. Yes or No to medication is kept apart from its text,
 * so that changing one does not lose the other.
 */
export interface CrashAnswers extends Omit<CrashReport, 'medicationTaken'> {
  readonly takesMedication: boolean | null;
  readonly medication: string;
}

const NO_CRASH_ANSWERS: CrashAnswers = {
  crashYear: null,
  crashMonth: null,
  crashDay: null,
  contactPreference: null,
  symptom: '',
  experiencingList: [],
  treatmentList: [],
  takesMedication: null,
  medication: '',
};

/** Converts the form's answers to the domain's crash report. */
function crashReportOf({ takesMedication, medication, ...rest }: CrashAnswers): CrashReport {
  return { ...rest, medicationTaken: medicationOf(takesMedication, medication) };
}

function medicationOf(takes: boolean | null, text: string): string | null {
  if (takes === null) return null;
  if (!takes) return NO_MEDICATION;
  // A text equal to the code for none is still being typed: a space keeps it from meaning none.
  return text === NO_MEDICATION ? `${text} ` : text;
}

type ApiCrash = Omit<ApiAnswers, 'reason'>;

/** Converts the answers to the API's form, in which they are sent and kept. */
function crashToApi(answers: CrashAnswers): ApiCrash {
  const { experiencingList, treatmentList, ...rest } = crashReportOf(answers);
  return { ...rest, experiencingList: [...experiencingList], treatmentList: [...treatmentList] };
}

/** Restores the answers from a draft that the service kept. */
function crashFromApi(kept: ApiCrash): CrashAnswers {
  const { medicationTaken = null } = kept;
  const takesMedication = medicationTaken === null ? null : medicationTaken !== NO_MEDICATION;
  return {
    crashYear: kept.crashYear ?? null,
    crashMonth: kept.crashMonth ?? null,
    crashDay: kept.crashDay ?? null,
    contactPreference: kept.contactPreference ?? null,
    symptom: kept.symptom ?? '',
    experiencingList: (kept.experiencingList ?? []).filter(isExperiencing),
    treatmentList: (kept.treatmentList ?? []).filter(isTreatment),
    takesMedication,
    medication: takesMedication === true ? (medicationTaken ?? '') : '',
  };
}

const isExperiencing = (key: string): key is Experiencing =>
  (EXPERIENCING as readonly string[]).includes(key);
const isTreatment = (item: string | { key: 'other'; text: string }): item is Treatment =>
  typeof item !== 'string' ||
  (item !== 'other' && (TREATMENTS as readonly string[]).includes(item));

/** Answers to the reason field. Its label depends on the type; each label keeps its own answer. */
type Reasons = Readonly<Record<ReasonLabel, string>>;

/** Everything the patient answered on confirm, for any type chosen so far. */
export interface AppointmentAnswers {
  readonly reasons: Reasons;
  readonly crash: CrashAnswers;
}

export const NO_ANSWERS: AppointmentAnswers = {
  reasons: { reason: '', claimNumber: '', licenceNumber: '' },
  crash: NO_CRASH_ANSWERS,
};

export function withReason(
  answers: AppointmentAnswers,
  form: AppointmentForm,
  reason: string,
): AppointmentAnswers {
  return { ...answers, reasons: { ...answers.reasons, [reasonRule(form).label]: reason } };
}

/** Adds the answers that a draft kept for an appointment of that form. */
export function withKept(
  answers: AppointmentAnswers,
  form: AppointmentForm,
  kept: ApiAnswers | null,
): AppointmentAnswers {
  if (kept === null) return answers;
  const { reason, ...crash } = kept;
  const answered = withReason(answers, form, reason);
  return form === 'injuryClaim' ? { ...answered, crash: crashFromApi(crash) } : answered;
}

/** The answers that an appointment of that form sends; only injury claims send the crash answers. */
export function apiAnswers(answers: AppointmentAnswers, form: AppointmentForm): ApiAnswers {
  const reason = answers.reasons[reasonRule(form).label];
  return form === 'injuryClaim' ? { reason, ...crashToApi(answers.crash) } : { reason };
}

/**
 * The fields of confirm, named as in the API where the API has them. Free texts are fields apart
 * from the choice that they belong to.
 */
const ANSWER_FIELDS = [
  'reason',
  'crashYear',
  'contactPreference',
  'symptom',
  'experiencingList',
  'treatmentList',
  'otherTreatment',
  'medicationTaken',
  'medication',
] as const;
export type AnswerField = (typeof ANSWER_FIELDS)[number];

interface AnswerProblem {
  readonly field: AnswerField;
  readonly message: string;
}

export type AnswerProblems = readonly AnswerProblem[];

/** Prefix of the ids of the form's controls. */
export const ANSWER_FORM = 'booking';

/** What is wrong with the answers, in the specification's words and the order of the form. */
export function answerProblems(
  form: AppointmentForm,
  { reasons, crash }: AppointmentAnswers,
  today: ClinicDate,
): AnswerProblems {
  const reason = reasonProblem(form, reasons[reasonRule(form).label]);
  const problems: AnswerProblem[] = reason === null ? [] : [{ field: 'reason', message: reason }];
  if (form !== 'injuryClaim') return problems;
  return [...problems, ...whyCrashReportRefused(crashReportOf(crash), today).map(crashProblem)];
}

function crashProblem(refusal: CrashReportRefusal): AnswerProblem {
  switch (refusal.field) {
    case 'crashDate':
      return { field: 'crashYear', message: text(locale(), 'crashDateInvalid') };
    case 'contactPreference':
      return { field: 'contactPreference', message: text(locale(), 'contactPreferenceMissing') };
    case 'symptom':
      return { field: 'symptom', message: text(locale(), 'symptomLength', SYMPTOM_LENGTH) };
    case 'experiencingList':
      return { field: 'experiencingList', message: text(locale(), 'experiencingMissing') };
    case 'treatmentList':
      return { field: 'treatmentList', message: text(locale(), 'treatmentMissing') };
    case 'otherTreatment':
      return {
        field: 'otherTreatment',
        message: text(locale(), 'otherTreatmentLength', OTHER_TREATMENT_LENGTH),
      };
    case 'medicationTaken':
      return refusal.code === 'missing'
        ? { field: 'medicationTaken', message: text(locale(), 'medicationMissing') }
        : { field: 'medication', message: text(locale(), 'medicationLength', MEDICATION_LENGTH) };
  }
}

/** Problems the service found with fields of this form; problems with other fields are left out. */
export function problemsFromApi(errors: readonly ApiFieldError[]): AnswerProblems {
  return errors.flatMap(({ field, message }): AnswerProblem[] => {
    const ours = ANSWER_FIELDS.find((one) => one === field);
    return ours ? [{ field: ours, message }] : [];
  });
}

/** What is wrong with a reason, in the specification's words, or null. */
function reasonProblem(form: AppointmentForm, reason: string): string | null {
  const { label: key, minimum, maximum } = reasonRule(form);
  const label = t(`booking.reason.${key}.name`);
  switch (whyReasonRefused(form, reason)) {
    case 'empty':
      return t('booking.reasonEmpty', { label });
    case 'tooShort':
      return t('booking.reasonTooShort', { label, n: minimum });
    case 'tooLong':
      return t('booking.reasonTooLong', { label, n: maximum });
    case null:
      return null;
  }
}
