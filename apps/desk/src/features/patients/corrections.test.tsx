import type { CallAnswer } from '@clinic/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, casey, openDesk, refused } from '../../testing/desk.tsx';

type Patient = CallAnswer<'deskOpenPatient'>['extras'];

const account: NonNullable<Patient['account']> = {
  id: '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01',
  email: 'casey@clinic.example',
  phones: [],
  address: '',
  language: 'en',
  eligibility: 'E',
  withoutTypes: ['V'],
  block: 'none',
  blockReason: null,
  closedAt: null,
  bounce: null,
  createdAt: NOW,
};

test('who corrects what a colleague has just corrected sees it, keeps what they typed, and chooses', async () => {
  let patient = { ...casey, formVersion: 'first' };
  const saidOfForm: (string | null)[][] = [];
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => patient,
    deskCorrectPatient: ({ headers }) => {
      saidOfForm.push([headers.get('x-form-version'), headers.get('x-changed')]);
      const isNewest = headers.get('x-form-version') === patient.formVersion;
      return isNewest ? undefined : refused('changedMeanwhile', 'Changed.');
    },
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Correct details' }));
  const dialog = within(screen.getByRole('dialog'));
  await desk.user.click(dialog.getAllByRole('radio')[0] as HTMLElement);
  const lastName = dialog.getByLabelText<HTMLInputElement>('Last name');
  await desk.user.type(lastName, '-Smith');
  const there = { firstName: 'Kasey', lastName: 'Morgan-Hale' };
  patient = { ...casey, ...there, formVersion: 'second' };
  const save = () => desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  await save();
  expect((await dialog.findByRole('alert')).textContent).toBe('Changed.');
  const choice = await dialog.findByRole('group', { name: 'Last name, as saved now:' });
  expect(choice.textContent).toContain('Morgan-Hale');
  expect(lastName.value).toBe('Morgan-Smith');
  // What was not typed here follows.
  expect(dialog.getByLabelText<HTMLInputElement>('First name').value).toBe('Kasey');
  await save();
  await dialog.findByText('Please choose what to save');
  await desk.user.click(within(choice).getByRole('button', { name: 'Keep mine' }));
  await save();
  await screen.findByText('Corrected.');
  expect(saidOfForm).toEqual([
    ['first', 'lastName'],
    ['second', 'lastName'],
  ]);
  expect(desk.sent('deskCorrectPatient')).toMatchObject([
    { lastName: 'Morgan-Smith' },
    { firstName: 'Kasey', lastName: 'Morgan-Smith' },
  ]);
});

test('what a colleague sets meanwhile is shown in an open dialog, and is asked about where both set it', async () => {
  const types = [
    { code: 'O', description: 'In-person visit' },
    { code: 'V', description: 'Private visit' },
  ];
  let own = { ...account, withoutTypes: [] as string[] };
  let formVersion = 'first';
  const saidOfForm: (string | null)[][] = [];
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, account: own, types, formVersion }),
    deskChangePatient: ({ headers }) => {
      saidOfForm.push([headers.get('x-form-version'), headers.get('x-changed')]);
      const isNewest = headers.get('x-form-version') === formVersion;
      return isNewest ? undefined : refused('changedMeanwhile', 'Changed.');
    },
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Change' }));
  const dialog = within(screen.getByRole('dialog'));
  await desk.user.click(dialog.getByLabelText('In-person visit'));
  own = { ...own, withoutTypes: ['V'], eligibility: 'R' };
  formVersion = 'second';
  await desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  const choice = await dialog.findByRole('group', { name: /^Not offered, as saved now:/ });
  expect(choice.textContent).toContain('Private visit');
  expect(dialog.getByLabelText<HTMLSelectElement>('Eligibility').value).toBe('R');
  await desk.user.click(within(choice).getByRole('button', { name: 'Use what is saved' }));
  expect(dialog.getByLabelText<HTMLInputElement>('In-person visit').checked).toBe(false);
  await desk.user.click(dialog.getByLabelText('In-person visit'));
  await desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(desk.sent('deskChangePatient')).toEqual([
    { withoutTypes: ['O'] },
    { withoutTypes: ['O', 'V'] },
  ]);
  expect(saidOfForm).toEqual([
    ['first', 'withoutTypes'],
    ['second', 'withoutTypes'],
  ]);
});

test('a block that a colleague has set meanwhile is shown before another takes its place', async () => {
  let own: typeof account = account;
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, account: own }),
    deskBlockPatient: () => refused('changedMeanwhile', 'Changed.'),
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Block' }));
  const dialog = within(screen.getByRole('dialog'));
  await desk.user.type(dialog.getByLabelText('Why?'), 'Did not come');
  own = { ...account, block: 'account', blockReason: 'Insults' };
  await desk.user.click(dialog.getByRole('button', { name: 'Block' }));
  const choice = await dialog.findByRole('group', { name: /as saved now:$/ });
  expect(choice.textContent).toContain('Insults');
  await desk.user.click(dialog.getByRole('button', { name: 'Block' }));
  await dialog.findByText('Please choose what to save');
  expect(desk.sent('deskBlockPatient')).toHaveLength(1);
  await desk.user.click(within(choice).getByRole('button', { name: 'Use what is saved' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

// Shows: R-52
test('an appointment that was moved says where it went', async () => {
  const start = NOW - 86_400;
  const appointments = [
    {
      id: '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c02',
      start,
      end: start + 300,
      description: 'In-person visit',
      provider: null,
      state: 'rescheduled' as const,
      movedTo: NOW + 86_400,
    },
  ];
  openDesk('/patients/5001', { deskOpenPatient: () => ({ ...casey, appointments }) });
  expect(await screen.findByRole('cell', { name: /^Moved to / })).toBeTruthy();
});

test('who changes one of the offers leaves the others as a colleague may have set them', async () => {
  const types = [
    { code: 'O', description: 'In-person visit' },
    { code: 'V', description: 'Private visit' },
  ];
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, account, types }),
    deskChangePatient: () => {},
  });
  const change = async (how: () => Promise<void>) => {
    await desk.user.click(await screen.findByRole('button', { name: 'Change' }));
    await how();
    await desk.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await change(() => desk.user.click(screen.getByLabelText('In-person visit')));
  await change(() => desk.user.selectOptions(screen.getByLabelText('Eligibility'), 'R'));
  expect(desk.sent('deskChangePatient')).toEqual([
    { withoutTypes: ['O', 'V'] },
    { eligibility: 'R' },
  ]);
});

