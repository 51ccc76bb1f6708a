import { later } from '@clinic/app/later';
import { TextField } from '@clinic/ui/text-field';
import { UiWordsProvider } from '@clinic/ui/words';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { MissingPart } from './missing-part.tsx';
import { t, uiWords } from './words.ts';

afterEach(cleanup);

function Ada({ of }: { of: string }) {
  return <p>Notes of {of}</p>;
}

/** A page with something to type, and a part that a press opens and closes. */
function openPage(load: () => Promise<typeof Ada>) {
  const Part = later(load, { waiting: 'Loading', Missing: MissingPart });
  function Page() {
    const [typed, setTyped] = useState('');
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <TextField label="Name" value={typed} onChange={setTyped} />
        <button type="button" onClick={() => setOpen(!isOpen)}>
          Notes
        </button>
        {isOpen && <Part of="Ada" />}
      </>
    );
  }
  render(
    <UiWordsProvider words={uiWords()}>
      <Page />
    </UiWordsProvider>,
  );
  return Part;
}

test('a part whose code is missing says so, the page keeps what was typed, and it is fetched again the next time', async () => {
  const user = userEvent.setup({ delay: null });
  let isThere = false;
  openPage(() => (isThere ? Promise.resolve(Ada) : Promise.reject(new TypeError('404'))));
  await user.type(screen.getByLabelText('Name'), 'Grace');
  const notes = screen.getByRole('button', { name: 'Notes' });
  await user.click(notes);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(t('desk.missing'));
  expect(document.activeElement).toBe(alert);
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Grace');
  screen.getByRole('button', { name: t('desk.reload') });

  isThere = true;
  await user.click(notes);
  await user.click(notes);
  await screen.findByText('Notes of Ada');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Grace');
});

test('a part that was fetched before it is shown is there at once', async () => {
  const user = userEvent.setup({ delay: null });
  let fetched = 0;
  const Part = openPage(() => {
    fetched += 1;
    return Promise.resolve(Ada);
  });
  await Part.bring();
  const seen: string[] = [];
  const watch = new MutationObserver(() => seen.push(document.body.textContent ?? ''));
  watch.observe(document.body, { childList: true, subtree: true });
  await user.click(screen.getByRole('button', { name: 'Notes' }));
  await screen.findByText('Notes of Ada');
  watch.disconnect();
  expect(seen.join()).not.toContain('Loading');
  expect(fetched).toBe(1);
});
