import type { ApiSuggestion } from '@clinic/contract';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Handlers, NOW, openDesk, refused } from '../../testing/desk.tsx';

const PATH = '/messages/suggestions';
const ONE = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';
const TWO = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c02';
const PICTURE = 'data:image/png;base64,AAAA';

const suggestion = (more: Partial<ApiSuggestion> = {}): ApiSuggestion => ({
  id: ONE,
  patient: 'Morgan, Casey',
  at: NOW,
  isRead: false,
  message: 'More chairs',
  ...more,
});

const open = (handlers: Handlers = {}) => {
  let isRead = false;
  return openDesk(PATH, {
    deskSuggestions: () => ({
      suggestions: [
        suggestion({ isRead }),
        suggestion({ id: TWO, patient: 'Poe, Sam', message: 'Open earlier', isRead: true }),
      ],
    }),
    deskOpenSuggestion: ({ params }) => {
      isRead = true;
      return params.id === ONE
        ? { message: 'More chairs in the hall.', picture: PICTURE }
        : { message: 'Open earlier, please.', picture: null };
    },
    ...handlers,
  });
};
const entry = (name: RegExp) => screen.findByRole('button', { name });

// Shows: S-18
describe('Suggestions of patients', () => {
  test('are read one at a time, and one that was read is not new any more', async () => {
    const { user } = open();
    const casey = await entry(/^Morgan, Casey/);
    expect(casey.textContent).toContain('New');
    await user.click(casey);
    await screen.findByText('More chairs in the hall.');
    const picture = screen.getByRole('img', { name: 'Picture that the patient sent along' });
    expect(picture.getAttribute('src')).toBe(PICTURE);
    await waitFor(() => expect(casey.textContent).toMatch(/Read$/));
    await user.click(await entry(/^Poe, Sam/));
    await screen.findByText('Open earlier, please.');
    expect(screen.queryByText('More chairs in the hall.')).toBeNull();
    expect(screen.queryByRole('img')).toBeNull();
    expect(casey.getAttribute('aria-expanded')).toBe('false');
    await user.click(await entry(/^Poe, Sam/));
    expect(screen.queryByText('Open earlier, please.')).toBeNull();
  });

  test('that are none say so', async () => {
    open({ deskSuggestions: () => ({ suggestions: [] }) });
    expect(await screen.findByText('No patient has suggested anything yet.')).toBeTruthy();
  });

  test('of which one cannot be opened says why beneath it, and stays new', async () => {
    let isUp = false;
    const { user } = open({
      deskOpenSuggestion: () =>
        isUp
          ? { message: 'More chairs, please.', picture: null }
          : refused('serviceBusy', 'It is busy.'),
    });
    const casey = await entry(/^Morgan, Casey/);
    await user.click(casey);
    const failed = await screen.findByRole('alert');
    expect(failed.textContent).toContain('It is busy.');
    expect(failed.closest('li')?.contains(casey)).toBe(true);
    expect(casey.textContent).toContain('New');
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('More chairs, please.');
  });

  test('that cannot be listed say so, not that there are none', async () => {
    let isUp = false;
    const { user } = open({
      deskSuggestions: () =>
        isUp ? { suggestions: [suggestion()] } : refused('serviceBusy', 'It is busy.'),
    });
    expect((await screen.findByRole('alert')).textContent).toContain('It is busy.');
    expect(screen.queryByText('No patient has suggested anything yet.')).toBeNull();
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await entry(/^Morgan, Casey/);
  });
});
