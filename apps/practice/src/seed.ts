import {
  ELIGIBILITY_RULES,
  SPECIFIED_TYPES,
  STEP_SECONDS,
  isCancellableBy,
  isEligibility,
  toClinic,
} from '@clinic/domain';
import type { SlotCodeRules } from '@clinic/domain';
import type { Database, Tx } from '@clinic/service/database/db.ts';
import { StartRefused } from '@clinic/service/read-settings.ts';
import { codesOn } from '@clinic/service/modules/records/index.ts';
import {
  appointment,
  appointmentStep,
  appointmentType,
  feePolicy,
  installation,
  patient,
  patientRecord,
  payment,
  pendingSignUp,
  pharmacy,
  practiceIntent,
  providerPolicy,
  providerType,
  recordsException,
  provider,
  recordsTemplate,
  slotCode,
} from '@clinic/service/schema.ts';
import { type Keyring, sealedCard } from '@clinic/service/security/keyring.ts';
import { hashPassword } from '@clinic/service/security/passwords.ts';
import type { Ids } from '@clinic/service/server/ports.ts';
import { ACCOUNTS, type PracticeAccount } from './accounts.ts';
import {
  type SeededAppointment,
  type SeededPatient,
  accountAppointments,
  otherAppointments,
  otherRecords,
} from './appointments.ts';
import {
  exceptionRows,
  feeRows,
  pharmacyRows,
  policyRows,
  providerRows,
  templateRows,
  typeRows,
} from './clinic-rows.ts';
import type { ClinicSeed } from './clinic-seed.ts';
import { LENGTHS } from './lengths-clinic.ts';

const SEEDED = 'practice-seeded-at';
const SEEDED_AS = 'practice-clinic';
export const PASSWORD = 'Practice-2026';
/** Long ago, so that past appointments have fees too. */
const FEES_SINCE = '2020-01-01';
const FIRST_RECORD = 10_001;
const ROWS_AT_ONCE = 500;
/** In cents. */
const FEE = 1_000;
/** Stands for the staff who took fees: the staff accounts are seeded later. */
const DESK = '00000000-0000-4000-8000-000000000000';

const PRIVATE = new Set(SPECIFIED_TYPES.flatMap((type) => (type.isPrivate ? [type.code] : [])));

interface Seeding {
  readonly keyring: Keyring;
  readonly ids: Ids;
  readonly passwordHash: string;
  readonly now: number;
}

/** The practice clinics: the specification's, and one with appointments of different lengths. */
export const PRACTICE_CLINICS = ['specified', 'lengths'] as const;
/** The clinic on a fake OSCAR is not in the list: only EMR=fake-oscar selects it. */
export type PracticeClinicName = (typeof PRACTICE_CLINICS)[number] | 'fake-oscar';

const SPECIFIED: ClinicSeed = {
  providers: providerRows(),
  policies: policyRows(),
  types: typeRows(),
  fees: feeRows,
  templates: templateRows,
  exceptions: exceptionRows,
  codes: null,
  paces: [],
  booked(patients, codesOn, now) {
    const own = accountAppointments(patients, codesOn, now);
    const active = providerRows().flatMap(({ id, status }) => (status === '1' ? [id] : []));
    return [...own, ...otherAppointments(active, codesOn, toClinic(now).date, own)];
  },
};

const code = (character: string, description: string, types: string[]): SlotCodeRules => ({
  code: character,
  description,
  types,
  minutes: null,
  release: 'always',
  releaseAt: '00:00',
});

/** On OSCAR. Schedules and records are OSCAR's; we keep which types its codes serve. */
const ON_OSCAR: ClinicSeed = {
  providers: [],
  // A provider who is new in an EMR is hidden until the clinic shows them.
  policies: ['101', '102', '103'].map((providerId) => ({ providerId })),
  types: typeRows(),
  fees: feeRows,
  templates: () => [],
  exceptions: () => [],
  codes: [code('C', 'Clinic Appointment', ['O', 'V', 'I', 'D']), code('P', 'Phone', ['P', 'PP'])],
  paces: [],
  recordsIn: 'emr',
  booked: () => [],
};

