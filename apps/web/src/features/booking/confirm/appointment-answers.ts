import { reasonRule } from '@clinic/domain';
import type { AppointmentTypeCode, ReasonLabel } from '@clinic/domain';
import type { ApiAnswers } from '@clinic/contract';
import { crashFromApi, crashToApi, NO_CRASH_ANSWERS, type CrashAnswers } from './crash-answers.ts';

/** What the reason field was answered; each of its questions keeps its own answer. */
type Reasons = Readonly<Record<ReasonLabel, string>>;

/** All that the patient was asked on confirm, whatever the type that is chosen now. */
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
  type: AppointmentTypeCode,
  reason: string,
): AppointmentAnswers {
  return { ...answers, reasons: { ...answers.reasons, [reasonRule(type).label]: reason } };
}

/** With what a draft kept for an appointment of that type. */
export function withKept(
  answers: AppointmentAnswers,
  type: AppointmentTypeCode,
  kept: ApiAnswers | null,
): AppointmentAnswers {
  if (kept === null) return answers;
  const { reason, ...crash } = kept;
  const answered = withReason(answers, type, reason);
  return type === 'I' ? { ...answered, crash: crashFromApi(crash) } : answered;
}

/** What an appointment of that type needs of them: the injury-claim set for I alone. */
export function apiAnswers(answers: AppointmentAnswers, type: AppointmentTypeCode): ApiAnswers {
  const reason = answers.reasons[reasonRule(type).label];
  return type === 'I' ? { reason, ...crashToApi(answers.crash) } : { reason };
}
