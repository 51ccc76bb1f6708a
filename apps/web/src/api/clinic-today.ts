import { toClinic, type ClinicDate } from '@clinic/domain';
import { clinicNow } from '@clinic/app/clock';

/** Today's date in clinic time. */
export function clinicToday(): ClinicDate {
  return toClinic(clinicNow()).date;
}
