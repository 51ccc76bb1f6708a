import { currentAgreement } from '@clinic/contract/agreements';
import { toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { eq } from 'drizzle-orm';
import { jobsOf } from '../src/jobs.ts';
import {
  insertChange,
  updateChange,
} from '../src/modules/accounts/address/address-change.store.ts';
import { insertLink, keepLinkHash } from '../src/modules/accounts/sign-up/account-link.store.ts';
import { confirmToken, issueCode, resetCode } from '../src/security/one-time-codes.store.ts';
import {
  pharmacy,
  payment,
  appointment as appointmentTable,
  pendingSignUp,
} from '../src/schema.ts';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import {
  type PatientRow,
  type TestApp,
  type TestAppOptions,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
  unlimitedRates,
} from '../testing/index.ts';

export interface Person {
  readonly row: PatientRow;
  readonly token: string;
  readonly cardNumber: string;
  /** A booked appointment more than 24 hours ahead. */
  readonly appointment: string;
  readonly cancelled: string;
  readonly hold: string;
  /** Of a payment that came to nothing. */
  readonly intent: string;
  readonly payment: string;
  readonly requestKey: string;
  /** A message to the clinic, and the file that hangs on it. */
  readonly message: string;
  readonly attachment: string;
}

export interface MailedCodes {
  /** Of a sign-up of the asker's under another address. */
  readonly confirmToken: string;
  readonly resetCode: string;
  /** Of a new address that the clinic noted for the asker. */
  readonly linkToken: string;
  readonly changeToken: string;
}

export interface TwoPatients extends TestApp {
  /** Who sends every request. */
  readonly asker: Person;
  /** Whose data must never be seen or moved by the asker. */
  readonly other: Person;
  /** What was mailed to the asker, neither used nor over. */
  readonly mailed: MailedCodes;
  /** Texts that stand in the other's rows and nowhere else. */
  readonly secrets: readonly string[];
}

const OTHER = {
  firstName: 'Quillonette',
  lastName: 'Zephyrine',
  address: '77 Tamarisk Row',
  city: 'Ucluelet-by-the-Sea',
  postal: 'V9Z 9Z9',
  phone: '6045559871',
  mobilePhone: '6045559872',
  internationalPhone: '+445559873',
  preferredPharmacyId: 'pharmacy-quillonette',
};
export const DASHBOARD_SECRET = 'what-the-dashboard-signs-with';
const ASKERS_WORDS = { reason: 'A cough', draft: 'A cough, still', message: 'Good morning' };
const OTHERS_WORDS = {
  reason: 'A rash in the shape of Saturn',
  draft: 'A dream about lighthouses',
  message: 'A letter about marmalade',
  tickler: 'tickler-of-quillonette',
  checkin: 'checkin-of-quillonette',
};

export const slotOn = (date: string, time: string, selectedType = 'O') => {
  const start = toInstant(date, time);
  return { start, end: start + 300, doctor: '101', selectedType };
};

/** A clinic with two patients, each with an appointment, a cancelled appointment and a hold with a draft. */
export async function twoPatients(
  rates = unlimitedRates(),
  { config, ...on }: Pick<TestAppOptions, 'database' | 'config'> = {},
): Promise<TwoPatients> {
  const clinic = await testApp({
    ...on,
    config: { rates, dashboardSecret: DASHBOARD_SECRET, ...config },
  });
  // Which rows change is to be the doing of the request alone, not of a hold that lapses or a name that is
  // folded meanwhile.
  for (const { name, lease } of jobsOf(clinic.platform))
    if (lease === 'rows' || name === 'names') await clinic.app.stopJob(name);
  await aClinic(clinic);
  await clinic.database.inTransaction((tx) =>
    tx.insert(pharmacy).values({
      id: 'pharmacy-main',
      name: 'Main Street Pharmacy',
      address: '3 Main Street, Vancouver, BC',
      fax: '',
      phone: '604-555-0199',
    }),
  );
  const asker = await person(clinic, 1_001, '08:00', ASKERS_WORDS, { firstName: 'Ada' });
  const other = await person(clinic, 2_002, '08:30', OTHERS_WORDS, OTHER);
  await clinic.database.inTransaction((tx) =>
    tx
      .update(appointmentTable)
      .set({ ticklers: [OTHERS_WORDS.tickler], checkin: OTHERS_WORDS.checkin })
      .where(eq(appointmentTable.id, other.appointment)),
  );
  const { id, email, recordId } = other.row;
  const [booked] = await clinic.database.db
    .select({ bookingNumber: appointmentTable.bookingNumber })
    .from(appointmentTable)
    .where(eq(appointmentTable.id, other.appointment));
  return {
    ...clinic,
    asker,
    other,
    mailed: await mailedCodes(clinic, asker.row),
    secrets: [
      id,
      email,
      recordId,
      other.cardNumber,
      other.token,
      other.requestKey,
      other.appointment,
      other.cancelled,
      other.hold,
      other.message,
      other.attachment,
      other.intent,
      booked?.bookingNumber ?? '',
      ...Object.values(OTHER),
      ...Object.values(OTHERS_WORDS),
    ],
  };
}

/** The ids by which the other's things could be asked for. */
export const idsOf = ({
  row,
  appointment,
  cancelled,
  hold,
  message,
  attachment,
}: Person): readonly string[] => [
  row.id,
  row.recordId,
  row.email,
  appointment,
  cancelled,
  hold,
  message,
  attachment,
];

async function person(
  clinic: TestApp,
  cardSeed: number,
  time: string,
  words: Record<'reason' | 'draft' | 'message', string>,
  over: Partial<PatientRow>,
): Promise<Person> {
  const cardNumber = validBcNumber(cardSeed);
  const row = await aPatient(clinic.platform, { cardNumber, ...over });
  const token = await signIn(clinic, row);
  const requestKey = `the-key-of-${row.firstName}`;
  const booked = await must(clinic, 'createBooking', {
    token,
    headers: { 'idempotency-key': requestKey },
    body: { ...slotOn('2026-11-25', time), reason: words.reason },
  });
  const held = await must(clinic, 'placeHold', {
    token,
    body: slotOn('2026-11-26', time),
  });
  await must(clinic, 'saveDraft', { token, body: { draft: { reason: words.draft } } });
  const sent = await must(clinic, 'startMessage', {
    token,
    body: { message: words.message },
    files: [{ name: `${row.firstName}.json`, bytes: Buffer.from('{"a":1}') }],
  });
  return {
    row,
    token,
    cardNumber,
    requestKey,
    message: sent.extras.message?.id ?? '',
    attachment: sent.extras.message?.entries[0]?.files[0]?.id ?? '',
    appointment: booked.extras.appointment?.id ?? '',
    hold: held.extras.hold?.id ?? '',
    ...(await cancelledAppointment(clinic, row)),
  };
}

interface Made {
  readonly extras: {
    readonly appointment?: { readonly id: string };
    readonly hold?: { readonly id: string };
    readonly message?: {
      readonly id: string;
      readonly entries: readonly { readonly files: readonly { readonly id: string }[] }[];
    };
  };
}

async function must(...[clinic, id, options]: Parameters<typeof ask>): Promise<Made> {
  const response = await ask(clinic, id, options);
  if (response.statusCode !== 200) throw new Error(`${id} refused: ${response.body}`);
  return response.json<Made>();
}

async function cancelledAppointment(
  { database }: TestApp,
  { id, recordId }: PatientRow,
): Promise<Pick<Person, 'cancelled' | 'intent' | 'payment'>> {
  const appointment = crypto.randomUUID();
  const { start, end, doctor } = slotOn('2026-11-27', '08:00');
  const intent = `pi_practice_${appointment.replaceAll('-', '')}`;
  const paymentId = crypto.randomUUID();
  await database.inTransaction(async (tx) => {
    await tx.insert(payment).values({
      id: paymentId,
      patientId: id,
      appointmentId: appointment,
      intentId: intent,
      amountCents: 1_000,
      state: 'cancelled',
      reference: appointment,
      paymentMethod: 'pm',
      createdAt: NOW,
      changedAt: NOW,
    });
    await tx.insert(appointmentTable).values({
      id: appointment,
      patientId: id,
      recordId,
      providerId: doctor,
      start,
      end,
      clinicDate: '2026-11-27',
      type: 'O',
      state: 'cancelled',
      createdAt: NOW,
      changedAt: NOW,
    });
  });
  return { cancelled: appointment, intent, payment: paymentId };
}

async function mailedCodes({ database, keyring }: TestApp, row: PatientRow): Promise<MailedCodes> {
  const codes = { now: NOW, validFor: 21_600 };
  const [form, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const token = confirmToken(keyring, form);
  const code = resetCode(keyring, other);
  const noCard = { cardProvince: 'Other', cardSealed: null, cardIndex: null };
  const { version: consentVersion, hash: consentHash } = currentAgreement('signUp');
  const consent = { consentVersion, consentHash };
  await database.inTransaction(async (tx) => {
    await tx
      .insert(pendingSignUp)
      .values({ ...row, id: form, email: 'ada.again@test.example', ...noCard, ...consent });
    const link = { ...codes, id: form, patientId: form, secret: token };
    await issueCode(tx, keyring, { ...link, purpose: 'confirm' });
    const reset = { ...codes, id: other, patientId: row.id, secret: `${row.id}:${code}` };
    await issueCode(tx, keyring, { ...reset, purpose: 'reset' });
  });
  const linkToken = 'a-link-to-a-new-address-of-ada';
  const changeToken = 'a-link-to-the-old-address-of-ada';
  await database.inTransaction(async (tx) => {
    const link = { id: crypto.randomUUID(), email: 'ada.new@test.example' };
    const own = { patientId: row.id, recordId: row.recordId, emailBefore: row.email };
    const until = { createdAt: NOW, expiresAt: NOW + codes.validFor };
    await insertLink(tx, { ...link, ...own, ...until, kind: 'email' });
    await keepLinkHash(tx, link.id, keyring.blindIndex('account-link', linkToken));
    const { id, email } = link;
    const change = { id, patientId: row.id, email, emailBefore: row.email, isMailboxLost: false };
    // It need not wait.
    await insertChange(tx, { ...change, begunAt: NOW, releasedAt: NOW });
    const tokenHash = keyring.blindIndex('address-change', changeToken);
    await updateChange(tx, id, { tokenHash });
  });
  return { confirmToken: token, resetCode: code, linkToken, changeToken };
}
