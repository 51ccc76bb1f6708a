import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, openDesk } from '../../testing/desk.tsx';

const PAYMENT = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';

describe('Giving back a fee that was paid online (S-18)', () => {
  test('is not left while it is under way, and without an answer shows how the payment stands', async () => {
    let state: 'captured' | 'refunding' = 'captured';
    const lost = Promise.withResolvers<never>();
    const { user } = openDesk('/money', {
      deskMoney: () => ({
        days: [],
        hasMore: false,
        rows: [
          {
            id: PAYMENT,
            appointmentId: PAYMENT,
            refundedAt: null,
            at: NOW,
            patient: 'Morgan, Casey',
            description: 'Private visit',
            start: null,
            cents: 9_000,
            means: null,
            reference: null,
            state,
            paymentState: 'captured',
            isAlarming: false,
            isRefundable: state === 'captured',
            refundReason: null,
            refundMeans: null,
          },
        ],
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
