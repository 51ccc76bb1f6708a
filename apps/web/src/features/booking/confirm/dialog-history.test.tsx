import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { expect, test } from 'vitest';
import { renderPage } from '../../../testing/render.tsx';
import { useBackCloses } from '../use-journey.ts';

function Page({ mayClose }: { mayClose: boolean }) {
  const [open, setOpen] = useState(false);
  const entry = useHistoryState<unknown>();
  useBackCloses(open, mayClose ? () => setOpen(false) : null);
  return (
    <>
      <button onClick={() => navigate('/', { state: { step: 'confirm', under: null } })}>
        Confirm
      </button>
      <button onClick={() => setOpen(true)}>Open</button>
      <button onClick={() => setOpen(false)}>Close</button>
      <button onClick={() => window.history.back()}>Back</button>
      <p>{open ? 'open' : 'closed'}</p>
      <output>{JSON.stringify(entry)}</output>
    </>
  );
}

function onPage(mayClose = true) {
  renderPage(<Page mayClose={mayClose} />);
  const person = userEvent.setup();
  const press = (name: string) => person.click(screen.getByRole('button', { name }));
  const expectNow = (open: string, entry: object | null) =>
    waitFor(() => {
      expect(screen.getByText(open)).toBeTruthy();
      expect(screen.getByRole('status').textContent).toBe(JSON.stringify(entry));
    });
  return { press, expectNow };
}

const confirm = { step: 'confirm', under: null };

test('the browser leads back out of an open dialog to its step, then out of the step', async () => {
  const { press, expectNow } = onPage();
  await press('Confirm');
  await press('Open');
  await expectNow('open', { ...confirm, dialog: true });
  await press('Back');
  await expectNow('closed', confirm);
  await press('Back');
  await expectNow('closed', null);
});

test('a dialog that is closed leaves no entry behind', async () => {
  const { press, expectNow } = onPage();
  await press('Confirm');
  await press('Open');
  await expectNow('open', { ...confirm, dialog: true });
  await press('Close');
  await expectNow('closed', confirm);
  await press('Back');
  await expectNow('closed', null);
});

test('a dialog that opens while the browser still leaves the one before stands, and Back closes it', async () => {
  const { press, expectNow } = onPage();
  await press('Confirm');
  await press('Open');
  await expectNow('open', { ...confirm, dialog: true });
  const hasLeft = new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
  });
  for (const name of ['Close', 'Open']) fireEvent.click(screen.getByRole('button', { name }));
  await act(() => hasLeft);
  await expectNow('open', { ...confirm, dialog: true });
  await press('Back');
  await expectNow('closed', confirm);
});

test('a dialog that must stay is not closed by it', async () => {
  const { press, expectNow } = onPage(false);
  await press('Confirm');
  await press('Open');
  await press('Back');
  await expectNow('open', confirm);
});
