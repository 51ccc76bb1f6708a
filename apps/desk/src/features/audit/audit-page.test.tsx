import type { ApiTrailEntry } from '@clinic/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Handlers, NOW, managerSession, openDesk, refused } from '../../testing/desk.tsx';
import { ID, exportWaiting } from '../../testing/records.ts';
import { savedFiles } from '../../testing/saved-files.ts';
import { readTable } from '../../testing/tables.ts';

const party = (kind: string, id: string | null = null, name: string | null = null) => ({
  kind,
  id,
  name,
});
const entry = (more: Partial<ApiTrailEntry> = {}): ApiTrailEntry => ({
  id: 1,
  at: NOW,
  actor: party('staff', ID, 'Robin Lee'),
  action: 'appointment opened',
  subject: party('appointment', ID, 'Morgan, Casey'),
  start: null,
  details: [],
  ...more,
});
const page = (next: string | null = null, ...entries: ApiTrailEntry[]) => ({ entries, next });
const staff: Handlers = {
  deskAuditStaff: () => ({
    staff: [
      { id: ID, name: 'Robin Lee', email: 'robin@b.example', isClosed: false },
      { id: '2', name: 'Sam Poe', email: 'sam@b.example', isClosed: true },
    ],
  }),
};
const WEEK = { from: '2026-11-17' };

afterEach(() => vi.restoreAllMocks());

// Shows: S-14, S-18
describe('The words of the trail', () => {
  const said = async (more: Partial<ApiTrailEntry>) => {
    openDesk('/audit', { ...staff, deskAuditTrail: () => page(null, entry(more)) });
    return (await readTable('Entries of the audit trail'))[1]?.slice(1);
  };

  test('say who did what to whom, when and why', async () => {
    openDesk('/audit', {
      ...staff,
      deskAuditTrail: () =>
        page(
          null,
          entry({
            start: NOW + 86_400,
            details: [
              { name: 'lookReason', value: 'patientCalled' },
              { name: 'overrideReason', value: 'urgent' },
              { name: 'means', value: 'cash' },
              { name: 'from', value: '2026-11-15' },
              { name: 'device', value: '' },
              { name: 'wantedBy', value: 'clinic' },
              { name: 'roles', value: '["manager","auditor"]' },
              { name: 'by', value: 'passkey' },
              { name: 'cents', value: '7500' },
              { name: 'start', value: String(NOW) },
              { name: 'movedFrom', value: String(NOW) },
              { name: 'type', value: '["Walk-in"' },
              { name: 'unheard', value: 'of' },
            ],
          }),
        ),
    });
    expect(await readTable('Entries of the audit trail')).toEqual([
      ['When', 'Who', 'What', 'Of what', 'Details'],
      [
        'Mon Nov 23 2026 10:00',
        'Robin Lee',
        'Appointment opened',
        'Appointment, Morgan, Casey, Tue Nov 24 2026 10:00',
        'Reason: The patient called · Reason: It is urgent · Paid by: cash · From: Sun Nov 15 2026 · Wanted by: The clinic · Roles: Manager; Auditor · By: passkey · Amount: CAD 75.00 · Time: Mon Nov 23 2026 10:00 · Moved from: Mon Nov 23 2026 10:00 · Type: ["Walk-in" · unheard: of',
      ],
    ]);
  });

  test.each([
    ['rules overridden', 'It is urgent', 'urgent'],
    ['rules overridden', 'Agreed with the patient', 'other'],
    ['fee waived', 'Another reason', 'other'],
    ['refund asked for', 'It was charged by mistake', 'mistake'],
  ])('of %s give the reason that it was done for: %s', async (action, says, value) => {
    expect((await said({ action, details: [{ name: 'reason', value }] }))?.[3]).toBe(
      `Reason: ${says}`,
    );
  });

  test.each<[string, ApiTrailEntry['actor'], string]>([
    ['the command line, and who was at it', party('clinic', 'desk'), 'Command line (desk)'],
    ['the service', party('system'), 'The service'],
    ['a patient whose name is not known, without an id', party('patient', ID), 'Patient'],
    ['a kind that has no words', party('robot', '7'), 'Robot (7)'],
  ])('name as the one who did it %s', async (_, actor, says) => {
    expect((await said({ actor }))?.[0]).toBe(says);
  });

  test.each<[string, ApiTrailEntry['subject'], string]>([
    ['a record by its number', party('record', '5001'), 'Record 5001'],
    ['a day in words', party('day', '2026-11-21'), 'Day Sat Nov 21 2026'],
    ['a thing without a name by its kind', party('message', ID), 'Message'],
    ['all of a kind', party('patients', 'all'), 'Patients'],
    ['a kind that has no words', party('gadget', 'x'), 'Gadget x'],
  ])('name as what it was done to %s', async (_, subject, says) => {
    expect((await said({ subject }))?.[2]).toBe(says);
  });
});

