import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { openDesk, refused } from '../../testing/desk.tsx';
import { nobodyAffected } from '../../testing/records.ts';

const handlers = {
  deskClosings: () => ({ providers: [{ id: '101', name: 'Dr. A. Stone' }], closings: [] }),
};

const fieldOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

/** What a field says is wrong with it. */
const errorOf = (label: string) => {
  const about = fieldOf(label).getAttribute('aria-describedby')?.split(' ') ?? [];
  const said = about.map((id) => document.getElementById(id)?.textContent ?? '');
  return said.find((each) => each.startsWith('Error:')) ?? null;
};

describe('Closing a time (S-18)', () => {
  test.each(['9999-12-31', '0999-05-17', ''])(
    'says at the field that "%s" is no day, and keeps what was entered',
    async (day) => {
      const desk = openDesk('/schedule', handlers);
      await desk.user.selectOptions(await screen.findByLabelText('Whose time'), '101');
      await desk.user.type(fieldOf('From'), '12:00');
      fireEvent.change(fieldOf('Last day'), { target: { value: day } });
      await desk.user.click(screen.getByRole('button', { name: 'Show who is affected' }));
      expect(errorOf('Last day')).toContain('from 1000-01-01 to 9999-12-30');
      expect(errorOf('First day')).toBeNull();
      expect(fieldOf('Last day').value).toBe(day);
      expect(fieldOf('From').value).toBe('12:00');
      expect(desk.sent('deskForeseeClosing')).toEqual([]);
    },
  );

  test('says at the field what the service refuses of it', async () => {
    const desk = openDesk('/schedule', {
      ...handlers,
      deskForeseeClosing: () =>
        refused('invalidInput', 'Please check.', [{ field: 'to', message: 'A year at most.' }]),
    });
    await desk.user.selectOptions(await screen.findByLabelText('Whose time'), '101');
    fireEvent.change(fieldOf('Last day'), { target: { value: '2029-11-24' } });
    await desk.user.click(screen.getByRole('button', { name: 'Show who is affected' }));
    await screen.findByRole('alert');
    expect(errorOf('Last day')).toContain('A year at most.');
    expect(fieldOf('Last day').value).toBe('2029-11-24');
  });

  test('shows how many it affects, and whose names only once they are asked for, a page at a time', async () => {
    const asked: unknown[] = [];
    const desk = openDesk('/schedule', {
      ...handlers,
      deskForeseeClosing: () => ({
        ...nobodyAffected,
        cancelled: 51,
        refunds: 1,
        refundedCents: 8_000,
      }),
      deskForeseenPatients: ({ body }) => {
        const { page } = body as { readonly page: number };
        asked.push(page);
        const email = { subject: 'Your appointment is cancelled', text: `To patient ${page}` };
        const one = {
          appointmentId: crypto.randomUUID(),
          patient: `Morgan, Casey ${page}`,
          phone: null,
          providerId: '101',
          description: 'Office visit',
          start: 1_795_276_800,
          end: 1_795_277_100,
          paidCents: 0,
          becomes: 'cancelled' as const,
          told: 'email' as const,
          email,
        };
        return { affected: [one], pages: 2 };
      },
    });
    await desk.user.selectOptions(await screen.findByLabelText('Whose time'), '101');
    await desk.user.click(screen.getByRole('button', { name: 'Show who is affected' }));
    await screen.findByText('51 appointments are cancelled.');
    expect(asked).toEqual([]);
    await desk.user.click(screen.getByRole('button', { name: 'Show names and emails' }));
    await screen.findByText('Page 1 of 2');
    expect(document.activeElement?.textContent).toBe('Page 1 of 2');
    expect(screen.getByRole('rowheader').textContent).toBe('Morgan, Casey 1');
    await desk.user.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('Page 2 of 2');
    expect(document.activeElement?.textContent).toBe('Page 2 of 2');
    expect(screen.getByRole('rowheader').textContent).toBe('Morgan, Casey 2');
    expect(asked).toEqual([1, 2]);
  });

  test('after a lost answer is the same closing, also once the time was looked at again', async () => {
    const keys: (string | null)[] = [];
    const desk = openDesk('/schedule', {
      ...handlers,
      deskForeseeClosing: () => nobodyAffected,
      deskCloseTime: ({ headers }) => {
        keys.push(headers.get('idempotency-key'));
        if (keys.length < 3) throw new Error('No answer');
        return refused('notFound', 'There is no such provider.');
      },
    });
    const foresee = async () =>
      desk.user.click(await screen.findByRole('button', { name: 'Show who is affected' }));
    const close = async () =>
      desk.user.click(await screen.findByRole('button', { name: /^Close this time/ }));
    await desk.user.selectOptions(await screen.findByLabelText('Whose time'), '101');
    await foresee();
    await close();
    await screen.findByText(/^The clinic did not answer/);
    await desk.user.click(screen.getByRole('button', { name: 'Change the time' }));
    await foresee();
    await close();
    await screen.findByText(/^The clinic did not answer/);
    await desk.user.click(screen.getByRole('link', { name: 'Patients' }));
    await screen.findByRole('heading', { name: 'Patients' });
    await desk.user.click(screen.getByRole('link', { name: 'Schedule' }));
    await foresee();
    await close();
    await screen.findByText('There is no such provider.');
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);

    await desk.user.click(screen.getByRole('button', { name: 'Change the time' }));
    await desk.user.type(fieldOf('From'), '12:00');
    await foresee();
    await close();
    await screen.findByText('There is no such provider.');
    expect(keys[3]).not.toBe(keys[0]);
  });
});
