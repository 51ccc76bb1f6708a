import { type Locale, formatPrice, translate } from '@clinic/texts';
import { HIGH_FEE_CENTS, centsOf } from '@clinic/domain';
import type { ClinicConfig } from '@clinic/contract';
import { feeSchedule } from '../../messages/en/fee-schedule.ts';
import { privacyPolicy } from '../../messages/en/privacy-policy.ts';
import { termsOfUse } from '../../messages/en/terms-of-use.ts';
import { loadMessages } from '../../messages/t.ts';

await loadMessages({ termsOfUse, privacyPolicy, feeSchedule });

export type LegalKind = 'terms' | 'privacy' | 'fees';

export interface LegalSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly rows?: readonly { readonly what: string; readonly fee: string }[];
}

/** A legal text. The clinic's counsel replaces only its words, in the messages. */
export interface LegalText {
  /** '2.0', or null for a text without a version. */
  readonly version: string | null;
  readonly sections: readonly LegalSection[];
}

/** Values that the texts take from the clinic's configuration, so that each is set in one place. */
export type LegalFacts = Pick<
  ClinicConfig,
  'clinicName' | 'clinicEmail' | 'bookingFee' | 'noShowFee'
>;

type LegalKey = keyof typeof termsOfUse | keyof typeof privacyPolicy | keyof typeof feeSchedule;

/** Decimal dollars as '$10.00'. */
const dollars = (locale: Locale, amount: number): string =>
  formatPrice(locale, centsOf(amount) ?? 0);

function valuesOf(locale: Locale, { clinicName, clinicEmail, bookingFee, noShowFee }: LegalFacts) {
  return {
    clinicName,
    clinicEmail,
    bookingFee: dollars(locale, bookingFee),
    noShowFee: noShowFee === null ? 'none' : dollars(locale, noShowFee),
    highFee: formatPrice(locale, HIGH_FEE_CENTS),
    noCardFee: dollars(locale, 200),
    regularFee: dollars(locale, 250),
    wrongTimeFee: dollars(locale, 250),
    wrongBirthDateFee: dollars(locale, 250),
  };
}

export function legalText(locale: Locale, kind: LegalKind, facts: LegalFacts): LegalText {
  const values = valuesOf(locale, facts);
  const say = (key: LegalKey) => translate(locale, key, values);
  if (kind === 'terms') return { version: '2.0', sections: sectionsOf(termsOfUse, say) };
  if (kind === 'privacy') return { version: '2.0', sections: sectionsOf(privacyPolicy, say) };
  const row = (key: LegalKey, fee: string) => ({ what: say(key), fee });
  return {
    version: null,
    sections: [
      {
        heading: say('fees.appointments'),
        paragraphs: [say('fees.appointments.currency')],
        rows: [
          row('fees.row.bcCard', say('fees.free')),
          row('fees.row.otherProvince', values.bookingFee),
          row('fees.row.noCard', values.noCardFee),
        ],
      },
      {
        heading: say('fees.other'),
        paragraphs: [],
        rows: [
          row('fees.row.driverMedical', dollars(locale, 150)),
          row('fees.row.wrongTime', values.wrongTimeFee),
          row('fees.row.sickNote', dollars(locale, 65)),
        ],
      },
      { heading: say('fees.booking'), paragraphs: [say('fees.booking.kept')] },
      {
        heading: say('fees.changes'),
        paragraphs: [say('fees.changes.kept'), say('fees.changes.noShow')],
      },
    ],
  };
}

/** Splits messages into sections: 'terms.fees' is a heading, 'terms.fees.kept' a paragraph below it. */
function sectionsOf<Key extends LegalKey>(
  messages: Readonly<Record<Key, unknown>>,
  say: (key: LegalKey) => string,
): LegalSection[] {
  const keys = Object.keys(messages) as Key[];
  return keys
    .filter((key) => key.split('.').length === 2)
    .map((heading) => ({
      heading: say(heading),
      paragraphs: keys.filter((key) => key.startsWith(`${heading}.`)).map(say),
    }));
}
