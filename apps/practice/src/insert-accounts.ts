import type { Tx } from '@clinic/service/database/db.ts';
import type { Keyring } from '@clinic/service/security/keyring.ts';
import { patient, pendingSignUp, patientRecord } from '@clinic/service/schema.ts';
import { sealedCard } from '@clinic/service/security/sealed-card.ts';
import type { Ids } from '@clinic/service/server/ids.ts';
import { ACCOUNTS, type PracticeAccount } from './accounts.ts';

export interface SeededPatient {
  readonly id: string;
  readonly recordId: string;
  readonly eligibility: string;
}

const FIRST_RECORD = 10_001;

/** Accounts with their records, and who waits to be confirmed; gives the accounts by the name before the @. */
export async function insertAccounts(
  tx: Tx,
  keyring: Keyring,
  ids: Ids,
  passwordHash: string,
  now: number,
): Promise<ReadonlyMap<string, SeededPatient>> {
  const made = ACCOUNTS.map((account, n) => ({
    account,
    row: patientRow(account, ids.uuid(), String(FIRST_RECORD + n), keyring, passwordHash, now),
  }));
  const accounts = made.filter(({ account }) => !account.isPending);
  const pending = made.filter(({ account }) => account.isPending);
  await tx.insert(patient).values(accounts.map(({ row }) => row));
  await tx.insert(pendingSignUp).values(pending.map(({ row }) => row));
  await tx.insert(patientRecord).values(
    made.flatMap(({ account, row }) => {
      if (account.primaryDoctor === false) return [];
      const { firstName, lastName, birthDate, cardProvince, cardNumber } = account;
      const card = sealedCard(keyring, row.recordId, cardNumber).record;
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
  id: string,
  recordId: string,
  keyring: Keyring,
  passwordHash: string,
  now: number,
) {
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
