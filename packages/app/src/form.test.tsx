import { renderControls } from '@clinic/ui/testing/render';
import { TextField } from '@clinic/ui/text-field';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { forgetDrafts, useDraft, useLeaveWarning } from './drafts.ts';
import { Form, useForm } from './form.tsx';

afterEach(() => vi.useRealTimers());

const refusedBy = (...errors: { readonly field: string; readonly message: string }[]) =>
  new ApiError({
    kind: 'refusal',
    status: 422,
    refusal: { success: false, errors, extras: { code: 'invalidInput', message: 'Not so.' } },
  });

interface Fails {
  readonly error?: unknown;
  readonly textsStay?: boolean;
  readonly pending?: boolean;
}

/** A form of two fields, of which the first must say something. */
function Person({ error, textsStay = false, pending = false }: Fails) {
  const form = useForm(useState({ name: '', email: '' }), (field) => field.toUpperCase());
  return (
    <Form
      of={form}
      textsStay={textsStay}
      pending={pending}
      check={() => (form.values.name ? [] : [{ field: 'name', message: 'Who?' }])}
      onSend={() => form.failed(error, 'Not sent.', (name) => name.replace('their.', ''))}
    >
      <TextField {...form.field('name')} label="Name" />
      <TextField {...form.field('email', 'name')} label="Email" />
      <button type="submit">Send</button>
    </Form>
  );
}

const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const isMarked = (label: string) => field(label).getAttribute('aria-invalid') === 'true';
const lines = () =>
  within(screen.getByRole('alert'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('what is wrong is listed by the name of its field, and stands at it until that is edited', async () => {
  renderControls(<Person />);
  await send();
  expect(lines()).toEqual(['NAME: Who?']);
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  expect([isMarked('Name'), isMarked('Email')]).toEqual([true, false]);
  await userEvent.click(screen.getByRole('link'));
  expect(document.activeElement).toBe(field('Name'));
  await userEvent.keyboard('Casey');
  expect([field('Name').value, isMarked('Name')]).toEqual(['Casey', false]);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an error goes as another field is edited that mends it', async () => {
  renderControls(<Person />);
  await send();
  await userEvent.type(field('Email'), 'c');
  expect(isMarked('Name')).toBe(false);
});

test('what the service finds stands at its fields, and above them where the form has no such field', async () => {
  const error = refusedBy(
    { field: 'their.email', message: 'No such email.' },
    { field: 'version', message: 'Too old.' },
  );
  renderControls(<Person error={error} />);
  await userEvent.type(field('Name'), 'Casey');
  await send();
  expect(lines()).toEqual(['EMAIL: No such email.', 'Too old.']);
  expect([isMarked('Name'), isMarked('Email')]).toEqual([false, true]);
});

test('a failure that names no field is said above them', async () => {
  renderControls(<Person error={refusedBy()} />);
  await userEvent.type(field('Name'), 'Casey');
  await send();
  expect(lines()).toEqual(['Not sent.']);
});

test('a press does nothing while what was sent before is pending', async () => {
  renderControls(<Person pending />);
  await send();
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  [false, 'go'],
  [true, 'stay where a form says so'],
])('the texts beneath the fields (stay: %s) %s after ten seconds', async (textsStay) => {
  renderControls(<Person textsStay={textsStay} />);
  vi.useFakeTimers();
  act(() => screen.getByRole('button', { name: 'Send' }).click());
  const textOf = (label: string) => field(label).getAttribute('aria-describedby');
  expect(textOf('Name')).not.toBeNull();
  act(() => {
    vi.advanceTimersByTime(10_000);
  });
  expect(textOf('Name') === null).toBe(!textsStay);
  expect(isMarked('Name')).toBe(true);
});

const EMPTY = { name: '' };

function Draft() {
  const [typed, keep] = useDraft('person', EMPTY);
  const form = useForm([typed, keep]);
  useLeaveWarning(typed !== EMPTY);
  return <TextField {...form.field('name')} label="Name" />;
}

const leaving = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

test('a draft outlives its page, has the browser ask, and is forgotten wherever it is shown', async () => {
  const { unmount } = renderControls(<Draft />);
  expect(leaving()).toBe(false);
  await userEvent.type(field('Name'), 'Casey');
  expect(leaving()).toBe(true);
  unmount();
  expect(leaving()).toBe(false);
  renderControls(<Draft />);
  expect([field('Name').value, leaving()]).toEqual(['Casey', true]);
  act(() => forgetDrafts());
  expect([field('Name').value, leaving()]).toEqual(['', false]);
});
