import type { ApiImportPreview } from '@clinic/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Handlers, openDesk, refused } from '../../testing/desk.tsx';
import { setUp } from '../../testing/records.ts';
import { savedFiles } from '../../testing/saved-files.ts';
import { readTable } from '../../testing/tables.ts';

const [FIRST, LATER] = ['a'.repeat(43), 'b'.repeat(43)];
const CSV = 'code,description,minutes\nE,Short visit,15\n';
const changing: ApiImportPreview = {
  columns: ['code', 'minutes'],
  rows: 1,
  changes: [
    { is: 'old', fields: ['E', '10'] },
    { is: 'new', fields: ['E', '15'] },
  ],
  changed: 2,
  problems: [],
  version: FIRST,
  isImported: false,
};

/** The page of tables, with a file chosen for the types. */
async function openImport(handlers: Handlers) {
  const desk = openDesk('/setup/tables', { ...setUp, ...handlers });
  await desk.user.selectOptions(await screen.findByLabelText('Into which table'), 'types');
  await desk.user.upload(screen.getByLabelText('CSV file'), new File([CSV], 'types.csv'));
  // jsdom takes the required field for empty, and so would not submit.
  const look = () => fireEvent.submit(screen.getByRole('form', { name: 'Import a file' }));
  const importIt = async () =>
    desk.user.click(await screen.findByRole('button', { name: 'Import 1 row' }));
  return { ...desk, look, importIt };
}

afterEach(() => vi.restoreAllMocks());

// Shows: S-18
describe('A file that is imported into a table', () => {
  test('is looked at row by row, and imported as it was looked at', async () => {
    const { sent, look, importIt } = await openImport({
      deskImportTable: ({ body }) => ({ ...changing, isImported: 'version' in Object(body) }),
    });
    look();
    expect(await readTable('What would change')).toEqual([
      ['Row', 'code', 'minutes'],
      ['As it is', 'E', '10'],
      ['New', 'E', '15'],
    ]);
    screen.getByText('1 row in the file. Look at what would change, then import.');
    await importIt();
    await screen.findByText('1 row is imported into Appointment types.');
    expect(screen.queryByRole('table', { name: 'What would change' })).toBeNull();
    const file = btoa(CSV);
    expect(sent('deskImportTable')).toEqual([{ file }, { file, version: FIRST }]);
  });

  test('says that more would change than the lines that are shown', async () => {
    const { look } = await openImport({ deskImportTable: () => ({ ...changing, changed: 90 }) });
    look();
    await screen.findByText('Only the first 2 of 90 lines are shown.');
    expect(await readTable('What would change')).toHaveLength(3);
  });

  test('with faults says each with its line, and cannot be imported', async () => {
    const { look } = await openImport({
      deskImportTable: () => ({
        ...changing,
        changes: [],
        problems: [
          { line: 2, column: 'minutes', why: 'Whole minutes, such as 15.' },
          { line: 3, column: 'code', why: 'This code stands twice.' },
        ],
      }),
    });
    look();
    await screen.findByText(/^Nothing can be imported: 2 faults in the file/);
    expect((await readTable('Faults in the file')).slice(1)).toEqual([
      ['2', 'minutes', 'Whole minutes, such as 15.'],
      ['3', 'code', 'This code stands twice.'],
    ]);
    expect(screen.queryByRole('button', { name: /^Import \d/ })).toBeNull();
  });

  test('that cannot be looked at says why, and can be looked at again', async () => {
    let isUp = false;
    const { look } = await openImport({
      deskImportTable: () => (isUp ? changing : refused('serviceBusy', 'It is busy.')),
    });
    look();
    await screen.findByText('It is busy.');
    isUp = true;
    look();
    await screen.findByRole('table', { name: 'What would change' });
    expect(screen.queryByText('It is busy.')).toBeNull();
  });

  test('is shown anew where a colleague changed the table meanwhile, before anything is imported', async () => {
    const now = { ...changing, changes: [{ is: 'new' as const, fields: ['E', '20'] }], changed: 1 };
    const { sent, look, importIt } = await openImport({
      deskImportTable: ({ body }) => {
        const { version } = body as { version?: string };
        if (version === undefined) return changing;
        return { ...now, version: LATER, isImported: version === LATER };
      },
    });
    look();
    await importIt();
    await waitFor(async () =>
      expect((await readTable('What would change')).slice(1)).toEqual([['New', 'E', '20']]),
    );
    expect(screen.queryByText(/imported into/)).toBeNull();
    await importIt();
    await screen.findByText('1 row is imported into Appointment types.');
    expect(sent('deskImportTable').at(-1)).toMatchObject({ version: LATER });
  });

  test('whose import has no answer is not known to be imported, and looked at again says what is so', async () => {
    let isImported = false;
    const { look, importIt } = await openImport({
      deskImportTable: ({ body }) => {
        if (!('version' in Object(body)))
          return isImported ? { ...changing, changes: [], changed: 0 } : changing;
        isImported = true;
        throw new Error('No answer');
      },
    });
    look();
    await importIt();
    await screen.findByText(/it is not known whether this is imported\. Look again/);
    expect(screen.queryByText(/imported into/)).toBeNull();
    look();
    await screen.findByText(/^The file changes nothing/);
  });

  test('is no more what was looked at once another table is chosen', async () => {
    const { user, look } = await openImport({ deskImportTable: () => changing });
    look();
    await screen.findByRole('table', { name: 'What would change' });
    await user.selectOptions(screen.getByLabelText('Into which table'), '');
    expect(screen.queryByRole('table', { name: 'What would change' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Import \d/ })).toBeNull();
  });
});

// Shows: S-18
describe('The tables of the clinic', () => {
  const deskSetUp: Handlers['deskSetUp'] = () => ({
    contacts: { name: 'Clinic', email: 'a@b.example', phone: '1', address: 'Main' },
    maintenance: null,
    providers: [],
    types: [],
    fees: [],
    tables: [
      { what: 'fees', columns: ['type', 'charge'], isInEmr: false },
      { what: 'schedule', columns: ['provider'], isInEmr: true },
    ],
  });

  test('that an EMR keeps say so, and are downloaded but not imported into', async () => {
    openDesk('/setup/tables', { deskSetUp });
    const tables = await readTable('Tables');
    expect(tables[2]?.[0]).toBe('Working weeksKept in the EMR: change it there');
    screen.getByRole('button', { name: 'Download Working weeks' });
    const into = within(screen.getByLabelText('Into which table')).getAllByRole('option');
    expect(into.map(({ textContent }) => textContent)).toEqual(['Choose a table', 'Fees']);
  });

  test('are saved as files, and one that is refused is not', async () => {
    const files = savedFiles();
    let isUp = false;
    const { user } = openDesk('/setup/tables', {
      deskSetUp,
      deskExportTable: () =>
        isUp ? { name: 'fees.csv', csv: 'type,charge\n' } : refused('bug', 'Gone wrong.'),
    });
    await user.click(await screen.findByRole('button', { name: 'Download Fees' }));
    await screen.findByText('Gone wrong.');
    expect(files).toEqual([]);
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Download Fees' }));
    await screen.findByText('fees.csv is saved.');
    expect(files.map(({ name }) => name)).toEqual(['fees.csv']);
    expect(await files[0]?.text).toBe('type,charge\n');
  });
});
