import type { ApiClosingEntry, CallAnswer } from '@clinic/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Handlers, NOW, deskChanges, openDesk, refused } from '../../testing/desk.tsx';
import { ID, closing, closingEntry, schedule } from '../../testing/records.ts';
import { readTable } from '../../testing/tables.ts';

const stone = { id: '101', name: 'Dr. A. Stone' };
const PATH = `/schedule/closings/${ID}`;
type Closing = CallAnswer<'deskClosing'>['extras']['closing'];

const open = (
  more: Partial<Closing> = {},
  entries: readonly Partial<ApiClosingEntry>[] = [],
  handlers: Handlers = {},
) =>
  openDesk(PATH, {
    ...schedule,
    deskClosing: () => ({
      closing: { ...closing.closing, ...more },
      entries: entries.map(closingEntry),
    }),
    ...handlers,
  });
const said = async () => {
  await screen.findByRole('heading', { name: /^Closed: / });
  return within(screen.getByRole('main')).getByRole('status').textContent;
};

// Shows: S-18
describe('A closing', () => {
  test.each<[string, Partial<Closing>, string]>([
    [
      'waits',
      { doneAt: null, waitsUntil: NOW + 300 },
      'The time is closed. Nobody is cancelled or told before 10:05: until then it can be stopped, above.',
    ],
    [
      'is under way',
      { doneAt: null, known: 1, total: 3 },
      'The time is closed. 1 of 3 are done; this goes on by itself, whether you stay here or not.',
    ],
    ['is done', { known: 3, total: 3 }, 'The time is closed, and all 3 are done.'],
    ['affected nobody', {}, 'The time is closed. Nobody was affected.'],
    [
      'was opened again',
      { reopened: { by: null, at: NOW, from: NOW } },
      'Opened again by the operator on Mon Nov 23 2026 10:00: it can be booked from Mon Nov 23 2026 10:00 on. What was cancelled stays cancelled.',
    ],
  ])('that %s says so', async (_, more, says) => {
    open(more);
    expect(await said()).toBe(says);
    expect(screen.queryByRole('progressbar') !== null).toBe(more.known === 1);
  });

  test('says what became of each patient, and whom to call', async () => {
    open({ total: 4, known: 4 }, [
      {
        email: 'call',
        phones: [{ number: '+16045550100', keptIn: ['account'] }],
        refund: 'done',
        paidCents: 9_000,
      },
      {
        email: 'failed',
        phones: [{ number: '+16045550101', keptIn: ['card'] }],
        outcome: 'released',
      },
      { email: 'call' },
      { email: 'waiting', outcome: 'stays', refund: 'failed', paidCents: 1_000, providerId: '999' },
    ]);
    const [head, ...rows] = await readTable('What became of each patient');
    expect(head?.slice(4, 7)).toEqual(['Appointment', 'Email', 'Money back']);
    expect(rows.map((row) => row.slice(4, 7))).toEqual([
      ['Cancelled', 'Call 604-555-0100', 'CAD 90.00, given back'],
      ['Taken back while they were choosing', 'Was refused. Call 604-555-0101', 'None'],
      ['Cancelled', 'Call: the record has no account', 'None'],
      [
        'Stands: it had begun, or was changed in the EMR. Please look there',
        'On its way',
        'CAD 10.00, not given back: please look at the payment',
      ],
    ]);
    await waitFor(async () =>
      expect((await readTable('What became of each patient')).map((row) => row[2])).toEqual([
        'Provider',
        'Dr. A. Stone',
        'Dr. A. Stone',
        'Dr. A. Stone',
        '999',
      ]),
    );
    screen.getByText('3 people cannot be reached by email: please call.');
  });

  test('goes on where it stands, as the service tells', async () => {
    let known = 1;
    open({}, [], {
      deskClosing: () => ({
        ...closing,
        closing: { ...closing.closing, doneAt: null, total: 2, known },
      }),
    });
    expect(await said()).toContain('1 of 2');
    known = 2;
    deskChanges();
    await screen.findByText(/2 of 2 are done/);
    expect(screen.getByRole('progressbar').getAttribute('value')).toBe('2');
  });

  test.each<[string, Partial<Closing>]>([
    ['is over', { from: NOW - 7_200, to: NOW - 3_600 }],
    ['was opened again', { reopened: { by: 'Robin', at: NOW, from: NOW } }],
  ])('that %s is not offered to be opened again', async (_, more) => {
    open(more);
    await said();
    expect(screen.queryByRole('button', { name: 'Open this time again' })).toBeNull();
  });

  test('that cannot be shown says why, and is there once tried again', async () => {
    let isUp = false;
    const { user } = open({}, [], {
      deskClosing: () => (isUp ? closing : refused('serviceBusy', 'It is busy.')),
    });
    expect((await screen.findByRole('alert')).textContent).toContain('It is busy.');
    screen.getByRole('link', { name: 'All of the schedule' });
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { level: 1, name: /^Closed: / });
  });

  test('has numbers in place of names that could not be fetched, which is said, until they are', async () => {
    let isThere = false;
    const { user } = open({}, [{}], {
      deskClosings: () =>
        isThere ? { providers: [stone], closings: [] } : refused('bug', 'Gone wrong.'),
    });
    await screen.findByText(/names could not be fetched, so their numbers stand here\. Gone wrong/);
    expect((await readTable('What became of each patient'))[1]?.[2]).toBe('101');
    isThere = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(async () =>
      expect((await readTable('What became of each patient'))[1]?.[2]).toBe('Dr. A. Stone'),
    );
    expect(screen.queryByText(/names could not be fetched/)).toBeNull();
  });
});
