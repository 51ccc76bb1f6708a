import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, openDesk } from '../../testing/desk.tsx';
import { ID, patient } from '../../testing/records.ts';

const PAID = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c99';
const fee = {
  appointmentId: ID,
  start: NOW + 86_400,
  type: 'In-person visit',
  oldCents: 10_000,
  newCents: 0,
  paidBy: null,
};
const paid = { ...fee, appointmentId: PAID, type: 'Private visit', paidBy: 'card' as const };
const taken = { ...paid, paidBy: 'clinic' as const };

async function changeEligibility(desk: ReturnType<typeof openDesk>) {
  await desk.user.click(await screen.findByRole('button', { name: 'Change' }));
  const dialog = within(screen.getByRole('dialog'));
  await desk.user.selectOptions(dialog.getByLabelText('Eligibility'), 'E');
  await desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  return within(await screen.findByRole('region', { name: 'Fees that are others now' }));
}

// Shows: R-127
test('fees that a new eligibility changes are listed, old and new, and one press applies those due', async () => {
  const desk = openDesk('/patients/5001', {
    ...patient(),
    deskChangePatient: () => ({ fees: [fee, paid] }),
    deskApplyFees: () => ({ fees: [paid], paid: [] }),
  });
  const list = await changeEligibility(desk);
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/In-person visit: .*100.* → .*0\.00\.$/),
    expect.stringMatching(/Private visit: .*Paid by card: a manager gives it back\. To the money$/),
  ]);
  expect(desk.sent('deskApplyFees')).toEqual([]);
  await desk.user.click(list.getByRole('button', { name: 'Apply to 1 appointment' }));
  await screen.findByText('1 fee is changed.');
  expect(desk.sent('deskApplyFees')).toEqual([{ appointmentIds: [ID] }]);
  // What is left is for a manager.
  expect(list.getAllByRole('listitem')).toHaveLength(1);
  expect(list.queryByRole('button')).toBeNull();
});

test('what was paid meanwhile is said, and is not counted as changed', async () => {
  const desk = openDesk('/patients/5001', {
    ...patient(),
    deskChangePatient: () => ({ fees: [fee] }),
    deskApplyFees: () => ({ fees: [{ ...taken, appointmentId: ID }], paid: [ID] }),
  });
  const list = await changeEligibility(desk);
  await desk.user.click(list.getByRole('button', { name: 'Apply to 1 appointment' }));
  await screen.findByText(
    'No fee was changed. 1 was paid meanwhile and stays: a manager gives it back.',
  );
  list.getByText(/Paid at the clinic: a manager may give it back\.$/);
  expect(list.queryByRole('button')).toBeNull();
});
