import type { ApiClinicTable, ApiTable } from '@clinic/contract';
import type { Row } from './row-form.tsx';

interface Table extends Pick<ApiTable, 'columns' | 'whole'> {
  readonly rows: readonly { readonly row: Row }[];
}

const isSame = (names: readonly string[], one: Row, other: Row) =>
  names.every((name) => one[name] === other[name]);

/** The rows beside `row` that an import of it alone would take away. */
function besides({ columns, whole, rows }: Table, row: Row, old: Row | undefined): Row[] {
  if (whole.length === 0) return [];
  const key = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  const all = rows.map((each) => each.row);
  let standing = all.filter((each) => isSame(whole, each, row));
  let left = old;
  const date = columns.find(({ name, kind }) => whole.includes(name) && kind === 'date')?.name;
  if (standing.length === 0 && date !== undefined) {
    // From a new date on what held before goes on, with the row.
    const others = whole.filter((name) => name !== date);
    const from = (each: Row) => each[date] ?? '';
    const earlier = all.filter((each) => isSame(others, each, row) && from(each) < from(row));
    const newest = earlier.map(from).toSorted().at(-1);
    const onDate = { [date]: from(row) };
    standing = earlier
      .filter((each) => from(each) === newest)
      .map((each) => ({ ...each, ...onDate }));
    left = old && { ...old, ...onDate };
  }
  return standing.filter((each) => !isSame(key, each, row) && !(left && isSame(key, each, left)));
}

/** The rows of the file by which `row` comes into the table, in place of `old`; `row` is the last. */
export function rowsAround(
  table: Table & { readonly what: ApiClinicTable },
  row: Row,
  old: Row | undefined,
): readonly Row[] {
  const { what, columns, rows } = table;
  if (what !== 'fees' || rows.some((each) => each.row['type'] === row['type']))
    return [...besides(table, row, old), row];
  // A type has fees for all eligibilities or none: with its first fee, the others are set to free.
  const all = columns.find(({ name }) => name === 'eligibility')?.choices ?? [];
  const others = all.filter(({ value }) => value !== row['eligibility']);
  return [...others.map(({ value }) => ({ ...row, eligibility: value, charge: '0.00' })), row];
}

/** The rows of the file by which `row` goes; none where the table takes no row away. */
export const withoutRow = (table: Table, row: Row): readonly Row[] =>
  besides(table, row, undefined);
