import { type CallInput, calls } from '@clinic/contract';
import { passwordText, registrationText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import {
  type RegistrationForm,
  calendarDate,
  cardOf,
  normaliseEmail,
  toClinic,
  whyRegistrationRefused,
} from '@clinic/domain';
import { type Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { ofPatient } from '../../../security/audit.store.ts';
import { CODE_VALID_FOR } from '../../../security/one-time-codes.store.ts';
import { hashPassword, isCommonPassword } from '../../../security/passwords.ts';
import { sealedCard } from '../../../security/keyring.ts';
import { checkProof } from '../../../server/ports.ts';
import { success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import type { CountUses, RateUse } from '../../../server/rate-limit.store.ts';
import { phoneColumns, whyPhoneRefused } from '../../../server/phones.ts';
import { Refusal, invalid, refuse } from '../../../server/refusal.ts';
import { findPharmacy } from '../../pharmacies/index.ts';
import { mailLinkAgain } from './account-link.ts';
import { openLinksTo } from './account-link.store.ts';
import { type AgreedText, agreedText } from '../agreements.store.ts';
import { enqueueAccountEmail } from '../account-emails.ts';
import { findOpenAccount } from '../store.ts';
import { firstFormOf, insertForm, newestFormOf } from './sign-ups.store.ts';

/** Sign-up: the form is stored and its link mailed. */
export function registerSignUp(app: FastifyInstance, platform: Platform): void {
  const { captcha, database, outbox, ids, config } = platform;
  const { rates } = config;
  const ports = {
    ...platform,
    hashPassword: (password: string) => hashPassword(password, config.passwordCost),
  };

  route(app, calls.register, async ({ body, locale, now, ...asking }) => {
    const form = formOf(body);
    const errors = whyRegistrationRefused(form, toClinic(now).date, whyPhoneRefused).map(
      (problem) => ({
        field: API_NAMES[problem.field] ?? problem.field,
        message: (locale: Locale) => registrationText(locale, problem),
      }),
    );
    if (isCommonPassword(form.password) && !errors.some(({ field }) => field === 'password'))
      errors.push({ field: 'password', message: (to) => passwordText(to, 'tooCommon') });
    if (errors.length > 0) return refuse('registrationRefused', { errors });
    const agreed = await agreedText(database.db, 'signUp', locale);
    if (body.consent && body.consent.version !== agreed.version)
      return invalid('consent', 'agreementOutdated');
    const preferredPharmacyId = body.preferredPharmacy || null;
    if (preferredPharmacyId !== null && !(await findPharmacy(database.db, preferredPharmacyId)))
      return invalid('preferredPharmacy', 'notInTheList');
    const asks = await checkAsking(body, asking, now);
    if (asks instanceof Refusal) return asks;
    // A form is not refused for what others sent to its address: its email waits, and lists it with theirs.
    const mail = await asking.countUses([mailTo(body.email)]);
    const isLate = mail instanceof Refusal;
    const consent = body.consent?.given === true ? agreed : null;
    await signUp(ports, {
      form,
      preferredPharmacyId,
      consent,
      locale,
      now,
      mail: isLate
        ? { begun: asks.begun, dueAt: now + (mail.details.retryAfter ?? 0), isLate }
        : { begun: mail.begun, dueAt: now, isLate },
    });
    const extras = { message: text(locale, 'registered') };
    return { success: true as const, extras, data: success(extras) };
  });

  route(app, calls.resendConfirmation, async ({ body, locale, now, ...asking }) => {
    const mail = await checkAsking(body, asking, now, [mailTo(body.email)]);
    if (mail instanceof Refusal) return mail;
    const form = await newestFormOf(database.db, body.email, now);
    const links = await openLinksTo(database.db, body.email, now);
    await database.inTransaction(async (tx) => {
      database.afterCommit(mail.begun);
      for (const { id } of links) await mailLinkAgain(outbox, tx, id, now);
      // Without any, a row that sends nothing costs the same (S-7).
      if (form === null && links.length > 0) return;
      const patientId = form ?? ids.uuid();
      await enqueueAccountEmail(outbox, tx, { email: 'confirmEmail', patientId, at: now });
    });
    return success({ message: text(locale, 'confirmationSent') });
  });

  const mailTo = (email: string): RateUse => [rates.mailsPerAccount, normaliseEmail(email)];

  /** Requires a captcha proof, and limits how often a network may ask, and what else is said. */
  async function checkAsking(
    { recaptcha }: { readonly recaptcha: string },
    { address, countUses }: { readonly address: string; readonly countUses: CountUses },
    now: number,
    more: readonly RateUse[] = [],
  ) {
    const unproven = await checkProof(captcha, recaptcha, now);
    if (unproven !== null) return unproven;
    return countUses([[rates.registerPerAddress, address], ...more]);
  }
}

/** Converts the body to the form that the rules check. A body without consent passes; none is stored. */
export function formOf(body: CallInput<'register'>['body']): RegistrationForm {
  return {
    ...body,
    phone: body.phone ?? '',
    mobilePhone: body.mobilePhone ?? '',
    internationalPhone: body.internationalPhone ?? '',
    healthCardProvince: body.healthCardProvince ?? '',
    healthCardNumber: body.healthCardNumber ?? '',
    healthCardNumberConfirm: body.healthCardNumberConfirm ?? '',
    consent: body.consent?.given ?? true,
    captcha: body.recaptcha !== '',
  };
}

/** The body has no field for the birth date or for all phones: the first of their fields stands in. */
const API_NAMES: Readonly<Record<string, string>> = {
  birthDate: 'birthDay',
  phones: 'mobilePhone',
};

interface SignUpRequest {
  /** Accepted by `whyRegistrationRefused`. */
  readonly form: RegistrationForm;
  readonly preferredPharmacyId: string | null;
  /** The text consented to; null without consent. */
  readonly consent: AgreedText | null;
  readonly locale: Locale;
  readonly now: number;
  readonly mail: {
    /** Called once the email will be sent. */
    readonly begun: () => void;
    readonly dueAt: number;
    /** The address has had its emails of the hour; this one counts when it is sent. */
    readonly isLate: boolean;
  };
}

/**
 * Stores the form until its link is confirmed. An address with an account costs the same: one password
 * hash and one email, which goes to its owner. Whose card it is, is checked only after the link is
 * followed, where no stranger can read the answer.
 */
export async function signUp(
  ports: Platform & { readonly hashPassword: (password: string) => Promise<string> },
  { form, preferredPharmacyId, consent, locale, now, mail }: SignUpRequest,
): Promise<void> {
  const id = ports.ids.uuid();
  const email = normaliseEmail(form.email);
  const card = cardOf(form);
  const birthDate = calendarDate(form.birthYear, form.birthMonth, form.birthDay);
  if (birthDate === null) throw new Error('An accepted form has a birth date');
  const passwordHash = await ports.hashPassword(form.password);
  const row = {
    id,
    email,
    passwordHash,
    birthDate,
    firstName: form.firstName.trim(),
    lastName: form.lastName.trim(),
    sex: form.gender,
    address: form.address.trim(),
    city: form.city.trim(),
    province: form.province,
    postal: form.postal.trim().toUpperCase(),
    country: form.country.trim(),
    ...phoneColumns(form),
    cardProvince: card.province,
    ...sealedCard(ports.keyring, id, card.number).patient,
    preferredPharmacyId,
    consentVersion: consent?.version ?? null,
    consentHash: consent?.textHash ?? null,
    consentShownHash: consent?.shownHash ?? null,
    language: locale,
    createdAt: now,
    expiresAt: now + CODE_VALID_FOR.confirm,
  };
  await ports.database.inTransaction(async (tx) => {
    ports.database.afterCommit(mail.begun);
    const known = await findOpenAccount(tx, email);
    if (known === null) await insertForm(tx, row);
    const entry =
      known === null
        ? ofPatient(id, 'signed up', now, { consented: consent !== null })
        : ofPatient(known.id, 'sign-up for a known address', now);
    await ports.appendAudit(tx, { ...entry, actor: 'visitor' });
    const message = known === null ? 'confirmEmail' : 'accountExists';
    // Late emails of an address are of one subject, so that one of them is sent, and lists all forms.
    const first = mail.isLate ? await firstFormOf(tx, email, mail.dueAt) : null;
    const patientId = known?.id ?? first ?? id;
    const late = mail.isLate ? { isLate: true } : {};
    await enqueueAccountEmail(
      ports.outbox,
      tx,
      { email: message, patientId, at: now, ...late },
      mail.dueAt,
    );
  });
}
