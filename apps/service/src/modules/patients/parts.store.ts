import { part } from '../../database/statement.ts';

/** Accounts with what decides which doctors, types and fees they are offered, for another's statement. */
export const PATIENTS_WHO_BOOK = part`(
  select id, record_id, eligibility, family_doctor, booking_blocked, blocked_providers,
         disabled_types
    from patient)`;
