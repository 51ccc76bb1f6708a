import type { Province } from '../identity/health-number.ts';
import type { Eligibility } from '../booking/patient-facts.ts';

/**
 * What a new account is taken for until the clinic has seen the card: a BC
 * card, that of another province, Quebec's, or none.
 */
export const ELIGIBILITY_OF_CARD: Readonly<Record<Province, Eligibility>> = {
  BC: 'E',
  AB: 'NR',
  MB: 'NR',
  NB: 'NR',
  NL: 'NR',
  NS: 'NR',
  NT: 'NR',
  NU: 'NR',
  ON: 'NR',
  PE: 'NR',
  SK: 'NR',
  YT: 'NR',
  QC: 'R',
  Other: 'NE',
};
