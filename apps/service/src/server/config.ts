import type { PasswordCost } from '../security/passwords.ts';
import type { Rates } from './rates.ts';

/** What an installation decides; `main` reads it from the environment, nothing below does. */
export interface ServiceConfig {
  /** Where patients reach the service, without a slash at the end. */
  readonly publicUrl: string;
  /** Nothing is real: the banner, the mailbox page, the movable clock. */
  readonly practice: boolean;
  readonly clinic: ClinicIdentity;
  /** the languages that are offered, English among them. */
  readonly languages: readonly string[];
  /** works only with its address. */
  readonly dashboardUrl: string | null;
  /** Its own logout. */
  readonly dashboardLogoutUrl: string | null;
  /** what the clinic's dashboard signs with when it asks for a sign-in link. */
  readonly dashboardSecret: string | null;
  /** where staff go when their session ends. */
  readonly staffDashboardUrl: string | null;
  /** type F is offered only with it. */
  readonly medicationSiteUrl: string | null;
  readonly preferredPharmacyPrompt: boolean;
  readonly captcha: { readonly kind: 'altcha' | 'recaptcha'; readonly siteKey: string | null };
  /** R-43, in cents. */
  readonly bookingFeeCents: number;
  /** R-38, in cents; null only in practice. */
  readonly noShowFeeCents: number | null;
  /** §9: what 'yes' and 'no' to the family-doctor question stand for in the records. */
  readonly familyDoctorIds: { readonly yes: string; readonly no: string };
  /** Without a way to pay, null, only types that cost nothing are offered. */
  readonly payments: CardForm | null;
  readonly rates: Rates;
  /** S-12: open sockets of one network address; 500 unless said otherwise. */
  readonly socketsPerAddress?: number;
  /** Where the clinic's EMR answers, the first address first; without one our tables are the book. */
  readonly emrAddresses?: readonly string[];
  readonly passwordCost: PasswordCost;
  /** The built web app; null serves the API alone. */
  readonly webRoot: string | null;
  /** The built pages of the front desk; without them there are none. */
  readonly deskRoot?: string | null;
  /** Believe `X-Forwarded-For` of a proxy in front. */
  readonly trustProxy: boolean;
  /** Tests: an answer that is not in the contract throws. */
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
