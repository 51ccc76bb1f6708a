import { part } from '../../database/db.ts';

/** The providers who practise here now, for another module's statement to join. */
export const ACTIVE_PROVIDERS = part`(
  select id, first_name, last_name from records_provider where status = '1')`;

/** What the templates give each of them on each day. */
export const PROVIDER_DAYS = part`(
  select d.clinic_date, d.provider_id, d.codes
    from schedule_day d join records_provider r on r.id = d.provider_id
   where r.status = '1')`;