test('a change is not left while it is under way, and without an answer the page shows what is so', async () => {
  let block: 'none' | 'booking' = 'none';
  const lost = Promise.withResolvers<never>();
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => {
      const blockReason = block === 'none' ? null : 'Insults';
      return { ...casey, account: { ...account, block, blockReason } };
    },
    deskBlockPatient: () => {
      block = 'booking';
      return lost.promise;
    },
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Block' }));
  const dialog = within(screen.getByRole('dialog'));
  await desk.user.type(dialog.getByLabelText('Why?'), 'Insults');
  await desk.user.click(dialog.getByRole('button', { name: 'Block' }));
  await dialog.findByText('Blocking');
  await desk.user.click(dialog.getByRole('button', { name: 'Leave it' }));
  await desk.user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).not.toBeNull();
  lost.reject(new Error('No answer'));
  await dialog.findByText(/not known whether this is done/);
  await screen.findByText('May not book; signs in, sees and cancels');
});

test.each([
  { notVisible: true as const, before: /may not sign in/, after: /still cannot sign in/ },
  { before: /sign in and book again/, after: /can sign in and book again/ },
])('the end of a block promises what follows: $after', async ({ before, after, ...access }) => {
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, account: { ...account, block: 'account', ...access } }),
    deskBlockPatient: () => ({ booksOnline: !access.notVisible }),
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Unblock' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(before)).toBeTruthy();
  await desk.user.click(dialog.getByRole('button', { name: 'Unblock' }));
  expect(await screen.findByText(after)).toBeTruthy();
});

test('an offer that is put back after a lost answer is sent, and nothing else is', async () => {
  let current = account;
  let isLost = true;
  const desk = openDesk('/patients/5001', {
    deskOpenPatient: () => ({ ...casey, account: current }),
    deskChangePatient: () => {
      // A colleague has changed something else by then.
      current = { ...account, eligibility: 'R', withoutTypes: [] };
      if (isLost) throw new Error('No answer');
    },
  });
  await desk.user.click(await screen.findByRole('button', { name: 'Change' }));
  const dialog = within(screen.getByRole('dialog'));
  await desk.user.selectOptions(dialog.getByLabelText('Eligibility'), 'R');
  await desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(/not known whether this is done/);
  await screen.findByText('Nothing, every type is offered');
  isLost = false;
  await desk.user.selectOptions(dialog.getByLabelText('Eligibility'), 'E');
  await desk.user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Changed.');
  expect(desk.sent('deskChangePatient')).toEqual([{ eligibility: 'R' }, { eligibility: 'E' }]);
});

// Shows: R-98
test('a consent says whether it was given online, or read out and by whom', async () => {
  const consent = { kind: 'general', version: '1.0', at: NOW };
  openDesk('/patients/5001', {
    deskOpenPatient: () => ({
      ...casey,
      account,
      consents: [
        { ...consent, readOutBy: 'Robin Lee' },
        { ...consent, at: NOW - 60, readOutBy: null },
      ],
    }),
  });
  const table = within(await screen.findByRole('table', { name: 'Consents given' }));
  expect(table.getAllByRole('row').map((row) => row.lastElementChild?.textContent)).toEqual([
    'How',
    'Read out by Robin Lee',
    'Online',
  ]);
});

test('an address that waits says from when on it counts, and who asked for it', async () => {
  const waits = { email: 'new@clinic.example', isProven: true, countsFrom: NOW + 86_400 };
  const addressChange = { ...waits, isStopped: false, isDone: false, isMailboxLost: false };
  openDesk('/patients/5001', {
    deskOpenPatient: () => ({
      ...casey,
      account,
      addressChange: { ...addressChange, askedBy: 'Robin Lee' },
    }),
  });
  const said = await screen.findByText(
    /^new@clinic\.example was confirmed, and counts from .*Nov.* 24.* on\./,
  );
  expect(said.textContent).toMatch(/Asked by Robin Lee\.$/);
});

test('a number dials with its country code, and one that cannot be right says so', async () => {
  const phones = ['6045550123', '+442079460958', '0000000000', '5555555555'];
  openDesk('/patients/5001', {
    deskOpenPatient: () => ({
      ...casey,
      account: { ...account, phones, wrongPhones: ['0000000000', '5555555555'] },
    }),
  });
  const contact = within(await screen.findByRole('region', { name: 'How to reach them' }));
  const dials = (name: string) => contact.getByRole('link', { name }).getAttribute('href');
  expect(dials('6045550123')).toBe('tel:+16045550123');
  expect(dials('+442079460958')).toBe('tel:+442079460958');
  for (const wrong of ['0000000000', '5555555555'])
    expect(screen.getByText(`${wrong} (no such number: please ask for it)`)).toBeTruthy();
});
