import type { ApiSetUp, ApiTable } from '@clinic/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Handlers, openDesk } from '../../testing/desk.tsx';
import { setUp } from '../../testing/records.ts';
import { readTable } from '../../testing/tables.ts';

type Column = ApiTable['columns'][number];

const column = (name: string, over: Partial<Column> = {}): Column => ({
  name,
  kind: 'text',
  isKey: false,
  isNeeded: true,
  otherwise: '',
  choices: [],
  ...over,
});
const choices = (...values: string[]) => values.map((value) => ({ value, name: value }));
const chosen = (name: string, values: string[], over: Partial<Column> = {}) =>
  column(name, { kind: 'choice', choices: choices(...values), ...over });
const YES_OR_NO = ['yes', 'no'];

const table = (whole: string[], columns: Column[], ...fields: string[][]): ApiTable => ({
  columns,
  whole,
  rows: fields.map((each) => ({ name: each.slice(0, 2).join(' '), fields: each })),
});

const TABLES = {
  types: table(
    [],
    [
      column('code', { most: 4, isKey: true }),
      column('description', { most: 60 }),
      column('minutes', { kind: 'number', most: 3 }),
      chosen('mode', ['inPerson', 'phone']),
      chosen('instruction', ['comeToClinic'], { isNeeded: false }),
      chosen('isPrivate', YES_OR_NO, { isNeeded: false, otherwise: 'no' }),
      chosen('lineStyle', ['plain', 'wavy'], { isNeeded: false, otherwise: 'plain' }),
    ],
    ['E', 'Says "no", plainly', '10', 'phone', '', 'no', 'wavy'],
    ['MAR1', 'May 5', '15', 'inPerson', 'comeToClinic', 'yes', 'plain'],
  ),
  fees: table(
    [],
    [
      chosen('type', ['E', 'V'], { isKey: true }),
      chosen('eligibility', ['E', 'UI', 'OOP'], { isKey: true }),
      column('validFrom', { kind: 'date', isKey: true }),
      column('charge', { kind: 'dollars' }),
      column('notice', { isNeeded: false }),
    ],
    ['E', 'UI', '2026-01-01', '72.50', '=not a formula'],
  ),
  codes: table(
    [],
    [
      column('code', { most: 1, isKey: true }),
      column('description'),
      column('types', { kind: 'choices', isNeeded: false, choices: choices('E', 'V') }),
      column('releaseAt', { kind: 'time', isNeeded: false, otherwise: '00:00' }),
    ],
    ['1', 'Both', 'V E GONE', '07:30'],
    ['X', 'Nobody has said', '?', '00:00'],
  ),
  providers: table(
    [],
    [
      column('id', { isKey: true }),
      column('firstName'),
      column('lastName'),
      chosen('status', ['1', '0'], { isNeeded: false, otherwise: '1' }),
      column('location', { isNeeded: false }),
    ],
    ['007', 'Amélia', 'Côté', '1', ''],
  ),
  paces: table(
    [],
    [
      chosen('provider', ['007'], { isKey: true }),
      chosen('type', ['E'], { isKey: true }),
      column('minutes', { kind: 'number', isNeeded: false }),
    ],
    ['007', 'E', ''],
  ),
  schedule: table(
    ['provider', 'validFrom'],
    [
      chosen('provider', ['007', '101'], { isKey: true }),
      chosen('weekday', ['Monday', 'Tuesday'], { isKey: true }),
      column('from', { kind: 'time', isKey: true }),
      column('to', { kind: 'time' }),
      chosen('code', ['1', 'X']),
      column('validFrom', { kind: 'date', isKey: true }),
    ],
    ['007', 'Monday', '09:00', '12:00', '1', '2026-01-01'],
    ['007', 'Tuesday', '09:00', '12:00', '1', '2026-01-01'],
    ['101', 'Monday', '09:00', '12:00', '1', '2026-01-01'],
  ),
  pharmacies: table(
    [],
    [
      column('id', { isKey: true }),
      column('name'),
      column('address'),
      column('phone', { isNeeded: false }),
    ],
    ['0', 'Quay, Drugs; Fort', "'7 Way", '+16045550101'],
  ),
} as const;

