import { currentAgreement } from '@clinic/contract/agreements';
import {
  type RegistrationForm,
  calendarDate,
  cardOf,
  digitsOf,
  normaliseEmail,
} from '@clinic/domain';
import type { Platform } from '../../platform.ts';
import { sealedCard } from '../../security/sealed-card.ts';
import { enqueueAccountEmail } from './send-account-email.ts';
import { CODE_VALID_FOR } from '../../security/code-secrets.ts';
import { insertForm } from './pending-sign-ups.store.ts';
import { accountWith } from './registrations.store.ts';

export type RegisterPorts = Pick<
  Platform,
  'database' | 'ids' | 'keyring' | 'outbox' | 'appendAudit'
> & { readonly hashPassword: (password: string) => Promise<string> };

export interface RegisterRequest {
  /** Accepted by `whyRegistrationRefused`. */
  readonly form: RegistrationForm;
  readonly preferredPharmacyId: string | null;
  /** Whether the consent came with its current version. */
  readonly consented: boolean;
  readonly now: number;
}

/**
 * §5 Sign-up: keeps the form until its link is confirmed. A known address costs the same, one
 * password hash and one email, which goes to its owner (S-7). Whose the card is is asked behind the
 * link, where no stranger can read the answer.
 */
export async function register(
  ports: RegisterPorts,
  { form, preferredPharmacyId, consented, now }: RegisterRequest,
): Promise<void> {
  const id = ports.ids.uuid();
  const email = normaliseEmail(form.email);
  const card = cardOf(form);
  const birthDate = calendarDate(form.birthYear, form.birthMonth, form.birthDay);
  if (birthDate === null) throw new Error('An accepted form has a birth date');
  const passwordHash = await ports.hashPassword(form.password);
  const consent = consented ? currentAgreement('signUp') : null;
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
    phone: digitsOf(form.phone),
    mobilePhone: digitsOf(form.mobilePhone),
    internationalPhone: form.internationalPhone,
    cardProvince: card.province,
    ...sealedCard(ports.keyring, id, card.number).patient,
    preferredPharmacyId,
    consentVersion: consent?.version ?? null,
    consentHash: consent?.hash ?? null,
    createdAt: now,
    expiresAt: now + CODE_VALID_FOR.confirm,
  };
  await ports.database.inTransaction(async (tx) => {
    const known = await accountWith(tx, email);
    if (known === null) await insertForm(tx, row);
    await ports.appendAudit(tx, {
      actor: 'visitor',
      action: known === null ? 'signed up' : 'sign-up for a known address',
      subject: `patient:${known ?? id}`,
      details: known === null ? { consented } : {},
      at: now,
    });
    const message = known === null ? 'confirmEmail' : 'accountExists';
    await enqueueAccountEmail(ports.outbox, tx, message, known ?? id, now);
  });
}
