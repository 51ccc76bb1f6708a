import type { ApiClosingCall, ApiClosingEntry } from '@clinic/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Handlers, NOW, deskChanges, openDesk, refused } from '../../testing/desk.tsx';
import {
  ID,
  aCall,
  booking,
  closing,
  closingEntry,
  placed,
  schedule,
} from '../../testing/records.ts';
import { readTable } from '../../testing/tables.ts';

/** The closing with these entries, as the service has them by now. */
function open(entries: readonly ApiClosingEntry[], handlers: Handlers = {}) {
  const kept = [...entries];
  const desk = openDesk(`/schedule/closings/${ID}`, {
    ...schedule,
    ...booking,
    deskClosing: () => ({ ...closing, entries: kept }),
    deskNoteCall: ({ params, body }) => {
      const { appointmentId, outcome } = body as Pick<ApiClosingEntry, 'appointmentId'> &
        Pick<ApiClosingCall, 'outcome'>;
      const at = kept.findIndex((each) => each.appointmentId === appointmentId);
      const entry = kept[at] ?? closingEntry();
      const call = aCall({ id: params.callId ?? '', outcome, by: 'Morgan Hale' });
      kept[at] = { ...entry, calls: [call, ...entry.calls] };
    },
    ...handlers,
  });
  return { ...desk, kept };
}
const phone = (number: string, ...keptIn: ('card' | 'account')[]) => ({ number, keptIn });
const toCall = (over: Partial<ApiClosingEntry> = {}, at = 0) =>
  closingEntry({ email: 'call', phones: [phone('+16045550100', 'card')], ...over }, at);
const rows = async () => (await readTable('To call')).slice(1);
const cells = async (column: number) => (await rows()).map((row) => row[column]);
const [NUMBER, LAST, REBOOKED] = [1, 3, 4];
const button = (name: string | RegExp) => screen.findByRole('button', { name });

// Shows: R-124
describe('Whom a closing leaves to call', () => {
  test('stands with number, what they had and the last call, and how many were reached', async () => {
    open([
      toCall({
        phones: [phone('+16045550100', 'card', 'account'), phone('+4930123456', 'account')],
      }),
      toCall({ patient: 'Berg, Ola', email: 'failed', phones: [], calls: [aCall()] }, 1),
      closingEntry({ patient: 'Reyes, Noah' }, 2),
    ]);
    await waitFor(async () => expect((await cells(2))[0]).toMatch(/Short visit, Dr\. A\. Stone$/));
    expect((await rows()).map((row) => row.slice(0, 4))).toEqual([
      [
        'Morgan, Casey',
        '604-555-0100on the card, in the account+4930123456in the account',
        'Mon Nov 23 2026 10:00Short visit, Dr. A. Stone',
        'Not yet',
      ],
      [
        'Berg, Ola',
        'None is known',
        'Mon Nov 23 2026 10:00Short visit, Dr. A. Stone',
        'Reached. Robin Lee, Mon Nov 23 2026 10:00',
      ],
    ]);
    screen.getByText(/1 of 2 reached/);
    const [name] = screen.getAllByRole('link', { name: 'Morgan, Casey' });
    expect(name?.getAttribute('href')).toBe('/desk/patients/5000');
  });

  test('is nobody where email reached everybody, and nobody more once all are reached', async () => {
    const { kept } = open([closingEntry()]);
    await screen.findByText('Nobody has to be called.');
    expect(screen.queryByRole('button', { name: 'Print whom to call' })).toBeNull();
    kept[0] = toCall();
    deskChanges();
    await button('Print whom to call');
    kept[0] = toCall({ calls: [aCall()] });
    deskChanges();
    await screen.findByText('Everybody has been reached.');
    screen.getByText('1 of 1 reached.');
    expect(screen.queryByRole('button', { name: 'Print whom to call' })).toBeNull();
  });

  test('shows at once whom a colleague has reached, as something else to press on', async () => {
    const { kept } = open([toCall()]);
    const actsOn = async () => (await button('No answer, Morgan, Casey')).dataset.actsOn;
    const before = await actsOn();
    kept[0] = toCall({ calls: [aCall()] });
    deskChanges();
    await screen.findByText('1 of 1 reached.');
    expect(await cells(LAST)).toEqual([expect.stringMatching(/^Reached\. Robin Lee/)]);
    expect(await actsOn()).not.toBe(before);
  });

  test('shows the newest call of two, and that either has reached them', async () => {
    const second = { id: ID.replace(/.$/, '9'), at: NOW + 1, by: 'Sam Hill' };
    open([toCall({ calls: [aCall({ ...second, outcome: 'noAnswer' }), aCall()] })]);
    await screen.findByText(/1 of 1 reached/);
    const [last] = await cells(LAST);
    expect(last).toMatch(/^No answer\. Sam Hill, .*They had been reached before\./);
    expect(last).toMatch(/2 calls in all.*Reached\. Robin Lee/);
  });

  test('has whoever was reached by mistake again once the call is taken back', async () => {
    const { kept, user } = open([toCall({ calls: [aCall()] })], {
      deskTakeBackCall: () => {
        kept[0] = toCall({ calls: [aCall({ takenBack: { by: 'Sam Hill', at: NOW } })] });
      },
    });
    await user.click(await button('Take back, Morgan, Casey'));
    await screen.findByText(/0 of 1 reached/);
    expect((await cells(LAST))[0]).toMatch(/^Not yet.*Taken back by Sam Hill/);
    screen.getByText('The call is taken back.');
  });

  test('keeps the row of a call that is refused, and says why', async () => {
    const { user } = open([toCall()], {
      deskNoteCall: () => refused('notFound', 'It is not there.'),
    });
    await user.click(await button('Reached, Morgan, Casey'));
    expect((await screen.findByRole('alert')).textContent).toBe('It is not there.');
    expect(await cells(LAST)).toEqual(['Not yet']);
  });
});

