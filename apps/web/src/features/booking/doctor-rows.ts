import { doctorName, whyNotListed, whyUnselectable } from '@clinic/domain';
import type {
  AppointmentType,
  Doctor,
  DoctorRefusal,
  DoctorStatus,
  PatientFacts,
} from '@clinic/domain';

export interface DoctorRow {
  readonly id: string;
  readonly doctor: Doctor;
  readonly name: string;
  /** The clinic's comment, where there is one. */
  readonly comment: string;
  readonly refusal: DoctorRefusal | null;
}

/** The doctors of step 1, each with why it cannot be chosen (§2 Booking step 1, §5, R-22). */
export function doctorRows(
  doctors: readonly Doctor[],
  statuses: ReadonlyMap<string, DoctorStatus>,
  type: AppointmentType | null,
  patient: PatientFacts,
): DoctorRow[] {
  return doctors.flatMap((doctor) => {
    const status = statuses.get(doctor.id);
    if (!status || whyNotListed(status)) return [];
    const refusal = whyUnselectable(doctor, status, type, patient);
    return [
      {
        id: doctor.id,
        doctor,
        name: doctorName(doctor),
        comment: status.comment.trim(),
        refusal,
      },
    ];
  });
}
