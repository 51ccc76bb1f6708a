import type { CallAnswer } from '@clinic/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Handlers, NOW, managerSession, openDesk, refused } from '../../testing/desk.tsx';
import { ID, booking, patient } from '../../testing/records.ts';

type Waiting = CallAnswer<'deskPatientsWaiting'>['extras'];
const nobody: Waiting = { documents: [], waiting: 0, next: null, bounced: [] };
const casey = { patientId: ID, name: 'Morgan, Casey', at: NOW - 86_400 };

const openPatients = (waiting: Waiting = nobody, handlers: Handlers = {}) =>
  openDesk('/patients', {
    ...patient(),
    ...booking,
    deskPatientsWaiting: () => waiting,
    ...handlers,
  });
const find = async ({ user }: ReturnType<typeof openPatients>, text: string) =>
  user.type(await screen.findByLabelText(/^Name, birth date/), `${text}{Enter}`);

// Shows: S-18
describe('The search of patients', () => {
  test('finds somebody, who has the focus and is opened by Enter; it stands there still on the way back', async () => {
    const desk = openPatients();
    await find(desk, 'mor');
    const found = await screen.findByRole('button', { name: /^Morgan, Casey/ });
    expect(found.textContent).toContain('born 1984-05-17');
    await waitFor(() => expect(document.activeElement).toBe(found));
    expect(desk.sent('deskFindPatients')).toEqual([{ text: 'mor' }]);
    await desk.user.keyboard('{Enter}');
    await screen.findByRole('heading', { level: 1, name: /Casey Morgan/ });
    expect(location.pathname).toBe(`/desk/patients/${ID}`);
    history.back();
    await screen.findByRole('button', { name: /^Morgan, Casey/ });
    expect(screen.getByLabelText<HTMLInputElement>(/^Name, birth date/).value).toBe('mor');
    expect(desk.sent('deskFindPatients')).toHaveLength(1);
  });

  test('says who has no account, and opens their record', async () => {
    const desk = openPatients(nobody, {
      deskFindPatients: () => ({
        patients: [
          { patientId: null, recordId: '5001', name: 'Morgan, Casey', birthDate: '1984-05-17' },
        ],
        hasMore: true,
      }),
    });
    await find(desk, 'mor');
    const found = await screen.findByRole('button', { name: /^Morgan, Casey/ });
    expect(found.textContent).toContain('no account');
    screen.getByText('There are more. Type more of the name, or a birth date.');
    await desk.user.click(found);
    await waitFor(() => expect(location.pathname).toBe('/desk/patients/5001'));
  });

  test('says that nobody was found', async () => {
    const desk = openPatients(nobody, {
      deskFindPatients: () => ({ patients: [], hasMore: false }),
    });
    await find(desk, 'xyz');
    const says = await screen.findByText(/^Nobody was found\. Try fewer words/);
    expect(says.closest('[role="status"]')).not.toBeNull();
    expect(desk.sent('deskFindPatients')).toEqual([{ text: 'xyz' }]);
  });

  test('that fails says why, never that nobody was found', async () => {
    const desk = openPatients(nobody, {
      deskFindPatients: () => refused('serviceBusy', 'It is busy.'),
    });
    await find(desk, 'mor');
    await screen.findByText('It is busy.');
    expect(screen.queryByText(/^Nobody was found/)).toBeNull();
  });

  test('offers a new record, and who waits, to those alone who may see to them', async () => {
    const desk = openPatients(nobody, {
      deskSession: () => ({ ...managerSession, roles: ['auditor' as const, 'clinician' as const] }),
    });
    await screen.findByRole('heading', { name: 'Patients' });
    expect(screen.queryByRole('button', { name: 'New patient' })).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Waiting for somebody to look' })).toBeNull();
    expect(desk.sent('deskPatientsWaiting')).toEqual([]);
  });
});

