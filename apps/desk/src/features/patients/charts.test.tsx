import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, managerSession, openDesk } from '../../testing/desk.tsx';
import { ID, patient } from '../../testing/records.ts';

const chart = { name: 'MORGAN, CASEY', birthDate: '1984-05-17', hasCard: false } as const;

async function openCharts(charts: readonly string[]) {
  const sent: unknown[] = [];
  const waits = { patientId: ID, name: 'Morgan, Casey', at: 1_763_000_000 };
  const desk = openDesk('/patients', {
    deskPatientsWaiting: () => ({
      documents: [],
      waiting: 0,
      next: null,
      bounced: [],
      unclear: sent.length > 0 ? [] : [waits],
    }),
    deskLikelyCharts: () => ({
      name: 'Morgan, Casey',
      birthDate: '1984-05-17',
      hasCard: true,
      why: 'several' as const,
      account: {
        card: { province: 'BC', number: '*******218' },
        phones: ['604-555-0142'],
        email: 'casey@test.example',
        address: '12 Main Street, Vancouver',
        sex: 'F',
      },
      charts: charts.map((each) => ({
        ...chart,
        chart: each,
        birthDate: '1984-05-18',
        state: 'inactive' as const,
      })),
      seen: 'v1',
    }),
    deskDecideChart: ({ body }) => {
      sent.push(body);
    },
  });
  await desk.user.click(await screen.findByRole('button', { name: /^Decide which chart/ }));
  await screen.findByRole('radio', { name: /None of these/ });
  const dialog = within(screen.getByRole('dialog', { name: /Morgan, Casey/ }));
  return { ...desk, dialog, sent };
}

test('a patient stands beside the charts that may be theirs, and one is chosen', async () => {
  const { user, dialog, sent } = await openCharts(['12', '13']);
  expect(dialog.getByText(/Several charts may be theirs/)).toBeTruthy();
  expect(dialog.getByText('BC *******218')).toBeTruthy();
  expect(dialog.getAllByText('(differs)')).toHaveLength(2);
  await user.click(dialog.getByRole('button', { name: 'Save the decision' }));
  expect(await dialog.findByText('Please choose a chart, or none.')).toBeTruthy();
  await user.click(dialog.getByRole('radio', { name: /chart 13/ }));
  await user.click(dialog.getByRole('button', { name: 'Save the decision' }));
  expect(await screen.findByText(/^Noted: Morgan, Casey has chart 13/)).toBeTruthy();
  expect(sent).toEqual([{ chart: '13', apartFrom: [], seen: 'v1' }]);
  expect(screen.queryByRole('button', { name: /^Decide which chart/ })).toBeNull();
});

test('none of them is said of those that were shown', async () => {
  const { user, dialog, sent } = await openCharts(['12', '13']);
  await user.click(dialog.getByRole('radio', { name: /None of these/ }));
  await user.click(dialog.getByRole('button', { name: 'Save the decision' }));
  expect(await screen.findByText(/gets a new chart when they book/)).toBeTruthy();
  expect(sent).toEqual([{ chart: null, apartFrom: ['12', '13'], seen: 'v1' }]);
});

describe('A patient who has a chart', () => {
  const ahead = [{ id: ID, start: NOW, description: 'In-person visit', provider: 'Dr. Stone' }];
  async function openOther() {
    const sent: unknown[] = [];
    const asked: unknown[] = [];
    const has = { ...chart, chart: '7', state: 'active' as const };
    const desk = openDesk(`/patients/${ID}`, {
      ...patient({ isInEmr: true, chart: '7' }),
      deskLikelyCharts: ({ body }) => {
        asked.push(body);
        return {
          name: 'Morgan, Casey',
          birthDate: '1984-05-17',
          hasCard: true,
          present: { number: '7', chart: has },
          ahead,
          charts: (body as { chart?: string }).chart ? [{ ...has, chart: '9' }] : [],
          why: null,
          seen: 'v2',
        };
      },
      deskDecideChart: ({ body }) => {
        sent.push(body);
        return { chart: '9', moved: 1 };
      },
    });
    await desk.user.click(await screen.findByRole('button', { name: 'Give them another chart' }));
    await screen.findByText(/No other chart looks like theirs/);
    const dialog = within(screen.getByRole('dialog', { name: /Casey Morgan/ }));
    return { ...desk, dialog, sent, asked };
  }

  test('gets another by its number, and what is booked ahead goes along or stays', async () => {
    const { user, dialog, sent, asked } = await openOther();
    await user.type(dialog.getByRole('textbox', { name: /Another chart/ }), '9');
    await user.click(dialog.getByRole('button', { name: 'Save the decision' }));
    expect(await dialog.findByText(/show the chart with that number first/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Show it' }));
    await user.click(await dialog.findByRole('radio', { name: /chart 9/ }));
    expect(dialog.queryByRole('radio', { name: /None of these/ })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Save the decision' }));
    expect(await dialog.findByText(/what becomes of what is booked/)).toBeTruthy();
    await user.click(dialog.getByRole('radio', { name: /go along/ }));
    await user.click(dialog.getByRole('button', { name: 'Save the decision' }));
    expect(await screen.findByText(/has chart 9 now\. 1 appointment goes along/)).toBeTruthy();
    expect(asked.at(-1)).toEqual({ chart: '9' });
    expect(sent).toEqual([{ chart: '9', apartFrom: [], seen: 'v2', appointments: 'move' }]);
  });
});

test('a patient whose chart was merged into another account’s is said to be so, and not to be kept from booking', async () => {
  const chartWaits = { since: NOW, why: 'merged' as const };
  openDesk(`/patients/${ID}`, patient({ isInEmr: true, chart: '7', chartWaits }));
  expect(await screen.findByText(/merged the chart that they have/)).toBeTruthy();
  expect(screen.queryByText(/cannot book yet/)).toBeNull();
});

test('who may not merge is offered no other chart', async () => {
  openDesk(`/patients/${ID}`, {
    deskSession: () => ({ ...managerSession, roles: ['receptionist' as const] }),
    ...patient({ isInEmr: true, chart: '7' }),
  });
  expect(await screen.findByText(/Their chart in the EMR is 7/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Give them another chart' })).toBeNull();
});
