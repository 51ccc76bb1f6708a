import { currentAgreement } from '@clinic/contract/agreements';
import {
  ELIGIBILITY_OF_CARD,
  type RegistrationForm,
  calendarDate,
  cardOf,
  digitsOf,
  normaliseEmail,
} from '@clinic/domain';
import type { Tx } from '../../platform/db.ts';
import { DatabaseConflict } from '../../platform/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { sealedCard } from '../../platform/sealed-card.ts';
import { enqueueAccountLetter } from '../account-letters/index.ts';
import { type OwnChart, findOwnChart } from './find-own-chart.ts';
import {
  type NewPatient,
  accountWith,
  insertConsent,
  insertPatient,
  isCardTaken,
} from './registrations.store.ts';

export type RegisterPorts = Pick<
  Platform,
  'database' | 'records' | 'ids' | 'keyring' | 'outbox' | 'appendAudit'
> & { readonly hashPassword: (password: string) => Promise<string> };

export interface RegisterRequest {
  /** Accepted by `whyRegistrationRefused`. */
  readonly form: RegistrationForm;
  readonly preferredPharmacyId: string | null;
  /** Whether the consent came with its current version. */
  readonly consented: boolean;
  readonly now: number;
}

export type Registered = { readonly kind: 'registered' } | { readonly kind: 'cardKnown' };

/**
 * §5 Sign-up. A known address is answered as a new one is, at the same cost: one password hash, one
 * letter (S-7). What is said about a card is said whether the address is known or not, but to who
 * fills the own form in again.
 */
export async function register(
  ports: RegisterPorts,
  { form, preferredPharmacyId, consented, now }: RegisterRequest,
): Promise<Registered> {
  const id = ports.ids.uuid();
  const card = cardOf(form);
  const birthDate = calendarDate(form.birthYear, form.birthMonth, form.birthDay);
  if (birthDate === null) throw new Error('An accepted form has a birth date');
  const passwordHash = await ports.hashPassword(form.password);
  const chart = await findOwnChart(ports.records, ports.ids, { ...form, birthDate, card });
  const sealed = sealedCard(ports.keyring, id, card.number).patient;
  const row: Omit<NewPatient, 'chartId'> = {
    id,
    passwordHash,
    birthDate,
    email: normaliseEmail(form.email),
    emailConfirmed: false,
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
    ...sealed,
    preferredPharmacyId,
    eligibility: ELIGIBILITY_OF_CARD[card.province],
    createdAt: now,
  };
  const { province, number } = card;
  const indexes = number === '' ? [] : ports.keyring.blindIndexes('card', number);
  const facts = { row, card: { province, indexes }, chart, consented, now };
  const attempt = () => ports.database.inTransaction((tx) => write(ports, tx, facts));
  try {
    return await attempt();
  } catch (error) {
    // Somebody registered the same address or card in the same moment: now it can be seen.
    if (error instanceof DatabaseConflict) return attempt();
    throw error;
  }
}

interface ToWrite {
  readonly row: Omit<NewPatient, 'chartId'>;
  readonly card: { readonly province: string; readonly indexes: readonly Uint8Array[] };
  readonly chart: OwnChart;
  readonly consented: boolean;
  readonly now: number;
}

async function write(
  ports: RegisterPorts,
  tx: Tx,
  { row, card, chart, consented, now }: ToWrite,
): Promise<Registered> {
  if (chart.kind === 'unclear') return { kind: 'cardKnown' };
  if (await isCardTaken(tx, card, chart.chartId, row.email)) return { kind: 'cardKnown' };
  const known = await accountWith(tx, row.email);
  if (known === null) {
    await insertPatient(tx, { ...row, chartId: chart.chartId });
    if (consented) await insertConsent(tx, consentOf(ports, row.id, now));
  }
  await ports.appendAudit(tx, {
    actor: 'visitor',
    action: known === null ? 'signed up' : 'sign-up for a known address',
    subject: `patient:${known?.id ?? row.id}`,
    details: known === null ? { chart: chart.kind, consented } : {},
    at: now,
  });
  const letter = known === null ? 'confirmEmail' : 'accountExists';
  await enqueueAccountLetter(ports.outbox, tx, letter, known?.id ?? row.id, now);
  return { kind: 'registered' };
}

function consentOf({ ids }: RegisterPorts, patientId: string, at: number) {
  const { version, hash } = currentAgreement('signUp');
  return { id: ids.uuid(), patientId, kind: 'signUp', version, textHash: hash, at };
}
