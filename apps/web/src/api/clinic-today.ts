import { toClinic, type ClinicDate } from '@clinic/domain';
import { clinicNow } from './clock.ts';

/** The day on the clinic's wall calendar. */
export function clinicToday(): ClinicDate {
  return toClinic(clinicNow()).date;
}
