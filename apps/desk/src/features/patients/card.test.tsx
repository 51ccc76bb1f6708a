import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { NOW, casey, openDesk, refused } from '../../testing/desk.tsx';
import {
  ID,
  alert,
  booking,
  bookingOptions,
  card,
  document,
  patient,
  sheet,
} from '../../testing/records.ts';

const contact = {
  id: ID,
  at: NOW,
  kind: 'home' as const,
  number: '+16045550177',
  whose: 'Pat, her mother',
  preferred: false,
  mayLeaveMessage: true,
};
const regions = async () => {
  await screen.findByRole('heading', { level: 1, name: 'Casey Morgan' });
  return screen.getAllByRole('region').map((each) => each.getAttribute('aria-labelledby'));
};
const region = (name: string) => within(screen.getByRole('region', { name }));

// Shows: S-18
test('The card of a patient has alerts, what is ahead, what is due, numbers, family, notes and messages, in this order', async () => {
  openDesk('/patients/5001', patient({ onCard: card() }));
  await regions();
  const names = screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent);
  expect(names.slice(0, 7)).toEqual([
    'Alerts',
    'Upcoming appointments',
    'Due',
    'How to reach them',
    'Family',
    'Notes',
    'Messages',
  ]);
  expect(region('Due').getByText('Nothing.')).toBeTruthy();
  expect(region('Family').getByText(/^Nobody has the same/)).toBeTruthy();
  expect(region('Notes').getByText('None yet.')).toBeTruthy();
  expect(region('Messages').getByText('They have written nothing.')).toBeTruthy();
});

test('A number of somebody without an account is dialled with two keys', async () => {
  const { user } = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, onCard: card({ contacts: [contact] }) }),
  });
  const name = await screen.findByRole('heading', { level: 1, name: 'Casey Morgan' });
  expect(window.document.activeElement).toBe(name);
  const dialled: (string | null)[] = [];
  const dial = (event: Event) => {
    event.preventDefault();
    dialled.push((event.target as Element).getAttribute('href'));
  };
  window.document.addEventListener('click', dial);
  onTestFinished(() => window.document.removeEventListener('click', dial));
  await user.keyboard('{Tab}{Enter}');
  expect(dialled).toEqual(['tel:+16045550177']);
});

test('A number that account and card have stands once, and says so', async () => {
  const phones = ['6045550177', '6045550188'];
  openDesk('/patients/5001', patient({ onCard: card({ contacts: [contact] }) }, { phones }));
  await regions();
  const numbers = region('How to reach them')
    .getAllByRole('link')
    .filter((link) => link.getAttribute('href')?.startsWith('tel:'));
  expect(numbers.map((link) => link.closest('li, div')?.textContent)).toEqual([
    '6045550188',
    expect.stringMatching(/^604-555-0177 home, Pat, her mother, .*, also in the account/),
  ]);
});

test('What is due leads to its appointment, and who is family to their card', async () => {
  const fee = { id: ID, start: NOW + 3_600, cents: 9_000 };
  const paid = { type: 'Short visit', oldCents: 5_000, newCents: 0, paidBy: 'clinic' as const };
  openDesk(
    '/patients/5001',
    patient({
      documents: [document],
      onCard: card({
        fees: [fee],
        overpaid: [{ ...paid, appointmentId: ID, start: fee.start }],
        consents: [fee],
        wishes: [
          {
            id: ID,
            at: NOW,
            kind: 'followUp',
            type: 'E',
            description: 'Short visit',
            providerId: '101',
            provider: 'Dr. A. Stone',
            from: null,
            to: '2026-12-04',
          },
        ],
        family: [
          {
            patientId: null,
            recordId: '5002',
            name: 'Morgan, Sam',
            age: 9,
            samePhone: true,
            sameAddress: true,
          },
        ],
      }),
    }),
  );
  await regions();
  const due = region('Due');
  const onSheet = `/desk/day/2026-11-23?appointment=${ID}`;
  expect(due.getByRole('link', { name: /^Fee of .*90\.00/ }).getAttribute('href')).toBe(onSheet);
  const back = due.getByRole('link', { name: /^Fee of .*50.* paid for .*may give it back$/ });
  expect(back.getAttribute('href')).toBe(onSheet);
  expect(due.getByRole('link', { name: /^Texts to read out/ }).getAttribute('href')).toBe(onSheet);
  expect(due.getByText('Health card: nobody has looked yet')).toBeTruthy();
  expect(due.getByText(/^Follow-up: Short visit, Dr. A. Stone, until/)).toBeTruthy();
  const sam = region('Family').getByRole('link', { name: 'Morgan, Sam, 9' });
  expect(sam.getAttribute('href')).toBe('/desk/patients/5002');
  expect(region('Family').getByText('same phone number, same address')).toBeTruthy();
});

