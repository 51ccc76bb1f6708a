import type { ApiEmr } from '@clinic/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, deskChanges, openDesk, refused } from '../testing/desk.tsx';
import { ID, emrAnswers, schedule, sheet } from '../testing/records.ts';

interface Wrong extends Partial<Omit<ApiEmr, 'refused' | 'ending'>> {
  readonly refused?: readonly ApiEmr['refused'][number][];
  readonly ending?: readonly ApiEmr['ending'][number][];
}

const log = () => screen.getByRole('log', { name: 'What is wrong with the EMR' });

test.each([
  [
    'a token that it refuses',
    { kind: 'refused', refused: ['token'], isBookingPaused: true },
    [/refuses since 10:00 the REST token/, /Nothing can be booked/, /emr connect/],
  ],
  [
    'a refusal of what is asked',
    { kind: 'refused', isBookingPaused: true },
    [/answers, and refuses since/, /emr check/],
  ],
  [
    'silence',
    { kind: 'silent', isBookingPaused: true },
    [/does not answer since 10:00/, /Nothing can be booked/],
  ],
  [
    'a token that ends soon',
    { ending: [{ key: 'token', endsAt: NOW + 600 }] },
    [/no longer takes the REST token of the service from .*10:10 on/, /emr connect/],
  ],
] as const)('%s of the EMR stands above every page of the desk', async (_, wrong, says) => {
  let emr = emrAnswers;
  openDesk('/day/2026-11-23', { ...sheet(), deskEmr: () => ({ emr }) });
  await screen.findByRole('button', { name: 'Lock' });
  expect(log().textContent).toBe('');
  const { refused = [], ending = [], ...rest }: Wrong = wrong;
  emr = { ...emrAnswers, ...rest, refused: [...refused], ending: [...ending] };
  deskChanges();
  for (const each of says) await within(log()).findByText(each);
});

test('whom to call when a day closed in the EMR is led to from every page, with names and phones', async () => {
  const outside = {
    appointmentId: ID,
    patient: 'Morgan, Casey',
    phone: '604-555-0100',
    providerId: '101',
    provider: 'Dr. A. Stone',
    description: 'Short visit',
    date: '2026-11-25',
    start: NOW + 2 * 86_400,
    end: NOW + 2 * 86_400 + 300,
  };
  const desk = openDesk('/day/2026-11-23', {
    ...sheet(),
    ...schedule,
    deskEmr: () => ({ emr: { ...emrAnswers, outside: 1 } }),
    deskOutsideEmr: () => ({ outside: [outside] }),
  });
  await screen.findByRole('button', { name: 'Lock' });
  await within(log()).findByText('1 appointment is booked where the EMR has closed since');
  await desk.user.click(within(log()).getByRole('link', { name: 'See whom to call' }));
  const table = await screen.findByRole('table', { name: 'Booked where the EMR has closed since' });
  expect(within(table).getByRole('rowheader').textContent).toBe('Morgan, Casey');
  expect(table.textContent).toContain('604-555-0100');
  const link = within(table).getByRole('link', { name: /open Morgan, Casey’s appointment/ });
  expect(link.getAttribute('href')).toContain(`/day/2026-11-25?appointment=${ID}`);
});

test('what does not stand in the EMR as here is led to from every page, with both times', async () => {
  const DAY = 86_400;
  const differing = {
    appointmentId: ID,
    patient: 'Morgan, Casey',
    phone: '604-555-0100',
    providerId: '101',
    provider: 'Dr. A. Stone',
    description: 'Short visit',
    date: '2026-11-25',
    start: NOW + 2 * DAY,
    end: NOW + 2 * DAY + 300,
    why: 'overlapped' as const,
    other: { start: NOW + 2 * DAY - 600, end: NOW + 2 * DAY + 900 },
  };
  const lacking = {
    ...differing,
    appointmentId: ID.replace('c01', 'c02'),
    patient: 'Hart, Ida',
    why: 'lacking' as const,
    other: null,
  };
  const desk = openDesk('/day/2026-11-23', {
    ...sheet(),
    ...schedule,
    deskEmr: () => ({ emr: { ...emrAnswers, differs: 2 } }),
    deskOutsideEmr: () => ({ outside: [], differs: [differing, lacking] }),
  });
  await screen.findByRole('button', { name: 'Lock' });
  await within(log()).findByText('2 appointments do not stand in the EMR as here');
  await desk.user.click(within(log()).getByRole('link', { name: 'See which' }));
  const table = await screen.findByRole('table', { name: 'Not in the EMR as here' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows[0]?.textContent).toContain('Another lies over it, 09:50 to 10:15');
  expect(rows[1]?.textContent).toContain('No row has its key');
  expect(screen.getByText('Nobody is booked where the EMR has closed since.')).toBeTruthy();
});

test('where it is not known whether there is an EMR, the schedule says so, until it is tried again', async () => {
  let isUp = false;
  const { user } = openDesk('/schedule', {
    ...schedule,
    deskEmr: () => (isUp ? { emr: emrAnswers } : refused('bug', 'Gone wrong.')),
  });
  await screen.findByText('Gone wrong.');
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('button', { name: 'Read now' });
  expect(screen.queryByText('Gone wrong.')).toBeNull();
});
