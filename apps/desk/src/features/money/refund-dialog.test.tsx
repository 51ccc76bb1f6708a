import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { openDesk } from '../../testing/desk.tsx';
import { payment } from '../../testing/records.ts';

describe('Giving back a fee that was paid online (S-18)', () => {
  test('is not left while it is under way, and without an answer shows how the payment stands', async () => {
    let state: 'captured' | 'refunding' = 'captured';
    const lost = Promise.withResolvers<never>();
    const { user } = openDesk('/money', {
      deskMoney: () => ({
        days: [],
        hasMore: false,
        rows: [payment({ state, isRefundable: state === 'captured' })],
      }),
      deskRefund: () => {
        state = 'refunding';
        return lost.promise;
      },
    });
    await user.click(await screen.findByRole('button', { name: /^Give back CAD 90/ }));
    const dialog = within(screen.getByRole('dialog'));
    await user.selectOptions(dialog.getByLabelText('Why?'), 'Out of goodwill');
    await user.click(dialog.getByRole('button', { name: 'Give back' }));
    await dialog.findByText('Giving back');
    await user.click(dialog.getByRole('button', { name: 'Leave it' }));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeNull();
    lost.reject(new Error('No answer'));
    await dialog.findByText(/not known whether the refund is asked for/);
    const table = within(screen.getByRole('table', { name: 'Payments' }));
    await waitFor(() => table.getByText('Refund asked for, not confirmed yet'));
    await user.click(dialog.getByRole('button', { name: 'Leave it' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
