import { ELIGIBILITY_RULES, hasImmigrationForm, needsDocuments } from '@clinic/domain';
import type { AppointmentType, PatientFacts } from '@clinic/domain';

/**
 * Whether booking this type needs what online booking does not have yet: payment, documents, the
 * injury-claim questions or the immigration form. A reschedule needs none of them.
 */
export function opensLater(
  type: AppointmentType,
  { eligibility }: Pick<PatientFacts, 'eligibility'>,
): boolean {
  return (
    type.code !== 'F' &&
    (type.chargeCents > 0 ||
      type.code === 'I' ||
      hasImmigrationForm(type.code) ||
      needsDocuments({ eligibilities: ELIGIBILITY_RULES }, type, eligibility))
  );
}
