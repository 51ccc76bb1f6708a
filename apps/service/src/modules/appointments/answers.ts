import type { ApiAnswers } from '@clinic/contract';
import { type TextCode, text } from '@clinic/contract/texts';
import {
  type AppointmentForm,
  type ClinicDate,
  type CrashReport,
  type CrashReportRefusal,
  type Experiencing,
  type ReasonLabel,
  type Treatment,
  EXPERIENCING,
  MEDICATION_LENGTH,
  OTHER_TREATMENT_LENGTH,
  reasonRule,
  SYMPTOM_LENGTH,
  TREATMENTS,
  whyCrashReportRefused,
  whyReasonRefused,
} from '@clinic/domain';

import type { Keyring } from '../../security/keyring.ts';
import { type FieldProblem, type LocalizedText, localized } from '../../server/refusal.ts';

/** The sealing context of an appointment's answers: stored rows are bound to this exact text. */
export const answersContext = (appointmentId: string) => `claim.answers:${appointmentId}`;

export const openedAnswers = (
  keyring: Pick<Keyring, 'open'>,
  appointmentId: string,
  sealed: Uint8Array,
): ApiAnswers => JSON.parse(keyring.open(answersContext(appointmentId), sealed)) as ApiAnswers;

const LABELS: Record<ReasonLabel, TextCode> = {
  reason: 'labelReason',
  claimNumber: 'labelClaimNumber',
  licenceNumber: 'labelLicenceNumber',
};

/** Everything wrong with the answers of an appointment, in the words of §5, by field. */
export function whyAnswersRefused(
  form: AppointmentForm,
  answers: ApiAnswers,
  today: ClinicDate,
): FieldProblem[] {
  const reason = reasonProblem(form, answers.reason);
  const problems = reason === null ? [] : [{ field: 'reason', message: reason }];
  return form === 'injuryClaim' ? [...problems, ...crashProblems(answers, today)] : problems;
}

function reasonProblem(form: AppointmentForm, reason: string): LocalizedText | null {
  const { label, minimum, maximum } = reasonRule(form);
  const why = whyReasonRefused(form, reason);
  if (why === null) return null;
  const [code, n] = (
    {
      empty: ['reasonMissing'],
      tooShort: ['reasonTooShort', minimum],
      tooLong: ['reasonTooLong', maximum],
    } as const
  )[why];
  return (locale) => text(locale, code, { label: text(locale, LABELS[label]), n });
}

function crashProblems(answers: ApiAnswers, today: ClinicDate): FieldProblem[] {
  const unknown = unknownKeys(answers);
  if (unknown.length > 0) return unknown;
  return whyCrashReportRefused(crashReport(answers), today).map((refusal) => ({
    field: API_FIELD[refusal.field] ?? refusal.field,
    message: localized(...wordsOf(refusal)),
  }));
}

/** The fields that the call names otherwise. */
const API_FIELD: Readonly<Partial<Record<CrashReportRefusal['field'], string>>> = {
  crashDate: 'crashYear',
  otherTreatment: 'treatmentList',
};

const WORDS = {
  crashDate: ['crashDateInvalid'],
  contactPreference: ['contactPreferenceMissing'],
  symptom: ['symptomLength', SYMPTOM_LENGTH],
  experiencingList: ['experiencingMissing'],
  treatmentList: ['treatmentMissing'],
  otherTreatment: ['otherTreatmentLength', OTHER_TREATMENT_LENGTH],
  medicationTaken: ['medicationLength', MEDICATION_LENGTH],
} as const;

const wordsOf = ({ field, code }: CrashReportRefusal): Parameters<typeof localized> =>
  field === 'medicationTaken' && code === 'missing' ? ['medicationMissing'] : [...WORDS[field]];

const isExperiencing = (key: string): key is Experiencing =>
  (EXPERIENCING as readonly string[]).includes(key);
const isTreatment = (item: string | { key: 'other'; text: string }): item is Treatment =>
  typeof item !== 'string' ||
  (item !== 'other' && (TREATMENTS as readonly string[]).includes(item));

function unknownKeys({ experiencingList, treatmentList }: ApiAnswers): FieldProblem[] {
  const unknown = [
    ...((experiencingList ?? []).every(isExperiencing) ? [] : ['experiencingList']),
    ...((treatmentList ?? []).every(isTreatment) ? [] : ['treatmentList']),
  ];
  return unknown.map((field) => ({ field, message: localized('notInTheList') }));
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

/** The answers to store: the trimmed reason, and for an injury claim the crash report. */
export function answersToKeep(form: AppointmentForm, answers: ApiAnswers): ApiAnswers {
  const reason = answers.reason.trim();
  return form === 'injuryClaim' ? { ...answers, reason } : { reason };
}
