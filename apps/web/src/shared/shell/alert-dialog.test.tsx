import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render.tsx';
import { AlertDialogHost, alertPatient } from './alert-dialog.tsx';

// Shows: 8.slots.3, R-25
test('what alert() said before is a dialog of the page, one after the other', async () => {
  renderPage(<AlertDialogHost />);
  const read: string[] = [];
  act(() => {
    void alertPatient('Server error.').then(() => read.push('first'));
    void alertPatient('Get demographic failed.').then(() => read.push('second'));
  });
  expect(screen.getByRole('alertdialog').textContent).toContain('Server error.');
  await userEvent.click(screen.getByRole('button', { name: 'OK' }));
  expect(read).toEqual(['first']);
  expect(screen.getByRole('alertdialog').textContent).toContain('Get demographic failed.');
  await userEvent.click(screen.getByRole('button', { name: 'OK' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('what one patient was told is not told the next one at the same screen', async () => {
  const { unmount } = renderPage(<AlertDialogHost />);
  const read: string[] = [];
  act(() => void alertPatient('Server error.').then(() => read.push('first')));
  unmount();
  renderPage(<AlertDialogHost />);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await Promise.resolve();
  expect(read).toEqual(['first']);
});