/** As the export marks texts that a spreadsheet would take for something else, behind quotes. */
const LINES: Readonly<Record<keyof typeof TABLES, string>> = {
  types: '"E","Says ""no"", plainly","10","phone","","no","wavy"',
  fees: '"E","UI","\'2026-01-01","\'72.50","\'=not a formula"',
  codes: '"1","Both","V E GONE","\'07:30"',
  providers: '"\'007","Amélia","Côté","1",""',
  paces: '"\'007","E",""',
  schedule: '"\'007","Monday","\'09:00","\'12:00","1","\'2026-01-01"',
  pharmacies: '"0","Quay, Drugs; Fort","\'7 Way","\'+16045550101"',
};

const withTables =
  (...tables: ApiSetUp['tables']): NonNullable<Handlers['deskSetUp']> =>
  () => ({
    contacts: { name: 'Clinic', email: 'a@b.example', phone: '1', address: 'Main' },
    maintenance: null,
    providers: [],
    types: [],
    fees: [],
    tables,
  });

/** The page of tables with a table chosen; what it looked at, as lines. */
async function openRow(what: keyof typeof TABLES, problems: object[] = []) {
  const looked: string[][] = [];
  const names = Object.keys(TABLES) as (keyof typeof TABLES)[];
  const desk = openDesk('/setup/tables', {
    ...setUp,
    deskSetUp: withTables(...names.map((each) => ({ what: each, columns: [], isInEmr: false }))),
    deskTable: ({ params }) => TABLES[params['what'] as keyof typeof TABLES],
    deskImportTable: ({ body }) => {
      const { file, version } = body as { file: string; version?: string };
      const text = new TextDecoder().decode(Uint8Array.from(atob(file), (c) => c.charCodeAt(0)));
      looked.push(text.trimEnd().split('\n'));
      return {
        columns: TABLES[what].columns.map(({ name }) => name),
        rows: 1,
        changes: problems.length > 0 ? [] : [{ is: 'new', fields: ['one'] }],
        changed: problems.length > 0 ? 0 : 1,
        problems: problems as { line: number; column: string; why: string }[],
        version: 'a'.repeat(43),
        isImported: version !== undefined,
      };
    },
  });
  await desk.user.selectOptions(await screen.findByLabelText('Table'), what);
  const form = within(await screen.findByRole('form', { name: 'Add or change a row' }));
  const choose = (label: string, option: string) =>
    desk.user.selectOptions(form.getByLabelText(label), option);
  const chooseRow = (at: number) => choose('Row', TABLES[what].rows[at]?.name ?? '');
  const fill = async (label: RegExp, text: string) => {
    await desk.user.clear(form.getByLabelText(label));
    await desk.user.type(form.getByLabelText(label), text);
  };
  const look = async () => {
    await desk.user.click(form.getByRole('button', { name: 'Look what would change' }));
    await screen.findByRole('button', { name: 'Import 1 row' });
    return looked.at(-1);
  };
  return { ...desk, form, choose, chooseRow, fill, look, looked };
}

