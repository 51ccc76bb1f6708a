import type { Doctor } from '../booking/doctor.ts';

/**
 * Whom a card names: the appointment's own display information, else the doctor of that id in the
 * list, else null, which reads 'N/A'..
 */
export function doctorOfAppointment(
  appointment: {
    readonly doctor: string | null;
    readonly displayInfo?:
      | { readonly doctorFirstName: string | null; readonly doctorLastName: string | null }
      | null
      | undefined;
  },
  doctors: readonly Doctor[],
): Pick<Doctor, 'firstName' | 'lastName'> | null {
  const { doctorFirstName, doctorLastName } = appointment.displayInfo ?? {};
  if (doctorLastName) return { firstName: doctorFirstName ?? '', lastName: doctorLastName };
  return doctors.find(({ id }) => id === appointment.doctor) ?? null;
}
