import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, deskChanges, openDesk, refused } from '../testing/desk.tsx';
import { ID, exportWaiting, goneFromEmr, setUp, sheet } from '../testing/records.ts';

/** A closing in its fifth minute, the last in which it can be stopped. */
const closing = {
  ...exportWaiting,
  act: 'close' as const,
  askedAt: NOW - 240,
  waitsUntil: NOW + 60,
  n: 60,
  time: { from: NOW + 86_400 - 36_000, to: NOW + 2 * 86_400 - 36_000, providers: [] },
};
const log = () => screen.getByRole('log', { name: 'What can still be stopped' });
const noTrail = {
  deskAuditTrail: () => ({ entries: [], next: null }),
  deskAuditStaff: () => ({ staff: [] }),
};

describe('What harms many, above every page of the desk (S-18)', () => {
  test('a closing that a colleague began appears on another screen, and one press stops it at minute 4', async () => {
    let acts: (typeof closing)[] = [];
    const desk = openDesk('/day/2026-11-23', {
      ...sheet(),
      deskWaiting: () => ({ acts }),
      deskStop: () => {
        acts = [];
      },
    });
    await screen.findByRole('button', { name: 'Lock' });
    expect(log().textContent).toBe('');
    acts = [closing];
    deskChanges();
    const stop = await within(log()).findByRole('button', {
      name: 'Stop: open Tue Nov 24 again',
    });
    expect(log().textContent).toContain('Avery Quinn closed this time (The whole clinic');
    expect(log().textContent).toContain('60 have an appointment in it');
    expect(log().textContent).toContain('before 10:01');
    stop.focus();
    await desk.user.keyboard('{Enter}');
    const told = await screen.findByText(
      'Stopped. Tue Nov 24 is open again. Nobody was cancelled or told.',
    );
    await waitFor(() =>
      expect(told.closest('[role=alert]')?.contains(document.activeElement)).toBe(true),
    );
    expect(log().textContent).toBe('');
    expect(desk.sent('deskStop')).toEqual([{}]);
  });

  test('says that it is too late, and the line goes', async () => {
    let acts = [exportWaiting];
    const desk = openDesk('/day/2026-11-23', {
      ...sheet(),
      deskWaiting: () => ({ acts }),
      deskStop: () => refused('stopOver', 'This can no longer be stopped.'),
    });
    await desk.user.click(
      await screen.findByRole('button', { name: 'Stop the file of 412 people' }),
    );
    await screen.findByText('This can no longer be stopped.');
    acts = [];
    deskChanges();
    await waitFor(() => expect(log().textContent).toBe(''));
    expect(screen.queryByText(/^Stopped/)).toBeNull();
  });

  test('a file of many people: told when it is ready, fetched then, and who stopped another', async () => {
    const own = { ...exportWaiting, isOwn: true };
    let acts: (typeof exportWaiting)[] = [];
    const desk = openDesk('/audit', {
      ...noTrail,
      deskWaiting: () => ({ acts }),
      deskExportAudit: () => refused('exportWaits', 'It waits until 10:05.'),
    });
    await desk.user.click(await screen.findByRole('button', { name: 'Save as CSV' }));
    acts = [own];
    await screen.findByText('It waits until 10:05.');
    deskChanges();
    await screen.findByText(/412 people: ready at 10:05, unless somebody stops it/);
    expect(screen.queryByRole('button', { name: /^Save the file of/ })).toBeNull();
    const stopped = { by: 'Robin Lee', at: NOW + 60 };
    acts = [
      { ...own, state: 'ready' },
      { ...own, id: crypto.randomUUID(), state: 'stopped', stopped },
    ];
    deskChanges();
    const fetch = await screen.findByRole('button', { name: /^Save the file of/ });
    await screen.findByText(/412 people: stopped by Robin Lee at 10:01/);
    expect(log().textContent).toBe('');
    await desk.user.click(fetch);
    await waitFor(() => expect(desk.sent('deskExportAudit').at(-1)).toEqual({ waited: ID }));
  });

  test('the invitation of a manager: told when it is mailed', async () => {
    const desk = openDesk('/setup', {
      ...setUp,
      deskInvite: () => ({ waitsUntil: NOW + 300 }),
      deskWaiting: () => ({
        acts: [
          {
            ...exportWaiting,
            act: 'invite',
            n: 0,
            state: 'failed',
            invited: { name: 'Kim', email: 'k@b.example' },
          },
        ],
      }),
    });
    await desk.user.type(await screen.findByLabelText('Name'), 'Uma Fox');
    await desk.user.type(screen.getByLabelText('Email'), 'u@b.example');
    await desk.user.click(screen.getByLabelText('Manager'));
    await desk.user.click(screen.getByRole('button', { name: 'Invite a colleague' }));
    await screen.findByText(/^The invitation of Uma Fox is mailed at 10:05/);
    await screen.findByText(/^Kim \(k@b.example\): not invited/);
    expect(desk.sent('deskInvite')).toHaveLength(1);
  });
});

describe('What is gone from the EMR, above every page of the desk (R-120)', () => {
  // Shows: R-120
  test('appears by itself, is decided by keyboard, and leads to its day', async () => {
    let gone: (typeof goneFromEmr)[] = [];
    const desk = openDesk('/day/2026-11-23', {
      ...sheet(),
      deskWaiting: () => ({ acts: [], gone }),
      deskDecideGone: () => {
        gone = gone.slice(1);
      },
    });
    await screen.findByRole('button', { name: 'Lock' });
    expect(log().textContent).toBe('');
    const other = '00000000-0000-4000-8000-0000000000ff';
    gone = [goneFromEmr, { ...goneFromEmr, id: other, until: null }];
    deskChanges();
    await within(log()).findByText(/Gone from the EMR: 2 appointments\. Keep, or cancelled\?/);
    expect(log().textContent).toContain('Without an answer it is cancelled at 10:10');
    expect(log().textContent).toContain('none is cancelled without an answer');
    const [link] = within(log()).getAllByRole('link');
    expect(link?.getAttribute('href')).toBe(`/desk/day/2026-11-24?appointment=${ID}`);
    const [keep] = within(log()).getAllByRole('button', { name: /^Keep the appointment/ });
    keep?.focus();
    await desk.user.keyboard('{Enter}');
    const told = await screen.findByText(/^Kept: .* Please enter it in the EMR again\.$/);
    await waitFor(() =>
      expect(told.closest('[role=alert]')?.contains(document.activeElement)).toBe(true),
    );
    await within(log()).findByText(/Gone from the EMR: 1 appointment\./);
    await desk.user.click(within(log()).getByRole('button', { name: /^Cancelled: the/ }));
    await screen.findByText(/^Cancelled: .* The patient is told, and paid back in full\.$/);
    await waitFor(() => expect(log().textContent).toBe(''));
    expect(desk.sent('deskDecideGone')).toEqual([{ is: 'kept' }, { is: 'cancelled' }]);
  });

  test('shows five of many, and says how many more there are', async () => {
    const gone = Array.from({ length: 7 }, (_, at) => ({
      ...goneFromEmr,
      id: `00000000-0000-4000-8000-00000000000${at}`,
    }));
    openDesk('/day/2026-11-23', { ...sheet(), deskWaiting: () => ({ acts: [], gone }) });
    await within(await screen.findByRole('log', { name: 'What can still be stopped' })).findByText(
      'And 2 more.',
    );
    expect(within(log()).getAllByRole('button', { name: /^Keep/ })).toHaveLength(5);
  });
});
