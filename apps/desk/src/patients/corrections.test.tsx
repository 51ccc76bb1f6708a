import type { CallAnswer } from '@clinic/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, casey, openDesk, refused } from '../testing/desk.tsx';

type Patient = CallAnswer<'deskOpenPatient'>['extras'];

const account: NonNullable<Patient['account']> = {
  id: '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01',
  email: 'casey@clinic.example',
  phones: [],
  address: '',
  language: 'en',
  eligibility: 'E',
  withoutTypes: ['V'],
  block: 'none',
  blockReason: null,
  closedAt: null,
  bounce: null,
  createdAt: NOW,
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

test('who changes one of the offers leaves the others as a colleague may have set them', async () => {
  const types = [
    { code: 'O', description: 'In-person visit' },
    { code: 'V', description: 'Private visit' },
  ];
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, account, types }),
    deskChangePatient: () => {},
  });
  const change = async (how: () => Promise<void>) => {
    await desk.user.click(await screen.findByRole('button', { name: 'Change' }));
    await how();
    await desk.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await change(() => desk.user.click(screen.getByLabelText('In-person visit')));
  await change(() => desk.user.selectOptions(screen.getByLabelText('Eligibility'), 'R'));
  expect(desk.sent('deskChangePatient')).toEqual([
    { withoutTypes: ['V', 'O'] },
    { eligibility: 'R' },
  ]);
});

test('a change is not left while it is under way, and without an answer the page shows what is so', async () => {
  let block: 'none' | 'booking' = 'none';
  const lost = Promise.withResolvers<never>();
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, account: { ...account, block } }),
    deskBlockPatient: () => {
      block = 'booking';
      return lost.promise;
    },
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Block' }));
  const dialog = within(screen.getByRole('dialog'));
  await desk.user.type(dialog.getByLabelText('Why?'), 'Insults');
  await desk.user.click(dialog.getByRole('button', { name: 'Block' }));
  await dialog.findByText('Blocking');
  await desk.user.click(dialog.getByRole('button', { name: 'Leave it' }));
  await desk.user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).not.toBeNull();
  lost.reject(new Error('No answer'));
  await dialog.findByText(/not known whether this is done/);
  await screen.findByText('May not book; signs in, sees and cancels');
});

test('an offer that is put back after a lost answer is sent, and nothing else is', async () => {
  let current = account;
  let isLost = true;
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, account: current }),
    deskChangePatient: () => {
      // A colleague has changed something else by then.
      current = { ...account, eligibility: 'R', withoutTypes: [] };
      if (isLost) throw new Error('No answer');
    },
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Change' }));
  const dialog = within(screen.getByRole('dialog'));
  await desk.user.selectOptions(dialog.getByLabelText('Eligibility'), 'R');
  await desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(/not known whether this is done/);
  await screen.findByText('Nothing, every type is offered');
  isLost = false;
  await desk.user.selectOptions(dialog.getByLabelText('Eligibility'), 'E');
  await desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Changed.');
  expect(desk.sent('deskChangePatient')).toEqual([{ eligibility: 'R' }, { eligibility: 'E' }]);
});

// Shows: R-98
test('a consent says whether it was given online, or read out and by whom', async () => {
  const consent = { kind: 'general', version: '1.0', at: NOW };
  openDesk('/patients/5001', {
    deskOpenPatient: () => ({
      ...casey,
      account,
      consents: [
        { ...consent, readOutBy: 'Robin Lee' },
        { ...consent, at: NOW - 60, readOutBy: null },
      ],
    }),
  });
  const table = within(await screen.findByRole('table', { name: 'Consents given' }));
  expect(table.getAllByRole('row').map((row) => row.lastElementChild?.textContent)).toEqual([
    'How',
    'Read out by Robin Lee',
    'Online',
  ]);
});