// Shows: S-14, S-18
describe('Which entries are shown', () => {
  test('of the last week, then of a colleague and days; those who left are marked', async () => {
    const { user, sent } = openDesk('/audit', {
      ...staff,
      deskAuditTrail: () => page('1.1', entry()),
    });
    const who = await screen.findByLabelText('Done by');
    await within(who).findByRole('option', { name: 'Sam Poe (has left)' });
    await user.selectOptions(who, 'Robin Lee');
    const [from, to] = [screen.getByLabelText('From'), screen.getByLabelText('To')];
    await user.clear(from);
    await user.type(to, '2026-11-20');
    expect(sent('deskAuditTrail')).toEqual([WEEK]);
    await user.click(screen.getByRole('button', { name: 'Show' }));
    await waitFor(() =>
      expect(sent('deskAuditTrail')).toEqual([WEEK, { staffId: ID, to: '2026-11-20' }]),
    );
  });

  test('what is chosen while an answer is under way can be shown at once', async () => {
    const { user, sent } = openDesk('/audit', {
      ...staff,
      deskAuditTrail: ({ body }) =>
        'to' in Object(body) ? new Promise(() => {}) : page(null, entry()),
    });
    const to = await screen.findByLabelText<HTMLInputElement>('To');
    await screen.findByRole('table');
    for (const day of ['2026-11-20', '2026-11-19']) {
      await user.clear(to);
      await user.type(to, day);
      await user.click(screen.getByRole('button', { name: 'Show' }));
    }
    await waitFor(() =>
      expect(sent('deskAuditTrail').slice(1)).toEqual([
        { ...WEEK, to: '2026-11-20' },
        { ...WEEK, to: '2026-11-19' },
      ]),
    );
  });

  test('a day that is none is said beside its field, and nothing is asked', async () => {
    const { user, sent } = openDesk('/audit', {
      ...staff,
      deskAuditTrail: () => page(null, entry()),
    });
    const to = await screen.findByLabelText<HTMLInputElement>('To');
    const table = await screen.findByRole('table');
    await user.type(to, '9999-12-31');
    expect(to.getAttribute('aria-invalid')).not.toBe('true');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    expect(to.getAttribute('aria-invalid')).toBe('true');
    screen.getByText(/^Please enter a day of the calendar/);
    await user.clear(to);
    await user.type(to, '2026-11-20');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    await waitFor(() =>
      expect(sent('deskAuditTrail')).toEqual([WEEK, { ...WEEK, to: '2026-11-20' }]),
    );
    // What cannot be asked would have taken its place.
    expect(table.isConnected).toBe(true);
  });

  test.each([
    ['with an account by it', ID, { patientId: ID }],
    ['without one by the record', null, { recordId: '5001' }],
  ])('of a patient %s, and of all again', async (_, patientId, whose) => {
    const { user, sent } = openDesk('/audit', {
      ...staff,
      deskAuditTrail: () => page(null, entry()),
      deskFindPatients: () => ({
        patients: [{ patientId, recordId: '5001', name: 'Morgan, Casey', birthDate: '1984-05-17' }],
        hasMore: false,
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'Choose a patient' }));
    const find = within(screen.getByRole('dialog'));
    await user.type(find.getByRole('textbox'), 'mor{Enter}');
    await user.click(await find.findByRole('button', { name: /^Morgan, Casey/ }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await screen.findByRole('table', { name: 'Entries about Morgan, Casey' });
    await user.click(screen.getByRole('button', { name: 'All patients again' }));
    await screen.findByRole('table', { name: 'Entries of the audit trail' });
    screen.getByRole('button', { name: 'Choose a patient' });
    expect(sent('deskAuditTrail')).toEqual([WEEK, { ...WEEK, ...whose }, WEEK]);
  });

  test('none, where there is none', async () => {
    openDesk('/audit', { ...staff, deskAuditTrail: () => page() });
    await screen.findByText('There is no such entry.');
    expect(screen.queryByRole('navigation', { name: 'Pages of the trail' })).toBeNull();
  });

  test('a trail that cannot be loaded says so, and is there once tried again', async () => {
    let isUp = false;
    const { user } = openDesk('/audit', {
      ...staff,
      deskAuditTrail: () => (isUp ? page(null, entry()) : refused('serviceBusy', 'It is busy.')),
    });
    expect((await screen.findByRole('alert')).textContent).toContain('It is busy.');
    expect(screen.queryByText('There is no such entry.')).toBeNull();
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('table', { name: 'Entries of the audit trail' });
  });
});

test('Colleagues to choose from that cannot be loaded are told of, and are there once tried again', async () => {
  let isUp = false;
  const { user } = openDesk('/audit', {
    deskAuditStaff: (request) =>
      isUp && staff.deskAuditStaff
        ? staff.deskAuditStaff(request)
        : refused('serviceBusy', 'It is busy.'),
    deskAuditTrail: () => page(null, entry()),
  });
  expect((await screen.findByRole('alert')).textContent).toContain('It is busy.');
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('option', { name: 'Robin Lee' });
  expect(screen.queryByRole('alert')).toBeNull();
});

// Shows: S-18
test('Older entries come a page at a time, the table has the focus, and other days begin anew', async () => {
  const { user, sent } = openDesk('/audit', {
    ...staff,
    deskAuditTrail: ({ body }) => {
      const { after } = body as { after?: string };
      return after === undefined
        ? page('9.1', entry({ action: 'message read' }))
        : page(null, entry({ action: 'message started' }));
    },
  });
  const button = (name: string) => screen.findByRole('button', { name });
  const isOff = async (name: string) => (await button(name)).hasAttribute('disabled');
  await screen.findByText('Message read');
  expect([await isOff('Newest'), await isOff('Older')]).toEqual([true, false]);
  await user.click(await button('Older'));
  await screen.findByText('Message started');
  expect(document.activeElement).toBe(
    screen.getByRole('group', { name: 'Entries of the audit trail' }),
  );
  expect([await isOff('Newest'), await isOff('Older')]).toEqual([false, true]);
  await user.type(screen.getByLabelText('To'), '2026-11-20');
  await user.click(await button('Show'));
  await screen.findByText('Message read');
  expect(sent('deskAuditTrail')).toEqual([
    WEEK,
    { ...WEEK, after: '9.1' },
    { ...WEEK, to: '2026-11-20' },
  ]);
});

// Shows: S-14, S-18
describe('The trail as a file', () => {
  const trail: Handlers = { ...staff, deskAuditTrail: () => page(null, entry()) };

  test('asks for a fresh code, and then saves what is shown', async () => {
    const files = savedFiles();
    let isRecent = false;
    const { user, sent } = openDesk('/audit', {
      ...trail,
      deskUnlock: () => {
        isRecent = true;
        return managerSession;
      },
      deskExportAudit: () =>
        isRecent ? { name: 'audit-trail.csv', csv: 'time,who' } : refused('factorNeeded'),
    });
    await user.click(await screen.findByRole('button', { name: 'Save as CSV' }));
    const asks = within(
      await screen.findByRole('dialog', { name: 'Please confirm that it is you' }),
    );
    expect(files).toEqual([]);
    await user.type(asks.getByLabelText('Code of your app'), '123456{Enter}');
    await screen.findByText('The file is saved. That it was is recorded.');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent('deskExportAudit')).toEqual([WEEK, WEEK]);
    expect(files.map(({ name }) => name)).toEqual(['audit-trail.csv']);
    expect(await files[0]?.text).toBe('time,who');
  });

  test('is not saved where the code is left, and says so', async () => {
    const files = savedFiles();
    const says = 'Please show a code.';
    const { user, sent } = openDesk('/audit', {
      ...trail,
      deskExportAudit: () => refused('factorNeeded', says),
    });
    await user.click(await screen.findByRole('button', { name: 'Save as CSV' }));
    await user.click(await screen.findByRole('button', { name: 'Leave it' }));
    expect((await screen.findByRole('alert')).textContent).toBe(says);
    expect([files, sent('deskExportAudit')]).toEqual([[], [WEEK]]);
  });

  test('of colleagues, and invitations, are not among one’s own files', async () => {
    openDesk('/audit', {
      ...trail,
      deskWaiting: () => ({
        acts: [
          { ...exportWaiting, state: 'ready' },
          { ...exportWaiting, act: 'invite', isOwn: true, invited: { name: 'Kim', email: 'k@b' } },
        ],
      }),
    });
    await screen.findByRole('table');
    await screen.findAllByText(/Kim/);
    expect(screen.queryByRole('heading', { name: 'Your files of many people' })).toBeNull();
  });

  test('that waits may be ready where the service does not say, which is said', async () => {
    openDesk('/audit', { ...trail, deskWaiting: () => refused('bug', 'Gone wrong.') });
    expect(await screen.findByText('Gone wrong.')).toBeTruthy();
  });

  test('is not offered to those who may not take it along', async () => {
    openDesk('/audit', {
      ...trail,
      deskSession: () => ({ ...managerSession, roles: ['auditor'] }),
    });
    await screen.findByRole('table');
    expect(screen.queryByRole('button', { name: 'Save as CSV' })).toBeNull();
  });
});
