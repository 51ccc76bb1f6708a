import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { casey, openDesk, refused } from '../../testing/desk.tsx';

const SAME = { patientId: null, name: 'Morgan, Casey', birthDate: '1984-05-17' };
const likely = { ...SAME, recordId: '5001', hasCard: false };

/** Fills the form of a new patient and presses its button; what is sent of it is kept. */
async function openNew(answers: { likely: readonly object[][]; add?: readonly unknown[] }) {
  const sent: unknown[] = [];
  const looks = [...answers.likely];
  const adds = [...(answers.add ?? [])];
  const desk = openDesk('/patients', {
    deskPatientsWaiting: () => ({ documents: [], waiting: 0, next: null, bounced: [] }),
    deskLikelyPatients: () => ({ patients: (looks.shift() ?? []) as (typeof likely)[] }),
    deskAddPatient: ({ body }) => {
      sent.push(body);
      return (adds.shift() ?? { recordId: '6001' }) as { recordId: string };
    },
    deskOpenPatient: ({ params }) => ({ ...casey, recordId: params.id ?? '' }),
  });
  const { user } = desk;
  await user.click(await screen.findByRole('button', { name: 'New patient' }));
  await user.type(screen.getByLabelText(/First name/), 'Casey');
  await user.type(screen.getByLabelText(/Last name/), 'Morgan');
  await user.type(screen.getByLabelText(/Birth date/), '1984-05-17');
  await user.click(screen.getByRole('button', { name: 'Open the record' }));
  return { user, sent };
}
const question = async () =>
  within(await screen.findByRole('dialog', { name: 'Is it one of these?' }));

test('who is likely known is shown before a record is made, and one press opens theirs', async () => {
  const { user, sent } = await openNew({ likely: [[likely]] });
  await user.click((await question()).getByRole('button', { name: /^Morgan, Casey.*5001/ }));
  await screen.findByRole('heading', { name: 'Casey Morgan' });
  expect([location.pathname, sent]).toEqual(['/desk/patients/5001', []]);
});

test('another record is opened all the same, and says of whom it is not', async () => {
  const { user, sent } = await openNew({ likely: [[likely, { ...likely, recordId: '5002' }]] });
  await user.click((await question()).getByRole('button', { name: /^None of these/ }));
  await screen.findByRole('heading', { name: 'Casey Morgan' });
  expect(location.pathname).toBe('/desk/patients/6001');
  expect(sent).toMatchObject([{ firstName: 'Casey', apartFrom: ['5001', '5002'] }]);
});

test('the way back keeps what was typed, and other details are looked for anew', async () => {
  const { user, sent } = await openNew({ likely: [[likely], []] });
  await user.click((await question()).getByRole('button', { name: 'Back to the details' }));
  await user.type(screen.getByLabelText(/First name/), 'Ann');
  await user.click(screen.getByRole('button', { name: 'Open the record' }));
  await screen.findByRole('heading', { name: 'Casey Morgan' });
  expect(sent).toMatchObject([{ firstName: 'CaseyAnn', lastName: 'Morgan' }]);
});

test('whom a colleague adds at the same moment is shown as well', async () => {
  const { user, sent } = await openNew({ likely: [[], [likely]], add: [refused('likelyKnown')] });
  await user.click((await question()).getByRole('button', { name: /^None of these/ }));
  await screen.findByRole('heading', { name: 'Casey Morgan' });
  expect(sent).toMatchObject([{ firstName: 'Casey' }, { apartFrom: ['5001'] }]);
});

test.each([
  ['kaya lind', 'Kaya', 'Lind'],
  ['Lind, Kaya Mae', 'Kaya Mae', 'Lind'],
  ['Ana de la Cruz', 'Ana de la', 'Cruz'],
  ['van der berg, jo', 'Jo', 'Van Der Berg'],
  ['lind', '', 'Lind'],
  ['kaya lind 1948-09-14 9461382721', 'Kaya', 'Lind'],
])(
  'under whatever is found, a new patient takes the typed name: %s',
  async (typed, first, last) => {
    const { user } = openDesk('/patients', {
      deskPatientsWaiting: () => ({ documents: [], waiting: 0, next: null, bounced: [] }),
      deskFindPatients: () => ({ patients: [{ ...SAME, recordId: '5001' }], hasMore: false }),
    });
    await user.type(await screen.findByLabelText(/^Name, birth date/), `${typed}{Enter}`);
    await user.click(await screen.findByRole('button', { name: `New patient: ${typed}` }));
    const value = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
    expect([value(/First name/), value(/Last name/)]).toEqual([first, last]);
    expect(value(/Birth date/)).toBe(typed.includes('1948') ? '1948-09-14' : '');
    const empty = first === '' ? /First name/ : /Birth date/;
    if (!typed.includes('1948')) expect(document.activeElement).toBe(screen.getByLabelText(empty));
  },
);

test('Escape asks before it drops what was typed, and drops at once what only the search has brought', async () => {
  const { user } = openDesk('/patients', {
    deskPatientsWaiting: () => ({ documents: [], waiting: 0, next: null, bounced: [] }),
  });
  const opener = await screen.findByRole('button', { name: 'New patient' });
  await user.click(opener);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(opener);
  await user.keyboard('Kaya{Escape}');
  const asks = within(screen.getByRole('dialog', { name: 'Leave this form?' }));
  await user.click(asks.getByRole('button', { name: 'Go on typing' }));
  expect(screen.getByLabelText<HTMLInputElement>(/First name/).value).toBe('Kaya');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Drop it' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});
