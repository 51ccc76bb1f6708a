import type { Doctor } from '../booking/doctor.ts';

/**
 * Whom a card names: the visit's own display information, else the doctor of that id in the list,
 * else null, which reads 'N/A'.
 */
export function doctorOfVisit(
  visit: {
    readonly doctor: string | null;
    readonly displayInfo?:
      | { readonly doctorFirstName: string | null; readonly doctorLastName: string | null }
      | null
      | undefined;
  },
  doctors: readonly Doctor[],
): Pick<Doctor, 'firstName' | 'lastName'> | null {
  const { doctorFirstName, doctorLastName } = visit.displayInfo ?? {};
  if (doctorLastName) return { firstName: doctorFirstName ?? '', lastName: doctorLastName };
  return doctors.find(({ id }) => id === visit.doctor) ?? null;
}
