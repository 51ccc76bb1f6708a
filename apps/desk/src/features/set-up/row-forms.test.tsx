import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openDesk } from '../../testing/desk.tsx';

const columns = ['id', 'firstName', 'lastName', '[status]', '[hidden]', '[location]'];
const doctors = [
  ['101', 'Ada', 'Okafor', '1', 'no', ''],
  ['777', 'New', 'Comer', '1', 'yes', ''],
  ['778', 'Gone', 'Away', '0', 'yes', ''],
];

const typeColumns = ['code', 'description', 'form', '[active]', '[emrName]'];
const types = [
  ['O', 'Office Visit', 'standard', 'yes', ''],
  ['P', 'Phone consultation', 'standard', 'yes', ''],
  ['F', 'Refill', 'refill', 'yes', ''],
];
const codeColumns = ['code', 'description', 'types', '[minutes]'];

const valueOf = (control: HTMLElement) => (control as HTMLInputElement | HTMLSelectElement).value;

/** The page of tables; what it sent, as text. */
function openTables(over: object) {
  const files: string[] = [];
  const { user } = openDesk('/setup/tables', {
    deskSetUp: () => ({
      contacts: { name: 'Clinic', email: 'a@b.example', phone: '1', address: 'Main' },
      maintenance: null,
      providers: [],
      types,
      fees: [],
      doctors,
      tables: [
        { what: 'types', columns: typeColumns, isInEmr: false },
        { what: 'codes', columns: codeColumns, isInEmr: false },
        { what: 'providers', columns, isInEmr: false },
        { what: 'schedule', columns: ['provider'], isInEmr: true },
      ],
      ...over,
    }),
    deskImportTable: ({ body }) => {
      const { file = '', version } = body as { file?: string; version?: string };
      files.push(atob(file));
      return {
        columns,
        rows: 1,
        changes: [],
        changed: 1,
        problems: [],
        version: 'a'.repeat(43),
        isImported: version !== undefined,
      };
    },
  });
  const form = async (name: string) => within(await screen.findByRole('form', { name }));
  const look = async (name: string) => {
    await user.click((await form(name)).getByRole('button', { name: 'Look what would change' }));
    await screen.findByRole('button', { name: /^Import/ });
    return files.at(-1);
  };
  return { user, form, look };
}

test('a doctor who is new in the EMR is shown by a press, after a look at what changes', async () => {
  const { user, form, look } = openTables({});
  const which = (await form('Show a doctor to patients')).getByLabelText(/^Doctor/);
  expect([...which.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Choose a doctor',
    'Comer, New (777)',
  ]);
  await user.selectOptions(which, '777');
  expect(await look('Show a doctor to patients')).toContain('"777","New","Comer","1","no",""');
});

test('a doctor without a site is named where the EMR has some, and proposed the one of most of their entries', async () => {
  const emrSites = [
    { providerId: '101', name: 'North' },
    { providerId: '777', name: 'Main Clinic' },
  ];
  const { user, form, look } = openTables({ emrSites });
  await screen.findByText('Without a site: Okafor, Ada (101).');
  const where = await form('Where a doctor works');
  await user.selectOptions(where.getByLabelText(/^Doctor/), '101');
  expect(valueOf(where.getByLabelText(/^Site/))).toBe('North');
  expect(await look('Where a doctor works')).toContain('"101","Ada","Okafor","1","no","North"');
});

test('a type that the EMR has no name for is named, and bound to one that it has', async () => {
  const { user, form, look } = openTables({ emrTypes: ['Office Visit', 'Call'] });
  await screen.findByText('Called by no name of the EMR: P Phone consultation.');
  const called = await form('What a type is called in the EMR');
  await user.selectOptions(called.getByLabelText(/^Appointment type/), 'O');
  expect(valueOf(called.getByLabelText(/^Name in the EMR/))).toBe('Office Visit');
  await user.selectOptions(called.getByLabelText(/^Appointment type/), 'P');
  expect(valueOf(called.getByLabelText(/^Name in the EMR/))).toBe('');
  await user.selectOptions(called.getByLabelText(/^Name in the EMR/), 'Call');
  expect(await look('What a type is called in the EMR')).toContain(
    '"P","Phone consultation","standard","yes","Call"',
  );
});

test('a code that nobody has bound is named, and serves the types that are ticked, or none', async () => {
  const slotCodes = [
    ['C', 'Clinic', 'O', ''],
    ['D', 'Do not book', '?', ''],
    ['X', 'Not in use', '?', ''],
  ];
  const weekly = [
    { code: 'D', minutes: 630 },
    { code: 'C', minutes: 60 },
  ];
  const { user, form, look } = openTables({ slotCodes, weekly });
  await screen.findByText('Nobody has said yet: D Do not book.');
  const said = await form('What a slot code serves');
  const which = said.getByLabelText(/^Slot code/);
  expect([...which.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Choose a slot code',
    'D Do not book: 11 h in the next 7 days',
    'C Clinic: 1 h in the next 7 days',
    'X Not in use: 0 h in the next 7 days',
  ]);
  await user.selectOptions(which, 'C');
  expect(said.getByRole<HTMLInputElement>('checkbox', { name: /^O / }).checked).toBe(true);
  await user.click(said.getByRole('checkbox', { name: /^P / }));
  expect(await look('What a slot code serves')).toContain('"C","Clinic","O P",""');
  await user.selectOptions(which, 'D');
  expect(await look('What a slot code serves')).toContain('"D","Do not book","",""');
});
