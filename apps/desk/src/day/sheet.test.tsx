import type { ApiOpenedAppointment, ApiSheetAppointment } from '@clinic/contract';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, openDesk } from '../testing/desk.tsx';

const NINE = NOW - 3_600;

const appointment = (patient: string, minutes: number): ApiSheetAppointment => ({
  id: patient.toLowerCase(),
  patient,
  type: 'E',
  description: 'Short visit',
  start: NINE + minutes * 60,
  end: NINE + (minutes + 10) * 60,
  state: 'booked',
  attendance: 'expected',
  fee: 'none',
  next: ['arrived'],
  isCancellable: true,
  movesFor: null,
  hasAccount: true,
});

const provider = (id: string, appointments: ApiSheetAppointment[]) => ({
  id,
  name: `Dr. ${id}`,
  closed: [],
  busy: [],
  appointments,
});

const opened = (id: string): ApiOpenedAppointment => ({
  id,
  patient: { name: 'Ada', birthDate: '1984-05-17', recordId: '1', email: null, phone: null },
  reason: null,
  bookingNumber: null,
  checkin: null,
  bookedAt: NINE,
  arrivedAt: null,
  inRoomAt: null,
  paidCents: 0,
  feeAtClinic: null,
});

const openSheet = (handlers: Parameters<typeof openDesk>[1] = {}) =>
  openDesk('/day/2026-11-23', {
    deskDay: () => ({
      date: '2026-11-23',
      hours: { start: NINE, end: NINE + 7_200 },
      providers: [
        provider('One', [appointment('Ada', 0), appointment('Bea', 30), appointment('Cy', 90)]),
        provider('Two', []),
        provider('Three', [appointment('Dee', 10), appointment('Eve', 85)]),
      ],
    }),
    deskOpenAppointment: ({ params }) => opened(params.id ?? ''),
    ...handlers,
  });

const entry = (name: string) =>
  screen.getByRole('button', { name: new RegExp(`^\\d\\d:\\d\\d ${name}`) });
/** Who has the focus on the sheet. */
const at = () => document.activeElement?.querySelector('b')?.textContent;

describe('The sheet of a day by keyboard (S-18)', () => {
  test('arrows go up and down a column, and to the nearest in time of the next with appointments', async () => {
    const { user } = openSheet();
    (await screen.findByRole('button', { name: /^09:00 Ada/ })).focus();
    const steps = [
      ['ArrowUp', 'Ada'],
      ['ArrowDown', 'Bea'],
      ['ArrowRight', 'Dee'],
      ['ArrowLeft', 'Ada'],
      ['End', 'Cy'],
      ['ArrowRight', 'Eve'],
      ['ArrowRight', 'Eve'],
      ['Home', 'Dee'],
      ['ArrowDown', 'Eve'],
      ['ArrowLeft', 'Cy'],
    ] as const;
    for (const [key, who] of steps) {
      await user.keyboard(`{${key}}`);
      expect(`${key} ${at()}`).toBe(`${key} ${who}`);
    }
  });

  test('Tab comes to one appointment, Enter opens it, Escape closes it and comes back', async () => {
    const { user, sent } = openSheet();
    await screen.findByRole('button', { name: /^09:00 Ada/ });
    const stops = ['Ada', 'Bea', 'Cy', 'Dee', 'Eve'].filter((who) => entry(who).tabIndex === 0);
    expect(stops).toEqual(['Ada']);
    entry('Bea').focus();
    await user.keyboard('{Enter}');
    const panel = await screen.findByRole('complementary', { name: 'Bea' });
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Bea' }));
    expect(entry('Bea').tabIndex).toBe(0);
    await waitFor(() => expect(sent('deskOpenAppointment')).toHaveLength(1));
    await user.keyboard('{Escape}');
    expect(panel.isConnected).toBe(false);
    expect(at()).toBe('Bea');
  });
});

describe('A fee that was taken at the clinic (S-18, R-98)', () => {
  const open = (deskFeeBack: NonNullable<Parameters<typeof openDesk>[1]>['deskFeeBack']) => {
    const taken = { means: 'cash', at: NINE } as const;
    let feeAtClinic: ApiOpenedAppointment['feeAtClinic'] = { cents: 1_000, taken };
    return openSheet({
      deskOpenAppointment: ({ params }) => ({ ...opened(params.id ?? ''), feeAtClinic }),
      deskFeeBack: (request) => {
        const answer = deskFeeBack?.(request);
        const { means, reason } = request.body as Noted;
        if (answer === undefined)
          feeAtClinic = { cents: 1_000, taken, givenBack: { means, reason, at: NOW } };
        return answer;
      },
    });
  };
  type Noted = Pick<
    NonNullable<NonNullable<ApiOpenedAppointment['feeAtClinic']>['givenBack']>,
    'means' | 'reason'
  >;

  test('is noted as given back, with how and why, and is offered no more', async () => {
    const { user, sent } = open(() => undefined);
    await user.click(await screen.findByRole('button', { name: /^09:00 Ada/ }));
    await user.click(await screen.findByRole('button', { name: 'Fee given back' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Given back by'));
    await user.click(screen.getByRole('button', { name: 'Note it' }));
    expect(sent('deskFeeBack')).toEqual([]);
    await user.selectOptions(screen.getByLabelText('Given back by'), 'debit card');
    await user.selectOptions(screen.getByLabelText('Why?'), 'Out of goodwill');
    await user.click(screen.getByRole('button', { name: 'Note it' }));
    const outcome = await screen.findByText(/is noted as given back at the clinic/);
    expect(outcome.closest('[role=alert]')?.contains(document.activeElement)).toBe(true);
    await screen.findByText(/^Given back at the clinic, debit card, .*: Out of goodwill/);
    expect(screen.queryByRole('button', { name: 'Fee given back' })).toBeNull();
    expect(sent('deskFeeBack')).toEqual([{ means: 'debit', reason: 'goodwill' }]);
  });

  test('without an answer is said not to be known, and what was chosen stays', async () => {
    const { user } = open(() => {
      throw new Error('No answer');
    });
    await user.click(await screen.findByRole('button', { name: /^09:00 Ada/ }));
    await user.click(await screen.findByRole('button', { name: 'Fee given back' }));
    await user.selectOptions(screen.getByLabelText('Given back by'), 'cash');
    await user.selectOptions(screen.getByLabelText('Why?'), 'Another reason');
    await user.click(screen.getByRole('button', { name: 'Note it' }));
    await screen.findByText(/not known whether this is noted/);
    expect(screen.getByLabelText<HTMLSelectElement>('Given back by').value).toBe('cash');
  });
});
