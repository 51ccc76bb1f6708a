import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { NOW, openDesk } from '../testing/desk.tsx';

/** As somebody who drops files, or chooses 'All files' in the dialog. */
const choose = (label: string | RegExp, ...files: File[]) =>
  userEvent
    .setup({ applyAccept: false })
    .upload(screen.getByLabelText(label, { selector: 'input' }), files);

const MESSAGE = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';
const hello = { from: 'patient' as const, by: null, message: 'Hello', editedAt: null, files: [] };

// Shows: R-80
test('the files of an answer are named by kind, and one that would be refused is refused at once', async () => {
  openDesk(`/messages?message=${MESSAGE}`, {
    deskInbox: () => ({ waiting: [], hasMoreWaiting: false, settled: [], next: null }),
    deskOpenMessage: () => ({
      message: {
        id: MESSAGE,
        patient: { name: 'Morgan, Casey', birthDate: '1984-05-17', phone: '' },
        state: 'waiting' as const,
        assignedTo: null,
        colleagues: [],
        version: 'first',
        entries: [{ id: MESSAGE, at: NOW, ...hello }],
        notes: [],
      },
    }),
    deskSavedReplies: () => ({ replies: [] }),
  });
  await screen.findByText(/JPEG, PNG, GIF, WebP, PDF, JSON,? or CSV\. Up to 3 files, 10 MB each/);
  for (const [name, content, why] of [
    ['note.txt', 'My card is lost.', 'This text is neither JSON nor a table (CSV).'],
    ['bad.json', '{"a":', 'This JSON file is damaged or incomplete.'],
    ['broken.pdf', '%PDF-1.7', 'This PDF is damaged or incomplete.'],
    ['photo.jpg', '\0\0\0\x18ftypheic', 'Please upload another type of image such as JPEG'],
    ['a.zip', 'PK\x03\x04', 'This kind of file cannot be sent.'],
    ['none.csv', '', 'It is empty.'],
  ] as const) {
    await choose(/^Files/u, new File([content], name));
    expect((await screen.findByText(new RegExp(`^${name}: `))).textContent).toContain(why);
    expect(screen.queryByRole('button', { name: `Remove ${name}` })).toBeNull();
  }
  await choose(/^Files/u, new File(['a,b\n1,2\n'], 'good.csv'));
  await screen.findByRole('button', { name: 'Remove good.csv' });
  expect(screen.queryByText(/It is empty/)).toBeNull();
});

// Shows: S-18
test('a file for a table is refused at once where it is no table, and nothing of it is sent', async () => {
  const sent: unknown[] = [];
  const desk = openDesk('/setup/tables', {
    deskSetUp: () => ({
      contacts: { name: 'Test Clinic', email: '', phone: '', address: '' },
      maintenance: null,
      tables: [{ what: 'pharmacies' as const, columns: ['id', 'name'], isInEmr: false }],
      providers: [],
      types: [],
      fees: [],
    }),
    deskImportTable: ({ body }) => {
      sent.push(body);
      const nothing = { rows: 1, changes: [], changed: 0, problems: [], isImported: false };
      return { columns: ['id', 'name'], version: 'a', ...nothing };
    },
  });
  await desk.user.selectOptions(await screen.findByLabelText('Into which table'), 'pharmacies');
  const form = screen.getByRole('form', { name: 'Import a file' });
  // jsdom takes the required field for empty, and so would not submit.
  const press = () => act(async () => fireEvent.submit(form));
  for (const [name, content, why] of [
    ['table.xlsx', 'PK\x03\x04', /^This is a workbook\. Save it as CSV first/],
    ['table.pdf', '%PDF-1.7', 'This is no table. Choose a CSV file.'],
    ['table.json', '[{"id":1}]', 'This is no table. Choose a CSV file.'],
    ['table.csv', '', 'The file is empty.'],
  ] as const) {
    await choose('CSV file', new File([content], name));
    await screen.findByText(why);
    await press();
  }
  expect(sent).toEqual([]);
  await choose('CSV file', new File(['id,name\n1,Quay\n'], 'table.csv'));
  await press();
  await screen.findByText(/The file changes nothing/);
  expect(sent).toHaveLength(1);
});
