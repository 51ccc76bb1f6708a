import type { ClinicDate } from '@clinic/domain';
import type { Database, Tx } from '../../src/database/db.ts';
import {
  type Importing,
  type RowOf,
  doubled,
  exportTable,
  importTable,
} from '../../src/server/csv-import.ts';
import {
  clockTime,
  date,
  dollars,
  emptyIs,
  filledWords,
  gridTime,
  identifier,
  inDollars,
  minutes,
  typeCode,
  weekday,
  WEEKDAYS,
  words,
  yesOrNo,
} from '../../src/server/table-columns.ts';

const columns = {
  id: identifier,
  name: filledWords(60),
  type: typeCode,
  weekday,
  from: gridTime,
  to: gridTime,
  releaseAt: emptyIs('00:00', clockTime),
  validFrom: date,
  charge: dollars,
  minutes: emptyIs(null, minutes),
  hidden: yesOrNo,
  phone: words(100).prefault(''),
  comment: words(200).prefault(''),
};
export type Row = RowOf<typeof columns>;

const row = (id: string, name: string, over: Partial<Row> = {}): Row => ({
  id,
  name,
  type: 'O',
  weekday: 1,
  from: '08:00',
  to: '12:30',
  releaseAt: '00:00',
  validFrom: '2026-12-04',
  charge: 7250,
  minutes: 15,
  hidden: false,
  phone: '604-555-0101',
  comment: '',
  ...over,
});

/** What the clinic has: all that a spreadsheet could change. */
export const KEPT: readonly Row[] = [
  row('007', 'Amélia Côté'),
  row('201', 'Łukasz “Luke” O’Brien', { to: '24:00', hidden: true, minutes: null }),
  row('1E5', 'ʔəy̓ Sparrow', { type: 'MAR1', phone: '+16045550100', charge: 123450 }),
  row('1.10', 'Quay, Drugs; Fort', { type: 'TRUE', phone: '0441234567', charge: 0 }),
  row('12-4', 'Says "no", plainly', { validFrom: '2026-01-01', releaseAt: '07:30', charge: 1000 }),
  row('1234567890123456', '=Mei', { from: '00:00', to: '00:30', comment: '@home +1' }),
  row('0', "'7", { comment: 'May 5', validFrom: '2027-01-31', from: '13:05', to: '19:55' }),
  row('p.1_b-2', 'राज ਸਿੰਘ', { comment: '1/2', phone: '6045550100', charge: 150 }),
];

const tableOf = (rows: readonly Row[]): Importing<Row> & { readonly now: () => Row[] } => {
  let now = [...rows];
  return {
    what: 'anything',
    columns,
    key: ['id'],
    check: (_tx, read) => [
      ...doubled(read, 'id'),
      ...read.flatMap(({ line, row: { from, to } }) =>
        from < to ? [] : [{ line, column: 'to', why: `must come after ${from}` }],
      ),
    ],
    async write(_tx, read) {
      await Promise.resolve();
      now = [...now.filter(({ id }) => !read.some((each) => each.id === id)), ...read];
    },
    kept: () =>
      Promise.resolve(
        now.map((each) => ({
          ...each,
          weekday: WEEKDAYS[each.weekday] ?? '',
          charge: inDollars(each.charge),
        })),
      ),
    now: () => now,
  };
};

const nothing = {} as Tx;

/** The file that a clinic with these rows downloads. */
export const download = async (rows: readonly Row[] = KEPT): Promise<Uint8Array> =>
  (await exportTable(nothing, tableOf(rows))).bytes;

/** What becomes of a file: its problems, and the rows that the clinic has afterwards. */
export async function imported(bytes: Uint8Array, rows: readonly Row[] = KEPT) {
  const table = tableOf(rows);
  const database = {
    inTransaction: <Result>(work: (tx: Tx) => Promise<Result>) => work(nothing),
  } as unknown as Database;
  const appendAudit = () => Promise.resolve();
  const how = { actor: 'nobody', now: 0, wanted: 'any' };
  const { problems, changes } = await importTable({ database, appendAudit }, table, bytes, how);
  return { problems, changes, rows: table.now() };
}

export const TODAY: ClinicDate = '2026-11-28';