const SEEDS: Readonly<Record<PracticeClinicName, ClinicSeed>> = {
  specified: SPECIFIED,
  lengths: LENGTHS,
  'fake-oscar': ON_OSCAR,
};

/**
 * Seeds a new practice clinic, once, around the time of its first start. Throws when the data folder is of
 * another practice clinic.
 */
export async function seedPracticeClinic(
  { database, keyring, ids }: { database: Database; keyring: Keyring; ids: Ids },
  now: number,
  name: PracticeClinicName = 'specified',
): Promise<'seeded' | 'seeded before'> {
  const before = await database.db.select().from(installation);
  const kept = before.find(({ key }) => key === SEEDED_AS)?.value ?? 'specified';
  if (before.some(({ key }) => key === SEEDED)) {
    if (kept === 'fake-oscar')
      throw new StartRefused(
        'This data folder was on a fake OSCAR, which has forgotten its book: set another DATA_DIR.',
      );
    if (kept === name) return 'seeded before';
    throw new StartRefused(
      `This data folder holds the practice clinic '${kept}', not '${name}': set PRACTICE_CLINIC=${kept}, or another DATA_DIR.`,
    );
  }
  const seed = SEEDS[name];
  const today = toClinic(now).date;
  const seeding = { keyring, ids, passwordHash: await hashPassword(PASSWORD), now };
  const templates = seed.templates(today);
  const exceptions = seed.exceptions(today);
  const codes = (providerId: string, date: string) =>
    codesOn(date, providerId, templates, exceptions);

  await database.inTransaction(async (tx) => {
    await tx.insert(providerPolicy).values([...seed.policies]);
    if (seed.providers.length > 0) {
      await tx.insert(provider).values(seed.providers);
      await tx.insert(recordsTemplate).values(templates);
    }
    if (exceptions.length > 0) await tx.insert(recordsException).values(exceptions);
    await tx.insert(appointmentType).values(seed.types);
    await tx.insert(feePolicy).values(seed.fees(FEES_SINCE));
    if (seed.codes !== null) {
      await tx.delete(slotCode);
      await tx
        .insert(slotCode)
        .values(seed.codes.map((each) => ({ ...each, types: [...each.types], bound: true })));
    }
    if (seed.paces.length > 0) await tx.insert(providerType).values([...seed.paces]);
    await tx.insert(pharmacy).values(pharmacyRows());
    const { recordsIn = 'here' } = seed;
    if (recordsIn === 'here') await tx.insert(patientRecord).values(otherRecords());
    const patients = await insertAccounts(tx, seeding, recordsIn);
    await insertAppointments(tx, seed.booked(patients, codes, now), seeding);
    await tx.insert(installation).values([
      { key: SEEDED, value: String(now) },
      { key: SEEDED_AS, value: name },
    ]);
  });
  return 'seeded';
}

/** Inserts accounts, their records and unconfirmed sign-ups; returns the accounts by name. */
async function insertAccounts(
  tx: Tx,
  seeding: Seeding,
  recordsIn: 'here' | 'emr',
): Promise<ReadonlyMap<string, SeededPatient>> {
  const made = ACCOUNTS.map((account, n) => ({
    account,
    // A number could be the id of another record in the EMR.
    row: patientRow(
      account,
      recordsIn === 'emr' ? seeding.ids.uuid() : String(FIRST_RECORD + n),
      seeding,
    ),
  }));
  const accounts = made.filter(({ account }) => !account.isPending);
  const pending = made.filter(({ account }) => account.isPending);
  await tx.insert(patient).values(accounts.map(({ row }) => row));
  await tx.insert(pendingSignUp).values(pending.map(({ row }) => row));
  if (recordsIn === 'here')
    await tx.insert(patientRecord).values(
      made.flatMap(({ account, row }) => {
        if (account.primaryDoctor === false) return [];
        const { firstName, lastName, birthDate, cardProvince, cardNumber } = account;
        const card = sealedCard(seeding.keyring, row.recordId, cardNumber).record;
        const providerId = account.primaryDoctor;
        return [
          { id: row.recordId, firstName, lastName, birthDate, providerId, cardProvince, ...card },
        ];
      }),
    );
  return new Map(accounts.map(({ account, row }) => [account.name, row]));
}

