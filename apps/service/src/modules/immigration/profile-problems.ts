import { text } from '@clinic/contract/texts';
import {
  type ClinicDate,
  EARLIEST_ISSUE,
  type MedicalProfile,
  type MedicalProfileRefusal,
  whyMedicalProfileRefused,
} from '@clinic/domain';
import type { FieldProblem } from '../../server/refusal.ts';

/** Everything wrong with a profile in the words of §5, by field. */
export function profileProblems(profile: MedicalProfile, today: ClinicDate): FieldProblem[] {
  return whyMedicalProfileRefused(profile, today).map((refusal) => ({
    field: `eMedProfile.${refusal.field}`,
    message: wordsOf(refusal),
  }));
}

function wordsOf({ field, code }: MedicalProfileRefusal): string {
  switch (code) {
    case 'empty':
      return text('profileFieldEmpty');
    case 'invalid':
      if (field === 'passportNumber') return text('passportNumberInvalid');
      return text(field === 'phone' ? 'phoneNotDigits' : 'invalidField');
    case 'tooEarly':
    case 'inFuture':
      return text('passportIssueOutOfRange', { from: EARLIEST_ISSUE });
    case 'notBeforeExpiry':
      return text('passportIssueNotBefore');
    case 'expired':
      return text('passportExpired');
    case 'tooLate':
      return text('passportExpiryTooLate');
  }
}
