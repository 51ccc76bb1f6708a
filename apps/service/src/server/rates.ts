import { MOST_APPOINTMENTS, MOST_WISHED } from '@clinic/domain';

/** At most `count` uses in `seconds`; a use whose work never began is given back (rate-limit.store.ts). */
export interface RateRule {
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
  /** A network address, shared by many people, has no tries of its own: every request that is let in counts. */
  readonly ofAddress?: true;
  /** From this use on, each use makes the next one wait: 2 seconds, then 4, 8 …; left out, no use waits. */
  readonly waitsFrom?: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** S-5: at most `count` uses in `seconds`. All limits of the service stand here. */
export const RATES = {
  // Counted for each call, in the memory of the process.
  readsPerAccount: { name: 'reads-account', count: 300, seconds: MINUTE },
  /** All of a clinic's own network shares one address, here and below. */
  readsPerAddress: { name: 'reads-address', count: 1_500, seconds: 30, ofAddress: true },
  changesPerAccount: { name: 'changes-account', count: 120, seconds: 15 * MINUTE },
  changesPerAddress: { name: 'changes-address', count: 300, seconds: 15 * MINUTE, ofAddress: true },
  /**
   * Tokens of 256 bits and links, right or wrong: nobody guesses them, so this bounds the work alone, and with a
   * wrong one nobody uses up what another limit counts.
   */
  tokensPerAddress: { name: 'tokens-address', count: 1_500, seconds: 30, ofAddress: true },
  /** Suggestions of one patient. */
  reportProblems: { name: 'report-problems', count: 10, seconds: HOUR },
  /** Failures that browsers of one address report. */
  saveErrors: { name: 'save-errors', count: 100, seconds: 15 * MINUTE, ofAddress: true },

  // Counted for each patient, from the rows that they write.
  holds: { name: 'holds', count: 60, seconds: 15 * MINUTE },
  /** Appointments booked or moved. */
  bookings: { name: 'bookings', count: 10, seconds: HOUR },
  cancellations: { name: 'cancellations', count: 10, seconds: HOUR },
  /** Drafts of answers saved beside one hold. */
  drafts: { name: 'drafts', count: 120, seconds: 2 * MINUTE },
  agreements: { name: 'agreements', count: 30, seconds: 15 * MINUTE },

  // Counted in the table that all processes share.
  chargePerAccount: { name: 'charge-account', count: 5, seconds: 15 * MINUTE },
  chargePerAccountDaily: { name: 'charge-account-day', count: 20, seconds: 24 * HOUR },
  chargePerAddress: { name: 'charge-address', count: 100, seconds: 15 * MINUTE, ofAddress: true },
  /**
   * The same request with the same card, sent again after a lost answer: not a new try. A page sends it some
   * twelve times within its minute.
   */
  chargeRepeats: { name: 'charge-repeat', count: 60, seconds: 15 * MINUTE },
  loginPerAccount: { name: 'login-account', count: 10, seconds: 15 * MINUTE, waitsFrom: 4 },
  loginPerAddress: { name: 'login-address', count: 100, seconds: 15 * MINUTE, ofAddress: true },
  registerPerAddress: { name: 'register-address', count: 30, seconds: HOUR, ofAddress: true },
  /** Confirmations, and notes that an account exists, sent to one email address. */
  mailsPerAccount: { name: 'mails-account', count: 5, seconds: HOUR },
  /** Birth dates tried in a recovery. */
  recoveryPerAccount: { name: 'recovery-account', count: 20, seconds: 24 * HOUR },
  /** Reset codes, each sent after a check that was passed. */
  resetMailsPerAccount: { name: 'reset-mails', count: 5, seconds: HOUR },
  recoveryPerAddress: {
    name: 'recovery-address',
    count: 100,
    seconds: 15 * MINUTE,
    ofAddress: true,
  },
  /** Guesses at what a member of staff signs in with. */
  staffPerAccount: { name: 'staff-account', count: 10, seconds: 15 * MINUTE, waitsFrom: 5 },
  staffPerAddress: { name: 'staff-address', count: 100, seconds: 15 * MINUTE, ofAddress: true },
  /** Guesses within one session of staff: at its locked screen, and at the password when it is changed. */
  staffPerSession: { name: 'staff-session', count: 10, seconds: 15 * MINUTE, waitsFrom: 5 },
  /** Those of all sessions of one person. */
  staffAllSessions: { name: 'staff-all-sessions', count: 30, seconds: 15 * MINUTE },
  /** Requests for a passkey challenge, made before anybody is signed in. */
  passkeysPerAddress: {
    name: 'passkeys-address',
    count: 300,
    seconds: 15 * MINUTE,
    ofAddress: true,
  },
  /**
   * Appointments that one person of the staff cancels or moves, for the clinic and at the wish of patients.
   * The trail says what was done (harm-limits.ts); these count what every process is about to do.
   */
  staffForClinic: { name: 'staff-for-clinic', count: MOST_APPOINTMENTS, seconds: 24 * HOUR },
  staffAtWish: { name: 'staff-at-wish', count: MOST_WISHED, seconds: 24 * HOUR },
  /** Forms with files of one patient. */
  uploads: { name: 'uploads', count: 30, seconds: 15 * MINUTE },
  /** Messages and replies of one patient. */
  writeMessages: { name: 'write-messages', count: 20, seconds: HOUR },
  /** Downloads of everything about one patient. */
  exportData: { name: 'export-data', count: 5, seconds: 24 * HOUR },
} as const satisfies Readonly<Record<string, RateRule>>;

/** The limits of an installation, which may differ from `RATES`. */
export type Rates = Readonly<Record<keyof typeof RATES, RateRule>>;
