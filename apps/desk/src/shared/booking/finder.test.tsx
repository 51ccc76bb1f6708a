import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openDesk } from '../../testing/desk.tsx';
import { booking } from '../../testing/records.ts';

const casey = {
  patientId: null,
  recordId: 'P-1',
  name: 'Morgan, Casey',
  birthDate: '1984-05-17',
};
const kaycee = { ...casey, recordId: 'P-2', name: 'Morgan, Kaycee' };

async function look(patients: readonly (typeof casey)[]) {
  const desk = openDesk('/schedule', {
    ...booking,
    deskFindPatients: () => ({
      patients: [...patients],
      hasMore: false,
      soundsLike: [kaycee],
      hasEmr: false,
    }),
  });
  await screen.findByRole('button', { name: 'Find patient' });
  await desk.user.keyboard('{Control>}k{/Control}casey{Enter}');
  return within(await screen.findByRole('list', { name: 'Sounds like' }));
}

// Shows: S-18, R-121
test('Who only sounds like what was typed stands apart, beneath a heading', async () => {
  const list = await look([casey]);
  expect(screen.getByRole('heading', { name: 'Sounds like' })).toBeTruthy();
  expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Morgan, Kayceeborn 1984-05-17record P-2, no account',
  ]);
  const found = within(screen.getByRole('list', { name: 'Patients found' }));
  expect(document.activeElement).toBe(found.getByRole('button'));
});

// Shows: S-18, R-121
test('Where nobody fits, Enter once more does not take who only sounds so', async () => {
  const list = await look([]);
  expect(screen.getByText(/^Nobody was found/)).toBeTruthy();
  expect(document.activeElement).not.toBe(list.getByRole('button'));
});

// Shows: S-18, R-121
test('Other words that are sent while the first are looked for are looked for, and the first are forgotten', async () => {
  let answerFirst = (): void => {};
  const desk = openDesk('/schedule', {
    ...booking,
    deskFindPatients: async ({ body }) => {
      const { text } = body as { text: string };
      if (text === 'cas') await new Promise<void>((done) => void (answerFirst = done));
      const patients = [text === 'cas' ? casey : kaycee];
      return { patients, hasMore: false, soundsLike: [], hasEmr: false };
    },
  });
  await screen.findByRole('button', { name: 'Find patient' });
  await desk.user.keyboard('{Control>}k{/Control}cas{Enter}{Enter}');
  const field = screen.getByLabelText(/^Name, birth date/);
  await desk.user.clear(field);
  await desk.user.type(field, 'kay');
  // Nobody types three letters so soon that a second Enter is half of a double press.
  await desk.user.click(screen.getByRole('button', { name: 'Find' }));
  const found = await screen.findByRole('button', { name: /^Morgan, Kaycee/ });
  await act(async () => answerFirst());
  expect(document.activeElement).toBe(found);
  expect(screen.queryByRole('button', { name: /^Morgan, Casey/ })).toBeNull();
  expect(desk.sent('deskFindPatients')).toEqual([{ text: 'cas' }, { text: 'kay' }]);
});
