import { type Part, part } from '../../database/db.ts';

/** The appointment types, and what the clinic says of providers, for another's statement. */
export const APPOINTMENT_TYPES = part`(
  select code, description, enforce_mrp, enforce_no_pcp, requires_documents from appointment_type)`;
export const PROVIDER_POLICIES = part`(
  select provider_id, disabled, comment, hidden, family_only, no_pcp from provider_policy)`;

/** The fee that counts on a day: of a type and an eligibility, as the statement around it has them. */
export const feeOn = (type: Part, eligibility: Part, day: Part) => part`(
  select charge_cents from fee_policy
   where type = ${type} and eligibility = ${eligibility} and valid_from <= ${day}
   order by valid_from desc limit 1)`;