test('A note is struck and put back, and another takes its place when it is changed', async () => {
  const { user, sent } = openDesk('/patients/5001', {
    ...patient({ onCard: card({ notes: [alert] }) }),
    deskStrikeOnCard: () => {},
    deskNoteOnCard: () => {},
  });
  await user.click(await screen.findByRole('button', { name: 'Strike: Deaf in the left ear.' }));
  await user.click(await screen.findByRole('button', { name: 'Put back' }));
  expect(await screen.findByText('Put back: Deaf in the left ear.')).toBeTruthy();
  expect(sent('deskStrikeOnCard')).toEqual([
    { of: 'note', isStruck: true },
    { of: 'note', isStruck: false },
  ]);
  await user.click(screen.getByRole('button', { name: 'Change: Deaf in the left ear.' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText('Text'), ' Speak up.');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Noted.')).toBeTruthy();
  expect(sent('deskNoteOnCard')).toEqual([
    { kind: 'alert', text: 'Deaf in the left ear. Speak up.', replaces: ID },
  ]);
});

test('What a colleague has changed or struck meanwhile is kept beside theirs, once that was said', async () => {
  let notes = [alert];
  const { user, sent } = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, onCard: card({ notes }) }),
    deskNoteOnCard: ({ body }) => {
      if (!('replaces' in Object(body))) return undefined;
      notes = [{ ...alert, id: ID.replace(/.$/, '9'), text: 'Deaf in both ears.' }];
      return refused('changedMeanwhile', 'A colleague was first.');
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Change: Deaf in the left ear.' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText('Text'), ' Speak up.');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(/no longer on the card/)).toBeTruthy();
  expect(screen.getByText('Deaf in both ears.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Noted.')).toBeTruthy();
  const written = { kind: 'alert', text: 'Deaf in the left ear. Speak up.' };
  expect(sent('deskNoteOnCard')).toEqual([{ ...written, replaces: ID }, written]);
});

test('Numbers are read only where an EMR keeps them', async () => {
  openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, isInEmr: true, onCard: card({ contacts: [contact] }) }),
  });
  await regions();
  expect(region('How to reach them').getAllByRole('link')).toHaveLength(1);
  expect(region('How to reach them').getByText(/changed there only/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add a number' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Add a note' })).toBeTruthy();
});

test('Alerts stand above the times of whoever books, and are read out', async () => {
  const { user } = openDesk('/day/2026-11-23', {
    ...sheet(),
    ...booking,
    deskBookingOptions: () => ({ ...bookingOptions, alerts: ['Shouts.'] }),
  });
  await screen.findByRole('button', { name: 'Find patient' });
  await user.keyboard('{Control>}k{/Control}mor{Enter}');
  await user.click(await screen.findByRole('button', { name: /^Morgan, Casey/ }));
  const time = await screen.findByRole('option', { name: /10:30/ });
  const said = within(screen.getByRole('alert')).getByText('Shouts.');
  expect(said.compareDocumentPosition(time)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(window.document.activeElement?.closest('[role=alert]')).toBeNull();
});
