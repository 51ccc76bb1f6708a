import type { CallAnswer } from '@clinic/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openDesk } from '../testing/desk.tsx';

const record = (recordId: string): CallAnswer<'deskOpenPatient'>['extras'] => ({
  recordId,
  firstName: 'Casey',
  lastName: 'Morgan',
  birthDate: '1984-05-17',
  version: 'first',
  age: 42,
  card: { province: 'BC', isKept: true },
  account: null,
  provider: null,
  isProviderKnown: true,
  isInEmr: false,
  types: [],
  providers: [],
  appointments: [],
  consents: [],
  documents: [],
  link: null,
  merges: [],
});

const side = (recordId: string) => ({
  recordId,
  name: 'Morgan, Casey',
  birthDate: '1984-05-17',
  hasCard: true,
  cardProvince: 'BC',
  hasAccount: false,
  appointments: 0,
  upcoming: 0,
});

test('a record that goes into another leads to it, and the merge is said there', async () => {
  const { user } = openDesk('/patients/5001', {
    deskOpenPatient: ({ params }) => record(params.id ?? ''),
    deskFindPatients: () => ({
      patients: [
        { patientId: null, recordId: '5002', name: 'Morgan, Casey', birthDate: '1984-05-17' },
      ],
      hasMore: false,
    }),
    deskForeseeMerge: () => ({ kept: side('5002'), gone: side('5001') }),
    deskMergePatients: () => ({ recordId: '5002' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Merge with another record' }));
  const find = within(screen.getByRole('dialog'));
  await user.type(find.getByRole('textbox'), 'mor{Enter}');
  await user.click(await find.findByRole('button', { name: /^Morgan, Casey/ }));
  await user.click(await screen.findByRole('button', { name: 'Merge' }));
  const said = await screen.findByText('Merged: record 5001 is part of record 5002 now.');
  expect(location.pathname).toBe('/desk/patients/5002');
  expect(said.closest('[role=alert]')?.contains(document.activeElement)).toBe(true);
  expect(history.state).toBeNull();
});
