import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderControls } from './testing/render.tsx';
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
          <input type="file" aria-label="Picture" />
        </Dialog>
      )}
    </>
  );
}

test('a dialog has its heading as name, its paragraph as description, and the focus', async () => {
  renderControls(<Host closable />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = screen.getByRole('dialog', { name: 'Warning' });
  const description = document.getElementById(dialog.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('Search another day?');
  expect(dialog.contains(document.activeElement)).toBe(true);
});

test('Escape closes a dialog, and the focus goes back to where it was', async () => {
  renderControls(<Host closable />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
});

test('a dialog without a way to close stays when Escape is pressed', async () => {
  renderControls(<Host closable={false} />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await userEvent.keyboard('{Escape}{Escape}');
  expect(screen.getByRole('dialog', { name: 'Warning' })).toBeTruthy();
});

test('a file chooser that is left without a file closes nothing around it', async () => {
  renderControls(<Host closable />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  fireEvent(screen.getByLabelText('Picture'), new Event('cancel', { bubbles: true }));
  expect(screen.getByRole('dialog', { name: 'Warning' })).toBeTruthy();
});
