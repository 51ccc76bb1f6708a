import {
  MEDICATION_LENGTH,
  OTHER_TREATMENT_LENGTH,
  reasonRule,
  SYMPTOM_LENGTH,
  whyCrashReportRefused,
} from '@clinic/domain';
import type { AppointmentTypeCode, ClinicDate, CrashReportRefusal } from '@clinic/domain';
import type { ApiFieldError } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { crashReportOf } from './crash-answers.ts';
import { reasonProblem } from './reason-field.tsx';
import type { AppointmentAnswers } from './appointment-answers.ts';

/**
 * The fields of confirm, by the names of the API where it has one; the texts apart from their
 * choice.
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

/** The form's name in the ids of its controls. */
export const ANSWER_FORM = 'booking';

/** What is wrong with the answers, in the specification's words and the order of the form. */
export function answerProblems(
  type: AppointmentTypeCode,
  { reasons, crash }: AppointmentAnswers,
  today: ClinicDate,
): AnswerProblems {
  const reason = reasonProblem(type, reasons[reasonRule(type).label]);
  const problems: AnswerProblem[] = reason === null ? [] : [{ field: 'reason', message: reason }];
  if (type !== 'I') return problems;
  return [...problems, ...whyCrashReportRefused(crashReportOf(crash), today).map(crashProblem)];
}

function crashProblem(refusal: CrashReportRefusal): AnswerProblem {
  switch (refusal.field) {
    case 'crashDate':
      return { field: 'crashYear', message: text('crashDateInvalid') };
    case 'contactPreference':
      return { field: 'contactPreference', message: text('contactPreferenceMissing') };
    case 'symptom':
      return { field: 'symptom', message: text('symptomLength', SYMPTOM_LENGTH) };
    case 'experiencingList':
      return { field: 'experiencingList', message: text('experiencingMissing') };
    case 'treatmentList':
      return { field: 'treatmentList', message: text('treatmentMissing') };
    case 'otherTreatment':
      return {
        field: 'otherTreatment',
        message: text('otherTreatmentLength', OTHER_TREATMENT_LENGTH),
      };
    case 'medicationTaken':
      return refusal.code === 'missing'
        ? { field: 'medicationTaken', message: text('medicationMissing') }
        : { field: 'medication', message: text('medicationLength', MEDICATION_LENGTH) };
  }
}

/** What the service found wrong with fields of this form; of anything else it says nothing here. */
export function problemsFromApi(errors: readonly ApiFieldError[]): AnswerProblems {
  return errors.flatMap(({ field, message }): AnswerProblem[] => {
    const ours = ANSWER_FIELDS.find((one) => one === field);
    return ours ? [{ field: ours, message }] : [];
  });
}