/** A day of 21 patients who have no account. */
const DAY = Array.from({ length: 21 }, (_, at) =>
  toCall(
    {
      patient: `Berg, Ola ${at + 1}`,
      start: NOW + at * 600,
      phones: [phone(`+160455501${String(at).padStart(2, '0')}`, 'card')],
    },
    at,
  ),
);

// Shows: R-124
describe('Rebooking whom a closing has cancelled', () => {
  test('21 patients without an account are 21 numbers, and each is rebooked within 5 keys', async () => {
    let next = NOW + 86_400;
    const { kept, sent, user } = open(DAY, {
      deskBookingOptions: () => ({
        name: 'Berg, Ola',
        hasAccount: false,
        birthDate: '1951-03-02',
        types: [
          { code: 'O', description: 'In person', feeCents: 0 },
          { code: 'E', description: 'Short visit', feeCents: 0 },
        ],
        mayLink: false,
        providers: [{ id: '101', name: 'Dr. A. Stone' }],
        upcoming: [],
      }),
      deskFreeTimes: () => ({
        times: [{ doctor: '101', start: next, end: next + 600 }],
        walkIns: [],
      }),
      deskBook: ({ params, body }) => {
        const { start, providerId } = body as { start: number; providerId: string };
        next += 600;
        const at = kept.findIndex(({ recordId }) => recordId === params.id);
        const rebooked = { appointmentId: ID, providerId, description: 'Short visit', start };
        kept[at] = { ...(kept[at] ?? closingEntry()), rebooked: { ...rebooked, isHeld: false } };
        return { ...placed, start, isTold: false };
      },
    });
    await button('Rebook, Berg, Ola 1');
    expect(new Set(await cells(NUMBER)).size).toBe(21);
    const keys: number[] = [];
    for (const { patient } of DAY) {
      let pressed = 0;
      const key = async (name: string) => {
        pressed += 1;
        await user.keyboard(`{${name}}`);
      };
      const rebook = await button(`Rebook, ${patient}`);
      rebook.focus();
      await key('Enter');
      const dialog = await screen.findByRole('dialog');
      while (within(dialog).queryByText(/^Booked:/) === null) {
        await waitFor(() =>
          expect(
            document.activeElement?.matches(
              '[role=listbox]:has([role=option]), dialog section button',
            ),
          ).toBe(true),
        );
        await key('Enter');
        await waitFor(() =>
          expect(
            dialog.querySelector('[role=listbox]:focus, [aria-busy=true], [aria-disabled=true]'),
          ).toBeNull(),
        );
      }
      await within(rowOf(rebook)).findByText('Noted: Reached.');
      await key('Escape');
      await waitFor(() => expect(document.activeElement).toBe(rebook));
      keys.push(pressed);
    }
    expect(Math.max(...keys)).toBeLessThanOrEqual(5);
    const booked = sent('deskBook') as { type: string; providerId: string }[];
    expect(booked).toHaveLength(21);
    expect(new Set(booked.map(({ type, providerId }) => `${type} ${providerId}`))).toEqual(
      new Set(['E 101']),
    );
    expect((await cells(REBOOKED)).every((said) => said?.endsWith('Dr. A. Stone'))).toBe(true);
    screen.getByText(/21 of 21 reached/);
  });

  test('beyond a rule proposes as the reason that the clinic had cancelled', async () => {
    const { user, sent } = open([toCall()], {
      deskBook: ({ body }) =>
        'overrideReason' in (body as object) ? placed : refused('oneEachDay', 'One a day.'),
    });
    await user.click(await button('Rebook, Morgan, Casey'));
    await user.click(await screen.findByRole('option', { name: /10:30/ }));
    await user.click(await button('Book this time'));
    await user.click(await button('Book all the same'));
    await screen.findByText(/^Booked:/);
    expect(sent('deskBook')).toMatchObject([{}, { overrideReason: 'clinicMoved' }]);
  });

  test('is left by Escape while the call is noted, which is told in its row', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    const { user, sent } = open([toCall()], {
      deskBook: () => placed,
      deskNoteCall: () => promise,
    });
    await user.click(await button('Rebook, Morgan, Casey'));
    await user.click(await screen.findByRole('option', { name: /10:30/ }));
    await user.click(await button('Book this time'));
    await screen.findByText(/^Booked:/);
    await waitFor(() => expect(sent('deskNoteCall')).toMatchObject([{ outcome: 'reached' }]));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await act(async () => answer());
    await screen.findByText('Noted: Reached.');
  });

  test('is offered to whom an email told, and notes no call', async () => {
    const { user, sent } = open([closingEntry()], { deskBook: () => placed });
    await user.click(await button('Rebook, Morgan, Casey'));
    await user.click(await screen.findByRole('option', { name: /10:30/ }));
    await user.click(await button('Book this time'));
    await screen.findByText(/^Booked:/);
    expect(sent('deskNoteCall')).toEqual([]);
  });
});

const rowOf = (element: HTMLElement): HTMLElement => element.closest('tr') ?? element;
