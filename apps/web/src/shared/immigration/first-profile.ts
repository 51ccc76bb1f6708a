import type { WireUser } from '@clinic/contract';
import { digitsOf, emptyMedicalProfile, type MedicalProfile } from '@clinic/domain';

const GENDERS: Readonly<Record<string, MedicalProfile['gender']>> = { Female: 'F', Male: 'M' };

/** The form of a patient who never filled it in: what the account knows, and the defaults of §9. */
export function firstProfile(user: WireUser): MedicalProfile {
  const { firstName, lastName, address, city, postal } = user;
  const { mobilePhone, phone, internationalPhone } = user;
  return {
    ...emptyMedicalProfile,
    firstName,
    lastName,
    address,
    city,
    postal,
    phone: digitsOf(mobilePhone || phone || internationalPhone),
    gender: GENDERS[user.sex] ?? '',
    dob: user.birthday,
  };
}
