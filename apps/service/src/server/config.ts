import type { PasswordCost } from '../security/passwords.ts';
import type { Rates } from './rates.ts';

/** What an installation decides: `main` alone reads it from the environment. */
export interface ServiceConfig {
  /** Where patients reach the service, without a slash at the end. */
  readonly publicUrl: string;
  /** True when nothing is real: the service shows the banner, the mailbox page and the movable clock. */
  readonly practice: boolean;
  readonly clinic: ClinicIdentity;
  /** the languages that the clinic offers, always with English. */
  readonly languages: readonly string[];
  /** the address of the dashboard; null when the clinic has none. */
  readonly dashboardUrl: string | null;
  /** The dashboard's own logout. */
  readonly dashboardLogoutUrl: string | null;
  /** the secret with which the clinic's dashboard signs its requests for sign-in links. */
  readonly dashboardSecret: string | null;
  /** where staff go when their session ends. */
  readonly staffDashboardUrl: string | null;
  /** appointments of type F are offered only with this address. */
  readonly medicationSiteUrl: string | null;
  readonly preferredPharmacyPrompt: boolean;
  readonly captcha: { readonly kind: 'altcha' | 'recaptcha'; readonly siteKey: string | null };
  /** R-43, in cents. */
  readonly bookingFeeCents: number;
  /** R-38, in cents; null only in practice. */
  readonly noShowFeeCents: number | null;
  /** §9: the ids in the records that stand for 'yes' and 'no' to the family-doctor question. */
  readonly familyDoctorIds: { readonly yes: string; readonly no: string };
  /** Null when there is no way to pay: then only types that cost nothing are offered. */
  readonly payments: CardForm | null;
  readonly rates: Rates;
  /** S-12: how many sockets one network address may have open; 500 by default. */
  readonly socketsPerAddress?: number;
  /** How many emails are on their way at once; 20 by default. */
  readonly mailConnections?: number;
  /** The addresses of the clinic's EMR, in the order tried; without one our tables are the book. */
  readonly emrAddresses?: readonly string[];
  /** Who gets all ticklers in the EMR, such as reception; without it whom each is about. */
  readonly ticklersTo?: string | null;
  readonly passwordCost: PasswordCost;
  /** The folder of the built web app; null serves the API alone. */
  readonly webRoot: string | null;
  /** The folder of the built front desk; without it the front desk has no pages. */
  readonly deskRoot?: string | null;
  /** True to believe the `X-Forwarded-For` of a proxy in front. */
  readonly trustProxy: boolean;
  /** For tests: an answer that the contract does not allow throws. */
  readonly strictAnswers: boolean;
}

/** The card form that the browser shows, and the provider's public key. */
export interface CardForm {
  readonly kind: 'stripe' | 'practice';
  readonly publishableKey: string | null;
}

export interface ClinicIdentity {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
  readonly walkInHours: readonly { readonly days: string; readonly hours: string }[];
}
