import type { RateRule } from './rate-limit.ts';

/** S-5: at most so many uses in so many seconds. The one place of all figures. */
export interface Rates {
  /** Of one call, in the memory of the process. */
  readonly readsPerAccount: RateRule;
  /** A clinic's own network stands behind one address. */
  readonly readsPerAddress: RateRule;
  readonly changesPerAccount: RateRule;
  readonly changesPerAddress: RateRule;
  /** Suggestions of one patient. */
  readonly reportProblems: RateRule;
  /** Failures that browsers of one address report. */
  readonly saveErrors: RateRule;

  /** Slots that one patient holds, from their appointments. */
  readonly holds: RateRule;
  /** Appointments that one patient books or moves, from their appointments. */
  readonly bookings: RateRule;
  readonly cancellations: RateRule;
  /** Answers kept beside one hold. */
  readonly drafts: RateRule;
  /** Texts that one patient agrees to, from their agreements. */
  readonly agreements: RateRule;

  readonly chargePerAccount: RateRule;
  readonly chargePerAccountDaily: RateRule;
  /** A clinic's own network is one address. */
  readonly chargePerAddress: RateRule;
  /** The same request with the same card, asked again after a lost answer: no new try. */
  readonly chargeRepeats: RateRule;
  readonly loginPerAccount: RateRule;
  readonly loginPerAddress: RateRule;
  readonly registerPerAddress: RateRule;
  /** Confirmations and notes that an account exists, to one address. */
  readonly mailsPerAccount: RateRule;
  /** Birth dates tried. */
  readonly recoveryPerAccount: RateRule;
  /** Reset codes, each after a check that was passed. */
  readonly resetMailsPerAccount: RateRule;
  readonly recoveryPerAddress: RateRule;
  /** Dashboard links that opened nothing. */
  readonly linksPerAddress: RateRule;
  /** Forms with files of one patient. */
  readonly uploads: RateRule;
  /** Messages and replies of one patient. */
  readonly writeMessages: RateRule;
  /** Downloads of everything about one patient. */
  readonly exportData: RateRule;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Unless an installation says otherwise. */
export const RATES: Rates = {
  readsPerAccount: { name: 'reads-account', count: 300, seconds: MINUTE },
  readsPerAddress: { name: 'reads-address', count: 1_500, seconds: 30 },
  changesPerAccount: { name: 'changes-account', count: 120, seconds: 15 * MINUTE },
  changesPerAddress: { name: 'changes-address', count: 300, seconds: 15 * MINUTE },
  reportProblems: { name: 'report-problems', count: 10, seconds: HOUR },
  saveErrors: { name: 'save-errors', count: 100, seconds: 15 * MINUTE },

  holds: { name: 'holds', count: 60, seconds: 15 * MINUTE },
  bookings: { name: 'bookings', count: 10, seconds: HOUR },
  cancellations: { name: 'cancellations', count: 10, seconds: HOUR },
  drafts: { name: 'drafts', count: 120, seconds: 2 * MINUTE },
  agreements: { name: 'agreements', count: 30, seconds: 15 * MINUTE },

  chargePerAccount: { name: 'charge-account', count: 5, seconds: 15 * MINUTE },
  chargePerAccountDaily: { name: 'charge-account-day', count: 20, seconds: 24 * HOUR },
  chargePerAddress: { name: 'charge-address', count: 100, seconds: 15 * MINUTE },
  /** A page asks some twelve times in its minute. */
  chargeRepeats: { name: 'charge-repeat', count: 60, seconds: 15 * MINUTE },
  loginPerAccount: { name: 'login-account', count: 10, seconds: 15 * MINUTE, waitsFrom: 4 },
  loginPerAddress: { name: 'login-address', count: 100, seconds: 15 * MINUTE },
  registerPerAddress: { name: 'register-address', count: 30, seconds: HOUR },
  mailsPerAccount: { name: 'mails-account', count: 5, seconds: HOUR },
  recoveryPerAccount: { name: 'recovery-account', count: 20, seconds: 24 * HOUR },
  resetMailsPerAccount: { name: 'reset-mails', count: 5, seconds: HOUR },
  recoveryPerAddress: { name: 'recovery-address', count: 100, seconds: 15 * MINUTE },
  linksPerAddress: { name: 'links-address', count: 30, seconds: 15 * MINUTE },
  uploads: { name: 'uploads', count: 30, seconds: 15 * MINUTE },
  writeMessages: { name: 'write-messages', count: 20, seconds: HOUR },
  exportData: { name: 'export-data', count: 5, seconds: 24 * HOUR },
};
