import type { ApiAppointmentType, ApiUser } from '@clinic/contract';
import { dollarsOf, isAppointmentTypeCode, isEligibility } from '@clinic/domain';
import type { ServiceConfig } from '../../server/config.ts';
import type { PatientRow } from './patients.store.ts';
import type { TypeWithFee } from '../schedule/index.ts';

type TypeConfig = Pick<ServiceConfig, 'medicationSiteUrl' | 'payments'>;

/** The User of §3. Odd names and pairs of names are made here and nowhere else. */
export function apiUser(
  row: PatientRow,
  cardNumber: string,
  types: readonly TypeWithFee[],
  config: TypeConfig,
): ApiUser {
  const [year = 0, month = 0, day = 0] = row.birthDate.split('-').map(Number);
  if (!isEligibility(row.eligibility)) throw new Error('An eligibility nobody knows');
  return {
    id: row.id,
    demographicNo: row.recordId,
    firstName: row.firstName,
    lastName: row.lastName,
    address: row.address,
    city: row.city,
    province: row.province,
    postal: row.postal,
    phone: row.phone,
    mobilePhone: row.mobilePhone,
    internationalPhone: row.internationalPhone,
    birthday: { year, month, day },
    careCard: { number: cardNumber, province: row.cardProvince },
    sex: row.sex,
    email: row.email,
    country: row.country,
    preferredPharmacy: row.preferredPharmacyId,
    eligibility: row.eligibility,
    shouldUpdate: row.shouldUpdate,
    appointmentType: types.flatMap((type) => apiType(type, row.disabledTypes, config)),
    familyDoc: row.familyDoctor,
    blockedProviders: [...row.blockedProviders],
    isBlocked: row.bookingBlocked,
    blocked: row.blocked,
    appVisibility: [...row.visibility],
    isChanged: row.isChanged,
    role: row.role === 'staff' ? 'staff' : 'patient',
  };
}

function apiType(
  type: TypeWithFee,
  disabled: readonly string[],
  config: TypeConfig,
): ApiAppointmentType[] {
  if (!isAppointmentTypeCode(type.code)) return [];
  const offered =
    !disabled.includes(type.code) &&
    (type.code !== 'F' || config.medicationSiteUrl !== null) &&
    (type.chargeCents === 0 || config.payments !== null);
  return [
    {
      code: type.code,
      description: type.description,
      status: offered ? 'enabled' : 'disabled',
      enforceMRP: type.enforceMrp,
      enforceNoPCP: type.enforceNoPcp,
      chargeAmount: dollarsOf(type.chargeCents),
      requiresDocumentUpload: type.requiresDocuments,
      ...(type.notice === null ? {} : { notice: type.notice }),
    },
  ];
}
