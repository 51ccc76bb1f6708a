import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Handlers, openDesk, refused } from '../../testing/desk.tsx';

const contacts = { name: 'Test Clinic', email: '', phone: '', address: '' };
const setUp = { contacts, maintenance: null, tables: [], providers: [], types: [], fees: [] };
const colleagues: Handlers = {
  deskSetUp: () => setUp,
  deskStaffList: () => ({ staff: [] }),
};

test('where it is not known which invitations wait, the page says so', async () => {
  openDesk('/setup', { ...colleagues, deskWaiting: () => refused('bug', 'Gone wrong.') });
  expect(await screen.findByText('Gone wrong.')).toBeTruthy();
});

test('what is wrong with an invitation stands at its field, too, and at no other', async () => {
  const errors = [{ field: 'email', message: 'Enter the address of one person.' }];
  const desk = openDesk('/setup', {
    ...colleagues,
    deskInvite: () => refused('invalidInput', 'Please check the highlighted fields.', errors),
  });
  await desk.user.type(await screen.findByLabelText('Name'), 'Robin Lee');
  const email = screen.getByLabelText('Email');
  await desk.user.type(email, 'robin@clinic.example');
  await desk.user.click(screen.getByRole('checkbox', { name: /Receptionist/ }));
  await desk.user.click(screen.getByRole('button', { name: 'Invite a colleague' }));
  expect((await screen.findByRole('alert')).textContent).toContain('one person');
  expect(email.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).not.toBe('true');
});