function patientRow(
  account: PracticeAccount,
  recordId: string,
  { ids, keyring, passwordHash, now }: Seeding,
) {
  const id = ids.uuid();
  const { name, firstName, lastName, birthDate, sex, cardProvince, cardNumber } = account;
  return {
    id,
    recordId,
    email: `${name}@practice.example`,
    passwordHash,
    firstName,
    lastName,
    birthDate,
    sex,
    address: '1200 Burrard Street',
    city: 'Vancouver',
    province: 'BC',
    postal: 'V6Z 2C7',
    country: 'Canada',
    mobilePhone: '6045550142',
    cardProvince,
    eligibility: 'E',
    createdAt: now,
    ...sealedCard(keyring, id, cardNumber).patient,
    ...account.row,
  };
}

/** Inserts appointments and their steps, as bookings would have left them. */
async function insertAppointments(
  tx: Tx,
  appointments: readonly SeededAppointment[],
  { ids, now }: Seeding,
): Promise<void> {
  const rows = appointments.map((each, n) => appointmentRow(each, ids.uuid(), n, now));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx.insert(appointment).values(rows.slice(at, at + ROWS_AT_ONCE));
  for (const row of rows) if (row.paidCents > 0) await insertPayment(tx, ids.uuid(), row);
  const steps = rows
    .filter(({ state }) => state === 'booked' || state === 'registered')
    .flatMap(({ id, providerId, start, end }) =>
      Array.from({ length: (end - start) / STEP_SECONDS }, (_, at) => ({
        providerId,
        stepStart: start + at * STEP_SECONDS,
        appointmentId: id,
      })),
    );
  for (let at = 0; at < steps.length; at += ROWS_AT_ONCE)
    await tx.insert(appointmentStep).values(steps.slice(at, at + ROWS_AT_ONCE));
}

function appointmentRow(appointment: SeededAppointment, id: string, n: number, now: number) {
  const { patient, recordId, providerId, start, type, state, takenBy } = appointment;
  const eligibility = patient && isEligibility(patient.eligibility) ? patient.eligibility : null;
  const madeAt = Math.min(now, start - 86_400);
  return {
    id,
    patientId: patient?.id ?? null,
    recordId,
    providerId,
    start,
    end: start + (appointment.minutes ?? 5) * 60,
    clinicDate: toClinic(start).date,
    type,
    state,
    onceADay: eligibility !== null && ELIGIBILITY_RULES[eligibility].oncePerDay,
    bookingNumber: (46_656 + n).toString(36).toUpperCase(),
    paidCents: appointment.paidCents ?? 0,
    isReschedulable: appointment.isReschedulable ?? true,
    isCancellable:
      eligibility === null || isCancellableBy(eligibility, { isPrivate: PRIVATE.has(type) }),
    checkin: appointment.checkin ?? null,
    feeAtClinic:
      takenBy === undefined ? null : { cents: FEE, taken: { means: takenBy, by: DESK, at: now } },
    createdAt: madeAt,
    changedAt: madeAt,
  };
}

/** Inserts the fee of a seeded appointment: the payment, and its entry in the practice gateway's books. */
async function insertPayment(
  tx: Tx,
  id: string,
  { id: appointmentId, patientId, paidCents, createdAt }: ReturnType<typeof appointmentRow>,
): Promise<void> {
  if (patientId === null) return;
  const intentId = `pi_practice_${id.replaceAll('-', '')}`;
  await tx.insert(payment).values({
    id,
    patientId,
    appointmentId,
    amountCents: paidCents,
    state: 'captured',
    reference: `P-${id.replaceAll('-', '').slice(0, 10).toUpperCase()}`,
    intentId,
    paymentMethod: 'pm_practice_succeeds_seed',
    createdAt,
    changedAt: createdAt,
  });
  await tx.insert(practiceIntent).values({
    id: intentId,
    payment: id,
    amountCents: paidCents,
    currency: 'cad',
    status: 'succeeded',
    capturedCents: paidCents,
    createdAt,
  });
}
