import { ELIGIBILITY_OF_CARD, type Province, isProvince } from '@clinic/domain';
import { DatabaseConflict, type Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { openCard, sealedCard } from '../../security/sealed-card.ts';
import { findCode, takeCode } from '../../security/one-time-codes.store.ts';
import {
  SIGN_UP_TRIES,
  type SignUpForm,
  countPasswordTry,
  endFormsOf,
  forgetPasswordTries,
  lockFormsOf,
  signUpForm,
} from './pending-sign-ups.store.ts';
import { findOwnRecord } from './find-own-record.ts';
import { accountWith, insertConsent, insertPatient, isCardTaken } from './registrations.store.ts';

export type ConfirmPorts = Pick<
  Platform,
  'database' | 'keyring' | 'emr' | 'ids' | 'appendAudit'
> & { readonly passwordMatches: (password: string, stored: string) => Promise<boolean> };

export interface ConfirmRequest {
  /** The secret of the link. */
  readonly token: string;
  readonly password: string;
  readonly now: number;
}

export type Confirmed =
  'confirmed' | 'linkUsed' | 'linkNotValid' | 'passwordWrong' | 'signUpEnded' | 'cardKnown';

/**
 * Follows the link of a confirmation mail: once, within 6 hours. Who has the mailbox must know
 * the password of the form too, or a stranger's form could be confirmed for him: counted and
 * committed before it is tried, so that parallel guesses count.
 */
export async function confirmEmail(
  ports: ConfirmPorts,
  { token, password, now }: ConfirmRequest,
): Promise<Confirmed> {
  const { database, keyring } = ports;
  const link = await findCode(database.db, keyring, 'confirm', token);
  if (link === null) return 'linkNotValid';
  if (link.usedAt !== null) return 'linkUsed';
  const form = now < link.expiresAt ? await signUpForm(database.db, link.patientId, now) : null;
  if (form === null) return 'linkNotValid';
  const tries = await database.inTransaction((tx) => countPasswordTry(tx, form.id));
  if (tries === null) return 'linkUsed';
  if (tries > SIGN_UP_TRIES) return 'signUpEnded';
  if (!(await ports.passwordMatches(password, form.passwordHash)))
    return tries === SIGN_UP_TRIES ? 'signUpEnded' : 'passwordWrong';
  await database.inTransaction((tx) => forgetPasswordTries(tx, form.id));
  const province = form.cardProvince;
  if (!isProvince(province)) throw new Error('A sign-up form names a province that has cards');
  const card = { province, number: openCard(keyring, form.id, form.cardSealed) };
  const record = await findOwnRecord(ports.emr, ports.ids, { ...form, card });
  if (record.kind === 'unclear') return 'cardKnown';
  const facts = { form, card, record, link: link.id, now };
  const attempt = () => database.inTransaction((tx) => openAccount(ports, tx, facts));
  try {
    return await attempt();
  } catch (error) {
    // Somebody confirmed a form with the same card in the same moment: now it can be seen.
    if (error instanceof DatabaseConflict) return attempt();
    throw error;
  }
}

interface ToOpen {
  readonly form: SignUpForm;
  readonly card: { readonly province: Province; readonly number: string };
  readonly record: { readonly kind: string; readonly recordId: string };
  readonly link: string;
  readonly now: number;
}

/** The account under the id of its form; the other forms of the address end. */
async function openAccount(
  { keyring, ids, appendAudit }: ConfirmPorts,
  tx: Tx,
  { form, card: { province, number }, record, link, now }: ToOpen,
): Promise<Confirmed> {
  const { id, email } = form;
  const stillWaits = (await lockFormsOf(tx, email)).includes(id);
  if (!stillWaits || (await accountWith(tx, email)) !== null) return 'linkUsed';
  const indexes = number === '' ? [] : keyring.blindIndexes('card', number);
  if (await isCardTaken(tx, { province, indexes }, record.recordId)) return 'cardKnown';
  if (!(await takeCode(tx, link, now))) return 'linkNotValid';
  const { consentVersion, consentHash } = form;
  await insertPatient(tx, {
    ...form,
    // Sealed anew: the key of the form may be on its way out.
    ...sealedCard(keyring, id, number).patient,
    recordId: record.recordId,
    eligibility: ELIGIBILITY_OF_CARD[province],
    createdAt: now,
  });
  if (consentVersion !== null && consentHash !== null)
    await insertConsent(tx, {
      id: ids.uuid(),
      patientId: id,
      kind: 'signUp',
      version: consentVersion,
      textHash: consentHash,
      at: form.createdAt,
    });
  await endFormsOf(tx, email);
  const subject = `patient:${id}`;
  const details = { record: record.kind };
  await appendAudit(tx, { actor: subject, action: 'e-mail confirmed', subject, details, at: now });
  return 'confirmed';
}
