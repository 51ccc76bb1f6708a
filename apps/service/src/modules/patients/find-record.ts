import { isProvince, normaliseCardNumber } from '@clinic/domain';
import type { RecordId, Emr } from '../records/emr.ts';

/** The caller's own data, as the account has it. */
export interface OwnDetails {
  readonly id: string;
  readonly recordId: string;
  readonly cardProvince: string;
  readonly cardNumber: string;
  /** 'YYYY-MM-DD'. */
  readonly birthDate: string;
}

/** What the caller says of themselves (§7 GET /demographics). */
export interface SaidDetails {
  /** The account's id or the record's number. */
  readonly id: string;
  readonly hin: string;
  readonly province: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** nobody asks about somebody else. */
export function isOwn(own: OwnDetails, said: SaidDetails): boolean {
  const two = (n: number) => String(n).padStart(2, '0');
  const number = isProvince(said.province)
    ? normaliseCardNumber(said.province, said.hin)
    : said.hin.trim();
  return (
    (said.id === own.id || said.id === own.recordId) &&
    said.province === own.cardProvince &&
    number === own.cardNumber &&
    `${String(said.year).padStart(4, '0')}-${two(said.month)}-${two(said.day)}` === own.birthDate
  );
}

/** Whether the clinic's records have a record for the caller: by its number, else by the card. */
export async function hasRecord(
  emr: Pick<Emr, 'getRecord' | 'findRecord'>,
  own: OwnDetails,
): Promise<boolean> {
  if ((await emr.getRecord(own.recordId as RecordId)) !== null) return true;
  if (own.cardNumber === '') return false;
  const { cardProvince, cardNumber, birthDate } = own;
  return (await emr.findRecord({ cardProvince, cardNumber, birthDate })).kind !== 'none';
}
