import type { ApiAnswers } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import type { TextCode } from '@clinic/contract/texts';
import {
  EXPERIENCING,
  MEDICATION_LENGTH,
  OTHER_TREATMENT_LENGTH,
  SYMPTOM_LENGTH,
  TREATMENTS,
  reasonRule,
  whyCrashReportRefused,
  whyReasonRefused,
} from '@clinic/domain';
import type {
  AppointmentTypeCode,
  ClinicDate,
  CrashReport,
  CrashReportRefusal,
  Experiencing,
  ReasonLabel,
  Treatment,
} from '@clinic/domain';

import type { FieldProblem } from '../../server/refusal.ts';

const LABELS: Record<ReasonLabel, TextCode> = {
  reason: 'labelReason',
  claimNumber: 'labelClaimNumber',
  licenceNumber: 'labelLicenceNumber',
};

/** Everything wrong with the answers of an appointment, in the words of §5, by field. */
export function whyAnswersRefused(
  type: AppointmentTypeCode,
  answers: ApiAnswers,
  today: ClinicDate,
): FieldProblem[] {
  const reason = reasonProblem(type, answers.reason);
  const problems = reason === null ? [] : [{ field: 'reason', message: reason }];
  return type === 'I' ? [...problems, ...crashProblems(answers, today)] : problems;
}

function reasonProblem(type: AppointmentTypeCode, reason: string): string | null {
  const { label, minimum, maximum } = reasonRule(type);
  const words = text(LABELS[label]);
  switch (whyReasonRefused(type, reason)) {
    case 'empty':
      return text('reasonMissing', { label: words });
    case 'tooShort':
      return text('reasonTooShort', { label: words, n: minimum });
    case 'tooLong':
      return text('reasonTooLong', { label: words, n: maximum });
    case null:
      return null;
  }
}

function crashProblems(answers: ApiAnswers, today: ClinicDate): FieldProblem[] {
  const unknown = unknownKeys(answers);
  if (unknown.length > 0) return unknown;
  return whyCrashReportRefused(crashReport(answers), today).map((refusal) => ({
    field: refusal.field === 'crashDate' ? 'crashYear' : apiField(refusal),
    message: wordsOf(refusal),
  }));
}

function apiField({ field }: CrashReportRefusal): string {
  return field === 'otherTreatment' ? 'treatmentList' : field;
}

function wordsOf(refusal: CrashReportRefusal): string {
  switch (refusal.field) {
    case 'crashDate':
      return text('crashDateInvalid');
    case 'contactPreference':
      return text('contactPreferenceMissing');
    case 'symptom':
      return text('symptomLength', SYMPTOM_LENGTH);
    case 'experiencingList':
      return text('experiencingMissing');
    case 'treatmentList':
      return text('treatmentMissing');
    case 'otherTreatment':
      return text('otherTreatmentLength', OTHER_TREATMENT_LENGTH);
    case 'medicationTaken':
      return refusal.code === 'missing'
        ? text('medicationMissing')
        : text('medicationLength', MEDICATION_LENGTH);
  }
}

const isExperiencing = (key: string): key is Experiencing =>
  (EXPERIENCING as readonly string[]).includes(key);
const isTreatment = (item: string | { key: 'other'; text: string }): item is Treatment =>
  typeof item !== 'string' ||
  (item !== 'other' && (TREATMENTS as readonly string[]).includes(item));

function unknownKeys(answers: ApiAnswers): FieldProblem[] {
  const message = text('invalidField');
  const problems: FieldProblem[] = [];
  if (!(answers.experiencingList ?? []).every(isExperiencing))
    problems.push({ field: 'experiencingList', message });
  if (!(answers.treatmentList ?? []).every(isTreatment))
    problems.push({ field: 'treatmentList', message });
  return problems;
}

/** The injury-claim answers as the rules read them. */
function crashReport(answers: ApiAnswers): CrashReport {
  return {
    crashYear: answers.crashYear ?? null,
    crashMonth: answers.crashMonth ?? null,
    crashDay: answers.crashDay ?? null,
    contactPreference: answers.contactPreference ?? null,
    symptom: answers.symptom ?? '',
    experiencingList: (answers.experiencingList ?? []).filter(isExperiencing),
    treatmentList: (answers.treatmentList ?? []).filter(isTreatment),
    medicationTaken: answers.medicationTaken ?? null,
  };
}

/** What is kept of the answers: the reason trimmed, injury details for type I only. */
export function answersToKeep(type: AppointmentTypeCode, answers: ApiAnswers): ApiAnswers {
  const reason = answers.reason.trim();
  return type === 'I' ? { ...answers, reason } : { reason };
}
