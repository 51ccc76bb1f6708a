import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openDesk } from '../testing/desk.tsx';

test.each(['9999-12-31', '0202-05-17', ''])(
  'a page stays as it is while its day says "%s", which the field says once it is left',
  async (typed) => {
    const desk = openDesk('/money', { deskMoney: () => ({ days: [], rows: [], hasMore: false }) });
    const from = await screen.findByLabelText<HTMLInputElement>('From');
    await waitFor(() => expect(desk.sent('deskMoney')).toHaveLength(1));
    from.focus();
    fireEvent.change(from, { target: { value: typed } });
    expect(from.value).toBe(typed);
    expect(screen.queryByText(/9999-12-30/)).toBeNull();
    await desk.user.tab();
    expect(screen.getByText(/from 1000-01-01 to 9999-12-30/)).not.toBeNull();
    expect(desk.sent('deskMoney')).toHaveLength(1);
    fireEvent.change(from, { target: { value: '2026-11-02' } });
    await waitFor(() => expect(desk.sent('deskMoney')).toHaveLength(2));
    expect(screen.queryByText(/9999-12-30/)).toBeNull();
    expect(location.search).toBe('?from=2026-11-02&to=2026-11-23');
  },
);
