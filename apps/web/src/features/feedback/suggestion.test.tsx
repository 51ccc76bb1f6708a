import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { suggestion } from '../../messages/en/suggestion.ts';
import { loadMessages } from '../../messages/t.ts';
import { AlertDialogHost } from '../../shared/shell/alert-dialog.tsx';
import { AlertStack } from '../../shared/shell/alerts.tsx';
import { fakeService, refusal } from '../../testing/fake-service.ts';
import { renderPage } from '../../testing/render.tsx';
import { SuggestionButton } from './suggestion-button.tsx';
import { SuggestionDialog } from './suggestion-dialog.tsx';

await loadMessages({ suggestion });
const PICTURE = 'data:image/jpeg;base64,AAAA';

function open(picture: string | null = PICTURE) {
  const onClose = vi.fn();
  renderPage(
    <>
      <SuggestionDialog picture={picture} isAppointment onClose={onClose} />
      <AlertStack />
      <AlertDialogHost />
    </>,
  );
  return onClose;
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Submit' }));

// Shows: 2.suggestion.1, 4.suggestion.1
test('a suggestion goes along with its picture, unless the patient leaves that out (§2)', async () => {
  const sent: unknown[] = [];
  fakeService({
    'POST /services/problem': ({ body }) => {
      sent.push(body);
      return { body: { success: true } };
    },
  });
  const onClose = open();
  await userEvent.type(screen.getByLabelText('Your suggestion'), ' Larger letters, please ');
  expect(screen.getByRole('img')).toBeTruthy();
  await submit();
  expect(sent).toEqual([
    { dataURL: PICTURE, message: 'Larger letters, please', isAppointment: true },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
  expect(await screen.findByText('Thank you for your suggestion.')).toBeTruthy();
});

test('without the picture only the words are sent', async () => {
  const sent: unknown[] = [];
  fakeService({
    'POST /services/problem': ({ body }) => {
      sent.push(body);
      return { body: { success: true } };
    },
  });
  open();
  await userEvent.type(screen.getByLabelText('Your suggestion'), 'Quicker');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Send the picture too' }));
  expect(screen.queryByRole('img')).toBeNull();
  await submit();
  expect(sent).toEqual([{ dataURL: '', message: 'Quicker', isAppointment: true }]);
});

// Shows: 5.suggestion.1
test('an empty suggestion is asked for in the words of the specification (§5)', async () => {
  const service = fakeService();
  const onClose = open(null);
  await userEvent.type(screen.getByLabelText('Your suggestion'), '   ');
  await submit();
  expect(
    await screen.findByText(
      'Please enter text in the text box below to explain the suggestion you have for us. Then click the Submit button. Thanks.',
    ),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'OK' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Your suggestion'));
  expect(onClose).not.toHaveBeenCalled();
  expect(service.calls).toEqual([]);
});

// Shows: 4.suggestion.1, 8.silent.1
test('a suggestion that cannot be sent closes the dialog and is only logged (§8)', async () => {
  const service = fakeService({
    'POST /services/problem': () => ({ status: 503, body: refusal('serviceBusy') }),
    'POST /services/saveerror': () => ({ body: { success: true } }),
  });
  const onClose = open();
  await userEvent.type(screen.getByLabelText('Your suggestion'), 'Quicker');
  await submit();
  expect(onClose).toHaveBeenCalledOnce();
  expect(service.calls).toEqual(['POST /services/problem', 'POST /services/saveerror']);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a suggestion that is still on its way does not close the next one', async () => {
  let arrive = () => {};
  fakeService({
    'POST /services/problem': async () => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return { body: { success: true } };
    },
  });
  renderPage(
    <>
      <SuggestionButton />
      <AlertStack />
    </>,
  );
  const open = () =>
    userEvent.click(screen.getByRole('button', { name: 'Suggest an improvement' }));
  await open();
  await userEvent.type(await screen.findByLabelText('Your suggestion'), 'Quicker');
  await submit();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await open();
  await userEvent.type(await screen.findByLabelText('Your suggestion'), 'And cheaper');
  await act(async () => arrive());
  expect(await screen.findByText('Thank you for your suggestion.')).toBeTruthy();
  expect(screen.getByDisplayValue('And cheaper')).toBeTruthy();
});