// Shows: S-18
describe('A row of a table', () => {
  test.each(Object.keys(TABLES) as (keyof typeof TABLES)[])(
    'of %s that is left as it is comes as the line that its file has',
    async (what) => {
      const { chooseRow, look } = await openRow(what);
      await chooseRow(0);
      const [head, ...lines] = (await look()) ?? [];
      expect(head).toBe(TABLES[what].columns.map(({ name }) => name).join());
      // Of a week the other rows come before it.
      expect(lines.at(-1)).toBe(LINES[what]);
      expect(lines).toHaveLength(what === 'schedule' ? 2 : 1);
    },
  );

  test('is added with what an empty cell means, also in a column that has no words yet', async () => {
    const { form, fill, choose, look, user } = await openRow('types');
    await fill(/^Code/, 'N');
    await fill(/^Description/, 'New visit');
    await fill(/^Minutes/, '20');
    await choose('How it takes place', 'phone');
    expect(within(form.getByLabelText('Line style')).getAllByRole('option')).toHaveLength(2);
    expect((await look())?.[1]).toBe('"N","New visit","20","phone","","no","plain"');
    await user.click(screen.getByRole('button', { name: 'Import 1 row' }));
    await screen.findByText('1 row is imported into Appointment types.');
    expect(form.getByLabelText<HTMLInputElement>(/^Code/).value).toBe('');
  });

  test('that is changed keeps its key, and is no more what was looked at once it is changed again', async () => {
    const { form, chooseRow, fill, look } = await openRow('providers');
    await chooseRow(0);
    expect(form.queryByLabelText(/^Number/)).toBeNull();
    await fill(/^Site/, 'North');
    expect((await look())?.[1]).toBe('"\'007","Amélia","Côté","1","North"');
    expect((await readTable('What would change'))[1]).toEqual(['New', 'one', '', '', '', '']);
    await fill(/^Site/, 'South');
    expect(screen.queryByRole('button', { name: 'Import 1 row' })).toBeNull();
  });

  test('that misses something says so at the field, and the service is not asked', async () => {
    const { user, form, looked } = await openRow('pharmacies');
    await user.click(form.getByRole('button', { name: 'Look what would change' }));
    expect(form.getByRole('alert').textContent).toContain('Please fill in: Address.');
    expect(form.getByLabelText(/^Address/).getAttribute('aria-invalid')).toBe('true');
    expect(form.getByLabelText(/^Phone/).getAttribute('aria-invalid')).toBeNull();
    expect(looked).toEqual([]);
  });

  test('says what the service finds wrong at its field, and of another row with its line', async () => {
    const { user, form, chooseRow } = await openRow('schedule', [
      { line: 3, column: 'to', why: 'must come after 13:00' },
      { line: 2, column: 'code', why: 'must be one of 1' },
    ]);
    await chooseRow(0);
    await user.click(form.getByRole('button', { name: 'Look what would change' }));
    const alert = await form.findByRole('alert');
    expect(within(alert).getByRole('link').textContent).toBe('Until: must come after 13:00');
    within(alert).getByText('Line 2, code: must be one of 1');
    expect(form.getByLabelText(/^Until/).getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
  });

  test('of a week is changed, taken out and begun from a date on with the rest of that week', async () => {
    const { user, form, chooseRow, fill, look, looked } = await openRow('schedule');
    await chooseRow(1);
    await fill(/^From/, '10:00');
    expect(await look()).toEqual([
      'provider,weekday,from,to,code,validFrom',
      '"\'007","Monday","\'09:00","\'12:00","1","\'2026-01-01"',
      '"\'007","Tuesday","\'10:00","\'12:00","1","\'2026-01-01"',
    ]);
    await fill(/^Holds from/, '2026-12-07');
    expect((await look())?.slice(1)).toEqual([
      '"\'007","Monday","\'09:00","\'12:00","1","\'2026-12-07"',
      '"\'007","Tuesday","\'10:00","\'12:00","1","\'2026-12-07"',
    ]);
    const without = 'Look what would change without this row';
    await user.click(form.getByRole('button', { name: without }));
    await screen.findByRole('button', { name: 'Import 1 row' });
    expect(looked.at(-1)?.slice(1)).toEqual([
      '"\'007","Monday","\'09:00","\'12:00","1","\'2026-01-01"',
    ]);
    // The last row of a week cannot go: a file without a row says nothing.
    await chooseRow(2);
    expect(form.queryByRole('button', { name: without })).toBeNull();
  });

  test('that is the first fee of a type sets the others to free, and from another date on stays as a row', async () => {
    const { choose, chooseRow, fill, look } = await openRow('fees');
    await choose('Appointment type', 'V');
    await choose('Eligibility', 'UI');
    await fill(/^Holds from/, '2026-12-07');
    await fill(/^Fee in dollars/, '95');
    expect((await look())?.slice(1)).toEqual([
      '"V","E","\'2026-12-07","\'0.00",""',
      '"V","OOP","\'2026-12-07","\'0.00",""',
      '"V","UI","\'2026-12-07","95",""',
    ]);
    await chooseRow(0);
    await fill(/^Holds from/, '2026-12-07');
    expect((await look())?.slice(1)).toEqual([
      '"E","UI","\'2026-12-07","\'72.50","\'=not a formula"',
    ]);
  });

  test('of a slot code serves the types that are ticked, and what nobody has said stays unsaid', async () => {
    const { user, form, chooseRow, look } = await openRow('codes');
    await chooseRow(1);
    expect((await look())?.[1]).toBe('"X","Nobody has said","?","\'00:00"');
    await user.click(form.getByRole('checkbox', { name: 'V' }));
    expect((await look())?.[1]).toBe('"X","Nobody has said","V","\'00:00"');
  });

  test('that the EMR keeps has no fields, and says where it is changed', async () => {
    const { user } = openDesk('/setup/tables', {
      ...setUp,
      deskSetUp: withTables({ what: 'schedule', columns: [], isInEmr: true }),
      deskTable: () => TABLES.schedule,
    });
    await user.selectOptions(await screen.findByLabelText('Table'), 'schedule');
    expect(screen.getAllByText('Kept in the EMR: change it there')).toHaveLength(2);
    expect(screen.queryByRole('form', { name: 'Add or change a row' })).toBeNull();
  });
});
