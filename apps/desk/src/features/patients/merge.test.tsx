import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { casey, openDesk } from '../../testing/desk.tsx';

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
    deskOpenPatient: ({ params }) => ({ ...casey, recordId: params.id ?? '' }),
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