// Shows: S-18
describe('Who waits on the page of patients', () => {
  test('is nobody, which is said', async () => {
    openPatients();
    await screen.findByText(/^No document waits, no email came back/);
    expect(screen.queryByRole('list', { name: /./ })).toBeNull();
  });

  test('stands under what they wait for, with the way to their record', async () => {
    openPatients({
      ...nobody,
      documents: [{ ...casey, purpose: 'healthCard' }],
      waiting: 1,
      bounced: [{ ...casey, name: 'Lee, Robin' }],
      toCall: [{ ...casey, name: 'Ito, Ada' }],
    });
    const listed = async (name: string) =>
      within(await screen.findByRole('list', { name })).getByRole('listitem').textContent;
    expect(await listed('Documents to look at (1)')).toBe(
      'Morgan, CaseyHealth cardsince Sun Nov 22',
    );
    expect(await listed('Emails that came back')).toBe('Lee, Robinsince Sun Nov 22');
    expect(await listed('To call: the email address is in doubt')).toContain('Ito, Ada');
    const link = screen.getByRole('link', { name: 'Morgan, Casey' });
    expect(link.getAttribute('href')).toBe(`/desk/patients/${ID}`);
    expect(screen.queryByText(/^No document waits/)).toBeNull();
    expect(screen.queryByRole('navigation', { name: 'Pages of documents' })).toBeNull();
  });

  test('is turned page by page, and back to the longest waiting', async () => {
    const next = `1.${ID}`;
    const { user, sent } = openPatients(nobody, {
      deskPatientsWaiting: ({ body }) => {
        const isFirst = !('after' in Object(body));
        const name = isFirst ? 'Morgan, Casey' : 'Lee, Robin';
        const documents = [{ ...casey, name, purpose: 'healthCard' as const }];
        return { ...nobody, documents, waiting: 51, next: isFirst ? next : null };
      },
    });
    await screen.findByRole('link', { name: 'Morgan, Casey' });
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByRole('link', { name: 'Lee, Robin' });
    expect(screen.getByRole('button', { name: 'Next' }).hasAttribute('disabled')).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Longest waiting' }));
    await screen.findByRole('link', { name: 'Morgan, Casey' });
    expect(sent('deskPatientsWaiting').slice(0, 2)).toEqual([{}, { after: next }]);
  });

  test('is not known where the service fails, which is no word of nobody, until tried again', async () => {
    let isUp = false;
    const { user } = openPatients(nobody, {
      deskPatientsWaiting: () => (isUp ? nobody : refused('bug', 'Gone wrong.')),
    });
    await screen.findByText('Gone wrong.');
    expect(screen.queryByText(/^No document waits/)).toBeNull();
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText(/^No document waits/);
  });
});

const record = { patientId: null, name: 'Morgan, Casey', birthDate: '1984-05-17' };
const pair = {
  one: { ...record, recordId: '5001' },
  other: { ...record, recordId: '5002', patientId: ID },
  at: NOW,
};

// Shows: S-18
describe('Two records that may be of one person', () => {
  const press = async ({ user }: ReturnType<typeof openPatients>) =>
    user.click(await screen.findByRole('button', { name: 'Two persons: records 5001 and 5002' }));

  test('are told apart for good, and stand there no more', async () => {
    let pairs = [pair];
    const desk = openPatients(nobody, {
      deskPatientsWaiting: () => ({ ...nobody, pairs }),
      deskTellApart: () => {
        pairs = [];
      },
    });
    await press(desk);
    await waitFor(() => expect(screen.queryByText('May be the same person')).toBeNull());
    expect(desk.sent('deskTellApart')).toEqual([{ one: '5001', other: '5002' }]);
  });

  test('stay where it is not known whether they were told apart, which is said', async () => {
    const desk = openPatients(nobody, {
      deskPatientsWaiting: () => ({ ...nobody, pairs: [pair] }),
      deskTellApart: () => {
        throw new Error('No answer');
      },
    });
    await press(desk);
    await screen.findByText(/not known whether this is done/);
    screen.getByRole('heading', { name: 'May be the same person' });
    expect(screen.queryByText(/^Noted: records/)).toBeNull();
  });
});
