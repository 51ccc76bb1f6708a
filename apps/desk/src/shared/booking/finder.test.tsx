import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openDesk } from '../../testing/desk.tsx';
import { booking } from '../../testing/records.ts';

const casey = {
  patientId: null,
  recordId: 'P-1',
  name: 'Morgan, Casey',
  birthDate: '1984-05-17',
};
const kaycee = { ...casey, recordId: 'P-2', name: 'Morgan, Kaycee' };

async function look(patients: readonly (typeof casey)[]) {
  const desk = openDesk('/schedule', {
    ...booking,
    deskFindPatients: () => ({
      patients: [...patients],
      hasMore: false,
      soundsLike: [kaycee],
      hasEmr: false,
    }),
  });
  await screen.findByRole('button', { name: 'Find patient' });
  await desk.user.keyboard('{Control>}k{/Control}casey{Enter}');
  return within(await screen.findByRole('list', { name: 'Sounds like' }));
}

// Shows: S-18, R-121
test('Who only sounds like what was typed stands apart, beneath a heading', async () => {
  const list = await look([casey]);
  expect(screen.getByRole('heading', { name: 'Sounds like' })).toBeTruthy();
  expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Morgan, Kayceeborn 1984-05-17record P-2, no account',
  ]);
  const found = within(screen.getByRole('list', { name: 'Patients found' }));
  expect(document.activeElement).toBe(found.getByRole('button'));
});

// Shows: S-18, R-121
test('Where nobody fits, Enter once more does not take who only sounds so', async () => {
  const list = await look([]);
  expect(screen.getByText(/^Nobody was found/)).toBeTruthy();
  expect(document.activeElement).not.toBe(list.getByRole('button'));
});
