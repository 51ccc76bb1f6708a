import type { CallAnswer } from '@clinic/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openDesk, refused } from '../testing/desk.tsx';

type Patient = CallAnswer<'deskOpenPatient'>['extras'];

const casey: Patient = {
  recordId: '5001',
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
};

test('who corrects what a colleague has just corrected sees it, keeps what they typed, and may go on', async () => {
  let patient = casey;
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => patient,
    deskCorrectPatient: ({ body }) => {
      const { seen } = body as { seen: string };
      return seen === patient.version ? undefined : refused('changedMeanwhile', 'Changed.');
    },
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Correct details' }));
  const dialog = within(screen.getByRole('dialog'));
  await desk.user.click(dialog.getAllByRole('radio')[0] as HTMLElement);
  const lastName = dialog.getByLabelText<HTMLInputElement>('Last name');
  await desk.user.type(lastName, '-Smith');
  patient = { ...casey, lastName: 'Morgan-Hale', version: 'second' };
  await desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Changed.');
  await dialog.findByText(/It says by now: Casey Morgan-Hale, born 1984-05-17, card BC/);
  expect(lastName.value).toBe('Morgan-Smith');
  await desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Corrected.');
  expect(desk.sent('deskCorrectPatient')).toMatchObject([
    { seen: 'first', lastName: 'Morgan-Smith' },
    { seen: 'second', lastName: 'Morgan-Smith' },
  ]);
});
