import { eq } from 'drizzle-orm';
import type { Db } from '../../database/db.ts';
import { patient } from './schema.ts';
import type { PatientId } from '../../security/sessions.ts';

export type PatientRow = Omit<
  typeof patient.$inferSelect,
  'passwordHash' | 'cardIndex' | 'blockedReason' | 'closedAt'
>;

/** Named one by one: a column that is added is not read by accident (S-3). */
const columns = {
  id: patient.id,
  role: patient.role,
  email: patient.email,
  recordId: patient.recordId,
  firstName: patient.firstName,
  lastName: patient.lastName,
  sex: patient.sex,
  birthDate: patient.birthDate,
  address: patient.address,
  city: patient.city,
  province: patient.province,
  postal: patient.postal,
  country: patient.country,
  phone: patient.phone,
  mobilePhone: patient.mobilePhone,
  internationalPhone: patient.internationalPhone,
  cardProvince: patient.cardProvince,
  cardSealed: patient.cardSealed,
  preferredPharmacyId: patient.preferredPharmacyId,
  eligibility: patient.eligibility,
  familyDoctor: patient.familyDoctor,
  shouldUpdate: patient.shouldUpdate,
  isChanged: patient.isChanged,
  blocked: patient.blocked,
  bookingBlocked: patient.bookingBlocked,
  visibility: patient.visibility,
  blockedProviders: patient.blockedProviders,
  disabledTypes: patient.disabledTypes,
  healthCardUploaded: patient.healthCardUploaded,
  pictureIdUploaded: patient.pictureIdUploaded,
  createdAt: patient.createdAt,
};

/** The signed-in patient's own row; a session without one is a bug. */
export async function patientOf(db: Db, id: PatientId): Promise<PatientRow> {
  const [row] = await db.select(columns).from(patient).where(eq(patient.id, id));
  if (!row) throw new Error('A session of a patient who is not there');
  return row;
}
