import { hasImmigrationForm } from '@clinic/domain';
import type { AppointmentType } from '@clinic/domain';

/**
 * Whether booking this type needs what online booking does not have yet: the injury-claim questions
 * or the immigration form. A reschedule needs neither.
 */
export function opensLater({ code }: Pick<AppointmentType, 'code'>): boolean {
  return code === 'I' || hasImmigrationForm(code);
}
