import { centsOf, formatLegalFee } from '@clinic/domain';
import type { ClinicConfig } from '@clinic/contract';

export type LegalKind = 'terms' | 'privacy' | 'fees';

export interface LegalSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly rows?: readonly { readonly what: string; readonly fee: string }[];
}

/** One legal text. The clinic's counsel replaces the words in `content/`; nothing else changes. */
export interface LegalText {
  /** '2.0', or null for what carries no version. */
  readonly version: string | null;
  readonly sections: readonly LegalSection[];
}

/** What the texts take from the clinic's configuration, so that each figure stands once. */
export type LegalFacts = Pick<
  ClinicConfig,
  'clinicName' | 'clinicEmail' | 'bookingFee' | 'noShowFee'
>;

/** Decimal dollars as '$10.00'. */
export const dollars = (amount: number): string => formatLegalFee(centsOf(amount) ?? 0);
