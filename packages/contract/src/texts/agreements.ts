import { type AgreementTextKind, filledText } from '@clinic/domain';
import { ENGLISH, type Locale, addPart, translate } from '@clinic/texts';

/**
 * The product's texts that patients agree to: drafts for the clinic's counsel. A version's text never
 * changes: a correction is a new entry, placed before the old one of its kind, with its own hash. The hash is
 * SHA-256 of `agreementSource`, with unfilled placeholders. These versions are 1.x; those that a clinic
 * publishes instead count from 2.
 */
export interface AgreementText {
  readonly kind: AgreementTextKind;
  readonly version: string;
  /** Not yet approved by the clinic's counsel; patients are told so. */
  readonly draft: boolean;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly hash: string;
  /** Pages of version 0.2.0 show this text, and the one after it says nothing else to who books online. */
  readonly ofOlderPages?: true;
}

/** the text that the clinic has published in place of the product's. */
export interface PublishedAgreement {
  readonly kind: AgreementTextKind;
  readonly version: string;
  /** The hash of the English text. */
  readonly hash: string;
  /** The English text and its translations, if any. */
  readonly texts: readonly {
    readonly locale: Locale;
    readonly title: string;
    readonly paragraphs: readonly string[];
  }[];
}

/** The values of a text's placeholders; amounts are formatted, such as '$200.00'. */
export interface AgreementValues {
  readonly clinicName?: string;
  /** The fee of the appointment being booked; only the fee warning uses it. */
  readonly fee?: string;
  /** the ordinary booking fee. */
  readonly bookingFee?: string;
}

/** Newest first within a kind. */
export const agreements: readonly AgreementText[] = [
  {
    kind: 'feeWarning',
    version: '1.2',
    draft: true,
    title: 'Fee warning',
    paragraphs: [
      'The fee for this appointment is {fee}. Online, you pay it by card before the appointment is booked. If the clinic books for you, it tells you how to pay.',
      'Fees are non-refundable. An appointment with a fee of $140.00 or more cannot be cancelled online. It can be rescheduled only through this website, and only while it is more than 24 hours away.',
      'If you do not come, the fee is kept and the appointment is not rescheduled.',
      'A valid BC Services Card is free of charge for an insured visit. If you have one and are asked for a fee, check the health card of your account with {clinicName} before you pay.',
    ],
    hash: 'e19eecd6e446511ee183a8c97dee64d3716830e6f5b4645be237adbf3765c0da',
  },
  {
    kind: 'feeWarning',
    version: '1.1',
    draft: true,
    title: 'Fee warning',
    paragraphs: [
      'The fee for this appointment is {fee}. You pay it by card before the appointment is booked.',
      'Fees are non-refundable. An appointment with a fee of $140.00 or more cannot be cancelled online. It can be rescheduled only through this website, and only while it is more than 24 hours away.',
      'If you do not come, the fee is kept and the appointment is not rescheduled.',
      'A valid BC Services Card is free of charge for an insured visit. If you have one and are asked for a fee, check the health card of your account with {clinicName} before you pay.',
    ],
    hash: '77448a8ba70adcd0f1fb128b46c316279e50609b330423c43f6b1d95b70c4b08',
    ofOlderPages: true,
  },
  {
    kind: 'feeWarning',
    version: '1.0',
    draft: true,
    title: 'Fee warning',
    paragraphs: [
      'The fee for this appointment is {fee}. You pay it by card before the appointment is booked.',
      'Fees are non-refundable. A paid appointment cannot be cancelled online. It can be rescheduled only through this website, up to 24 hours before it starts.',
      'If you do not come, the fee is kept and the appointment is not rescheduled.',
      'A valid BC Services Card is free of charge for an insured visit. If you have one and are asked for a fee, check the health card of your account with {clinicName} before you pay.',
    ],
    hash: '2a342adc909e8434181d2ad07723e8fadc709c02eebdd06666a03414f1c6efed',
  },
  {
    kind: 'icbc',
    version: '1.0',
    draft: true,
    title: 'ICBC Confirmation',
    paragraphs: [
      'You are booking a visit about an injury from a motor vehicle crash for which a claim is open with ICBC, the provincial auto insurer.',
      'By confirming, you state that the injury claim number you entered is yours, that it is the number of the injury claim and not of the vehicle claim, and that the date of the crash and your other answers are true and complete.',
      '{clinicName} sends the record of this visit to ICBC as the law requires, and ICBC pays for it. If ICBC does not accept the claim or the number is wrong, the fee of the visit is yours to pay.',
      'This visit is only about the crash. Please book another appointment for anything else.',
    ],
    hash: '751e8a22e325d0e6f5405ec6eb874baeb49c88fbbe4ef212e859fb4a18baefdf',
  },
  {
    kind: 'general',
    version: '1.0',
    draft: true,
    title: 'Clinic policy',
    paragraphs: [
      'Only the patient, a guardian or immediate family may book this appointment. The appointment is for the patient named on the account and for nobody else.',
      'Fees are non-refundable. The ordinary booking fee is {bookingFee}. A wrong date of birth on the account costs $250.00. The amount that applies to you is shown before you pay.',
      'Appointments are rescheduled only through this website. No-shows are not rescheduled, and a No Show fee applies.',
      'A driver medical that is booked at the wrong time costs $250.00.',
      'For a visit at the clinic, arrive 15 minutes early and bring a photo ID and your care card. For a phone consultation, keep your phone at hand: our provider will call you.',
      'The information you gave {clinicName} for this booking is true and complete. Do not use this service in an emergency: call 911.',
    ],
    hash: 'd8b9e481eab066371661eb7562cf484d9b6a2368c8dd563e8e7b4b1bbc151c26',
  },
  {
    kind: 'signUp',
    version: '1.0',
    draft: true,
    title: 'Consent',
    paragraphs: [
      'I am at least 19 years old, or I am the parent, guardian or other authorised representative of the patient whose account this is, and I consent on the patient’s behalf.',
      'This account is for one person only. It is not for an agency or an institution, and it will not be used to book for other people. {clinicName} blocks accounts that are.',
      'The information in this form is true and complete. Fees apply when it is not, and {clinicName} may correct it by the patient’s identity documents.',
      '{clinicName} keeps this information to book and give care, in Canada, for at least 16 years, and shares it only as the Terms of Use (version 2.0) and the Privacy Policy (version 2.0) say. I have read both and agree to them.',
      'I agree to receive e-mail about appointments. E-mail from the clinic never names a reason or a diagnosis.',
    ],
    hash: '570dfd2a2f0d34dfb5428108f6c0b1f95f8e1e4423701548cd3a3e75c9ab799f',
  },
];

