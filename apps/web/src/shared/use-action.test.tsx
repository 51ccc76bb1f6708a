import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../testing/render.tsx';
import { AlertStack } from './shell/alerts.tsx';
import { useAction } from './use-action.ts';

/** A button whose presses the test answers one by one. */
function aService(settings: Omit<Parameters<typeof useAction<string>>[0], 'work'> = {}) {
  const asked: PromiseWithResolvers<string>[] = [];
  const ask = () => {
    const answer = Promise.withResolvers<string>();
    asked.push(answer);
    return answer.promise;
  };
  function Asking() {
    const { run, pending, result, error, press } = useAction({ work: ask, ...settings });
    return (
      <>
        <Button busy={pending} onClick={() => run()}>
          Ask
        </Button>
        <ActionOutcome press={press}>{error?.message}</ActionOutcome>
        <p>{result}</p>
      </>
    );
  }
  const { unmount } = renderPage(<Asking />);
  const button = screen.getByRole('button', { name: 'Ask' });
  return { asked, button, leave: unmount, press: () => fireEvent.click(button) };
}

test('two presses before anything is drawn ask once', async () => {
  const { asked, button } = aService();
  act(() => {
    button.click();
    button.click();
  });
  await waitFor(() => expect(asked).not.toHaveLength(0));
  asked[0]?.resolve('done');
  await screen.findByText('done');
  expect(asked).toHaveLength(1);
});

test('once the answer is there the next press asks again', async () => {
  const { asked, press } = aService();
  press();
  await waitFor(() => expect(asked).toHaveLength(1));
  asked[0]?.resolve('done');
  expect(await screen.findByText('done')).toBeTruthy();
  press();
  await waitFor(() => expect(asked).toHaveLength(2));
});

test('what went wrong is said beside the button and takes the focus, each time anew', async () => {
  const { asked, button, press } = aService();
  press();
  await waitFor(() => expect(asked).toHaveLength(1));
  asked[0]?.reject(new Error('No such time.'));
  expect((await screen.findByRole('alert')).textContent).toBe('No such time.');
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  button.focus();
  press();
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(screen.queryByRole('alert')).toBeNull();
  asked[1]?.reject(new Error('No such time.'));
  await screen.findByRole('alert');
  expect(document.activeElement).toBe(screen.getByRole('alert'));
});

test('what fails once the patient has left the form is announced wherever they are', async () => {
  const afterLeaving = (error: Error) => `It may not be saved: ${error.message}`;
  const stays = aService({ afterLeaving });
  stays.press();
  await waitFor(() => expect(stays.asked).toHaveLength(1));
  stays.asked[0]?.reject(new Error('No such time.'));
  await screen.findByText('No such time.');
  stays.leave();
  const leaves = aService({ afterLeaving });
  leaves.press();
  await waitFor(() => expect(leaves.asked).toHaveLength(1));
  leaves.leave();
  leaves.asked[0]?.reject(new Error('No answer.'));
  renderPage(<AlertStack />);
  await screen.findByText('It may not be saved: No answer.');
  expect(screen.queryByText(/No such time/)).toBeNull();
});
