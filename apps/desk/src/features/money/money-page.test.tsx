import type { ApiDayTakings, ApiMoneyRow } from '@clinic/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Handlers, openDesk, refused } from '../../testing/desk.tsx';
import { payment } from '../../testing/records.ts';
import { readTable } from '../../testing/tables.ts';

const none = { cash: 0, debit: 0, credit: 0, other: 0 };
const day = (date: string, more: Partial<ApiDayTakings> = {}): ApiDayTakings => ({
  date,
  online: 0,
  refunded: 0,
  ...none,
  back: none,
  ...more,
});
const row = (more: Partial<ApiMoneyRow> = {}) => payment({ isRefundable: false, ...more });
const nothing = { rows: [], days: [], hasMore: false };
const open = (
  more: Partial<{ rows: ApiMoneyRow[]; days: ApiDayTakings[]; hasMore: boolean }>,
  handlers: Handlers = {},
) => openDesk('/money', { deskMoney: () => ({ ...nothing, ...more }), ...handlers });

// Shows: S-18
describe('The takings', () => {
  const first = day('2026-11-22', { online: 5_000, cash: 2_000, debit: 1_000 });
  const second = day('2026-11-23', {
    cash: 3_000,
    refunded: 1_500,
    back: { ...none, cash: 1_500 },
  });

  test('of several days are summed, with what was given back by the same means', async () => {
    open({ days: [first, second] });
    expect(await readTable('Takings by day')).toEqual([
      [
        'Day',
        'Online',
        'Given back',
        'Cash',
        'Debit card',
        'Credit card',
        'Another way',
        'At the clinic',
      ],
      [
        'Sun Nov 22',
        'CAD 50.00',
        'CAD 0.00',
        'CAD 20.00',
        'CAD 10.00',
        'CAD 0.00',
        'CAD 0.00',
        'CAD 30.00',
      ],
      [
        'Mon Nov 23',
        'CAD 0.00',
        'CAD 15.00',
        'CAD 30.00CAD 15.00 given back',
        'CAD 0.00',
        'CAD 0.00',
        'CAD 0.00',
        'CAD 30.00CAD 15.00 given back',
      ],
      [
        'All days',
        'CAD 50.00',
        'CAD 15.00',
        'CAD 50.00CAD 15.00 given back',
        'CAD 10.00',
        'CAD 0.00',
        'CAD 0.00',
        'CAD 60.00CAD 15.00 given back',
      ],
    ]);
  });

  test('of one day have no sum', async () => {
    open({ days: [first] });
    expect(await readTable('Takings by day')).toHaveLength(2);
  });

  test('and payments that are none say so', async () => {
    open({});
    await screen.findByText('Nothing was taken or given back on these days.');
    screen.getByText('There is no such payment on these days.');
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('that cannot be loaded say so, not that there are none', async () => {
    let isUp = false;
    const { user } = open(
      {},
      {
        deskMoney: () =>
          isUp ? { ...nothing, days: [first] } : refused('serviceBusy', 'It is busy.'),
      },
    );
    expect((await screen.findByRole('alert')).textContent).toContain('It is busy.');
    expect(screen.queryByText(/^Nothing was taken/)).toBeNull();
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('table', { name: 'Takings by day' });
  });
});

// Shows: S-18
describe('The payments', () => {
  const cellsOf = async (...rows: Partial<ApiMoneyRow>[]) => {
    open({ rows: rows.map((each, at) => row({ id: String(at), ...each })) });
    return (await readTable('Payments')).slice(1).map((cells) => cells.slice(4));
  };

  test('say how each was paid and what became of it', async () => {
    expect(
      await cellsOf(
        { paymentState: 'kept' },
        { state: 'refundFailed', isAlarming: true, reference: 'pi_1' },
        { means: 'debit', paymentState: null },
        {
          means: 'cash',
          state: 'refunded',
          paymentState: null,
          refundMeans: 'cash',
          refundReason: 'mistake',
        },
      ),
    ).toEqual([
      ['Card, online', 'Taken, and kept: the patient cancelled'],
      ['Card, onlineReference pi_1', 'Refund failedLook at it at the card company'],
      ['At the clinic, debit card', 'Taken'],
      ['At the clinic, cash', 'Given backAt the clinic, cashIt was charged by mistake'],
    ]);
  });

  test('can be given back where the service says so, each in its own way', async () => {
    open({
      rows: [
        row({ isRefundable: true }),
        row({ id: '2', isRefundable: true, means: 'cash', paymentState: null, cents: 1_000 }),
        row({ id: '3', patient: 'Poe, Sam' }),
      ],
    });
    const table = within(await screen.findByRole('table', { name: 'Payments' }));
    expect(table.getAllByRole('button').map((each) => each.getAttribute('aria-label'))).toEqual([
      'Give back CAD 90.00 of Morgan, Casey',
      'Fee given back: CAD 10.00 of Morgan, Casey',
    ]);
  });

  test('of a state are asked for with the days; that more are left out is said', async () => {
    const asked: string[] = [];
    const { user } = open(
      {},
      {
        deskMoney: ({ query }) => {
          asked.push(query.toString());
          return { ...nothing, rows: [row()], hasMore: true };
        },
      },
    );
    await screen.findByText('Only the newest are shown. Choose fewer days.');
    await user.selectOptions(screen.getByLabelText('State'), 'Refund failed');
    await screen.findByRole('table', { name: 'Payments' });
    const today = 'from=2026-11-23&to=2026-11-23';
    expect(asked).toEqual([today, `${today}&state=refundFailed`]);
    expect(location.search).toBe(`?${today}&state=refundFailed`);
  });
});

// Shows: S-18, R-40
describe('Comparing with the card company', () => {
  const press = async (answer: NonNullable<Handlers['deskReconcile']>) => {
    const desk = open({}, { deskReconcile: answer });
    await desk.user.click(
      await screen.findByRole('button', { name: 'Compare with the card company' }),
    );
    return { ...desk, said: await screen.findByRole('alert') };
  };
  const same = {
    intents: 2,
    payments: 2,
    capturedCents: 9_000,
    refundedCents: 1_000,
    left: 0,
    differences: [],
  };

  test('says what both have, and that nothing differs', async () => {
    const { said, sent } = await press(() => same);
    expect(said.textContent).toBe(
      '2 payments at the card company, 2 here. Taken CAD 90.00, given back CAD 10.00.No differences.',
    );
    expect(sent('deskReconcile')).toEqual([{ days: 7 }]);
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('does not say that nothing differs while payments are left', async () => {
    const { said } = await press(() => ({ ...same, left: 3 }));
    expect(said.textContent).toContain('3 payments were not compared yet.');
    expect(said.textContent).not.toContain('No differences');
  });

  test('says what to do about each difference', async () => {
    await press(() => ({
      ...same,
      differences: [
        { payment: 'p1', intent: 'pi_1', what: 'unsettled', outcome: 'repaired' },
        { payment: null, intent: 'pi_2', what: 'stranger', outcome: 'alarm' },
        { payment: 'p1', intent: 'pi_4', what: 'secondIntent', outcome: 'alarm' },
        { payment: 'p3', intent: null, what: 'missingIntent', outcome: 'alarm' },
      ],
    }));
    const rows = await readTable('4 differences, and what to do about each');
    expect(rows.slice(1).map(([who, , does]) => [who, does?.replace(/[.:].*/, '')])).toEqual([
      ['p1pi_1', 'Nothing'],
      ['pi_2', 'Look for it in the dashboard of the card company'],
      ['p1pi_4', 'Look for it in the dashboard of the card company, and tell the operator'],
      ['p3', 'Look for it in the dashboard of the card company, and tell the operator'],
    ]);
  });

  test('that is refused says why', async () => {
    const { said } = await press(() => refused('tooManyRequests', 'Please wait.'));
    expect(said.textContent).toBe('Please wait.');
  });
});