/** The text that patients are asked to agree to now: the clinic's own, or the product's. */
export function currentAgreement(
  kind: AgreementTextKind,
  published: readonly PublishedAgreement[] = [],
): AgreementText {
  const own = published.find((each) => each.kind === kind);
  if (own) {
    const { title, paragraphs } = readIn(own);
    return { kind, version: own.version, draft: false, title, paragraphs, hash: own.hash };
  }
  const current = agreements.find((each) => each.kind === kind);
  if (!current) throw new Error(`There is no text of the kind ${kind}`);
  return current;
}

/** The text of that version where an open page of version 0.2.0 shows it in place of the current one. */
export function agreementOfOlderPages(
  kind: AgreementTextKind,
  version: string,
  published: readonly PublishedAgreement[],
): AgreementText | undefined {
  if (published.some((each) => each.kind === kind)) return undefined;
  return agreements.find(
    (each) => each.kind === kind && each.version === version && each.ofOlderPages,
  );
}

/** The product's current texts by paragraph, for translation. */
export const agreementTexts: Readonly<Record<string, string>> = Object.fromEntries(
  (['feeWarning', 'icbc', 'general', 'signUp'] as const).flatMap((kind) => {
    const { title, paragraphs } = currentAgreement(kind);
    return [title, ...paragraphs].map((text, place) => [`${kind}.${place}`, text]);
  }),
);

/** The text from which the hash is made. */
export function agreementSource({
  title,
  paragraphs,
}: Pick<AgreementText, 'title' | 'paragraphs'>): string {
  return [title, ...paragraphs].join('\n\n');
}

addPart('agreement', agreementTexts, 'agreement.');

/** The clinic's text in that language, or in English when it is not translated. */
function readIn({ texts }: PublishedAgreement, locale: Locale = ENGLISH.id) {
  const wordsIn = (language: Locale) => texts.find((each) => each.locale === language);
  const text = wordsIn(locale) ?? wordsIn(ENGLISH.id);
  if (!text) throw new Error('A text that is published has its English words');
  return text;
}

/** Title and paragraphs of the current text with its placeholders filled, and their language. */
export function shownAgreement(
  locale: Locale,
  kind: AgreementTextKind,
  values?: AgreementValues,
  published: readonly PublishedAgreement[] = [],
) {
  const own = published.find((each) => each.kind === kind);
  if (own) {
    const { title, paragraphs, locale: language } = readIn(own, locale);
    const fill = (text: string) => filledText(text, { ...values });
    return { language, isOwn: true, title: fill(title), paragraphs: paragraphs.map(fill) };
  }
  const { paragraphs } = currentAgreement(kind);
  // A placeholder without a value stays, as in the text that is hashed.
  const filled = {
    clinicName: '{clinicName}',
    fee: '{fee}',
    bookingFee: '{bookingFee}',
    ...values,
  };
  const [title = '', ...rest] = ['', ...paragraphs].map((_, place) =>
    translate(locale, `agreement.${kind}.${place}`, filled),
  );
  return { language: locale, isOwn: false, title, paragraphs: rest };
}
