import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import '../../testing/render.tsx';
import { AlertDialogHost, alertPatient } from './alert-dialog.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

function Host({ closable }: { closable: boolean }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      {open && (
        <Dialog
          title="Warning"
          onClose={closable ? close : undefined}
          actions={<Button onClick={close}>Yes</Button>}
        >
          <p>Search another day?</p>
        </Dialog>
      )}
    </>
  );
}

test('a dialog has its heading as name, its paragraph as description, and the focus', async () => {
  render(<Host closable />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = screen.getByRole('dialog', { name: 'Warning' });
  const description = document.getElementById(dialog.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('Search another day?');
  expect(dialog.contains(document.activeElement)).toBe(true);
});

test('Escape closes a dialog, and the focus goes back to where it was', async () => {
  render(<Host closable />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
});

test('a dialog without a way to close stays when Escape is pressed', async () => {
  render(<Host closable={false} />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await userEvent.keyboard('{Escape}{Escape}');
  expect(screen.getByRole('dialog', { name: 'Warning' })).toBeTruthy();
});

// Shows: 8.slots.3, R-25
test('what alert() said before is a dialog of the page, one after the other', async () => {
  render(<AlertDialogHost />);
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
  const { unmount } = render(<AlertDialogHost />);
  const read: string[] = [];
  act(() => void alertPatient('Server error.').then(() => read.push('first')));
  unmount();
  render(<AlertDialogHost />);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await Promise.resolve();
  expect(read).toEqual(['first']);
});
