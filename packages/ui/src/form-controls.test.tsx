import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderControls } from './testing/render.tsx';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { DayStrip } from './day-strip.tsx';
import { ErrorSummary, type FormError } from './error-summary.tsx';
import { PasswordField } from './password-field.tsx';
import { RadioCards } from './radio-cards.tsx';
import { TextArea } from './text-area.tsx';
import { TextField } from './text-field.tsx';

test('a field tells its hint and its error to a screen reader', () => {
  renderControls(
    <TextField
      label="Email"
      hint="As on your card"
      error="Enter it"
      value=""
      onChange={() => {}}
    />,
  );
  const input = screen.getByLabelText('Email');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  const words = input
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  expect(words).toEqual(['As on your card', 'Error: Enter it']);
});

test('a field without an error is not invalid', () => {
  renderControls(<TextField label="Email" value="" onChange={() => {}} />);
  const input = screen.getByLabelText('Email');
  expect(input.hasAttribute('aria-invalid')).toBe(false);
  expect(input.hasAttribute('aria-describedby')).toBe(false);
});

test.each([
  ['a line', TextField],
  ['several lines', TextArea],
  ['a password', PasswordField],
])(
  '%s that is longer than it may be is not cut: the field says by how much',
  async (_, Control) => {
    function Host() {
      const [text, setText] = useState('');
      return <Control label="Time" maxLength={5} value={text} onChange={setText} />;
    }
    renderControls(<Host />);
    const input = screen.getByLabelText<HTMLInputElement>('Time');
    await userEvent.click(input);
    await userEvent.paste('01:30');
    expect(input.hasAttribute('aria-invalid')).toBe(false);
    await userEvent.paste(' PM');
    expect([input.value, input.getAttribute('aria-invalid')]).toEqual(['01:30 PM', 'true']);
    expect(screen.getByText(/3 too many/)).toBeTruthy();
  },
);

test('a wheel over a number does not change it', () => {
  renderControls(<TextField label="Minutes" type="number" value="15" onChange={() => {}} />);
  const input = screen.getByLabelText('Minutes');
  input.focus();
  fireEvent.wheel(input);
  expect(document.activeElement).not.toBe(input);
});

test('a password can be shown, hidden and pasted', async () => {
  const Host = () => {
    const [value, setValue] = useState('');
    return <PasswordField label="Password" value={value} onChange={setValue} />;
  };
  renderControls(<Host />);
  const input = screen.getByLabelText('Password');
  expect(input.getAttribute('type')).toBe('password');
  await userEvent.click(input);
  await userEvent.paste('Practice-2026');
  await userEvent.click(screen.getByRole('button', { name: 'Show Password' }));
  expect(input.getAttribute('type')).toBe('text');
  expect(input).toHaveProperty('value', 'Practice-2026');
  await userEvent.click(screen.getByRole('button', { name: 'Hide Password' }));
  expect(input.getAttribute('type')).toBe('password');
});

test('each password of a form has a button of its own name that begins with the words on it', () => {
  renderControls(
    <>
      <PasswordField label="Password" value="" onChange={() => {}} />
      <PasswordField label="Repeat password" value="" onChange={() => {}} />
    </>,
  );
  const names = ['Show Password', 'Show Repeat password'];
  expect(names.map((name) => screen.getAllByRole('button', { name }).length)).toEqual([1, 1]);
});

test('a day of the strip is named by the words on it, and more after them', () => {
  renderControls(
    <DayStrip
      label="Providers"
      selected="1"
      onSelect={() => {}}
      items={[{ id: '1', label: 'J. Avery', detail: '31', more: 'times available' }]}
    />,
  );
  expect(screen.getByRole('button', { name: 'J. Avery 31 times available' })).toBeTruthy();
});

test('what is pasted loses the unseen characters that no call takes, and keeps its lines (S-17)', async () => {
  const Host = () => {
    const [text, setText] = useState('');
    return (
      <>
        <TextArea label="Reason" value={text} onChange={setText} />
        <TextField label="City" value={text} onChange={setText} />
      </>
    );
  };
  renderControls(<Host />);
  const area = screen.getByLabelText('Reason');
  await userEvent.click(area);
  await userEvent.paste('A\tcough\u000b\nand\u001b a fever\u0007');
  expect(area).toHaveProperty('value', 'A\tcough\nand a fever');
  const field = screen.getByLabelText('City');
  await userEvent.clear(field);
  await userEvent.paste('Van\u009bcouver');
  expect(field).toHaveProperty('value', 'Vancouver');
});

test('the counter counts code points and says by how much a text is too long', () => {
  const { rerender } = renderControls(
    <TextArea label="Reason" value="🩺🩺" maxCharacters={3} onChange={() => {}} />,
  );
  expect(screen.getByText('1 left')).toBeTruthy();
  rerender(<TextArea label="Reason" value="🩺🩺🩺🩺🩺" maxCharacters={3} onChange={() => {}} />);
  expect(screen.getByText('2 too many')).toBeTruthy();
});

test('radio cards answer to the arrow keys and skip what cannot be chosen', async () => {
  const Host = () => {
    const [value, setValue] = useState<'O' | 'P' | 'V' | null>(null);
    return (
      <RadioCards
        label="Type"
        value={value}
        onChange={setValue}
        options={[
          { value: 'O', label: 'In-person visit', description: 'Come to the clinic' },
          { value: 'P', label: 'Phone consultation', disabled: true },
          { value: 'V', label: 'Private visit' },
        ]}
      />
    );
  };
  renderControls(<Host />);
  const appointment = screen.getByRole('radio', { name: 'In-person visit' });
  expect(screen.getByRole('group', { name: 'Type' })).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'Phone consultation' })).toHaveProperty(
    'disabled',
    true,
  );
  await userEvent.click(appointment);
  expect(appointment).toHaveProperty('checked', true);
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getByRole('radio', { name: 'Private visit' })).toHaveProperty('checked', true);
});

test('a checkbox carries its error', () => {
  renderControls(
    <Checkbox label="I agree" checked={false} error="Please agree" onChange={() => {}} />,
  );
  expect(screen.getByRole('checkbox', { name: 'I agree' }).getAttribute('aria-invalid')).toBe(
    'true',
  );
  expect(screen.getByRole('group', { name: 'I agree' })).toBeTruthy();
});

test('the error summary takes the focus for every failed attempt and leads to the field', async () => {
  const Host = () => {
    const [errors, setErrors] = useState<readonly FormError[]>([]);
    return (
      <>
        <ErrorSummary errors={errors} />
        <input id="email" aria-label="Email" />
        <button onClick={() => setErrors([{ fieldId: 'email', message: 'Enter your email' }])}>
          Try
        </button>
      </>
    );
  };
  renderControls(<Host />);
  for (let attempt = 0; attempt < 2; attempt++) {
    await userEvent.click(screen.getByRole('button', { name: 'Try' }));
    expect(document.activeElement).toBe(screen.getByRole('alert'));
  }
  await userEvent.click(screen.getByRole('link', { name: 'Enter your email' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Email'));
});

test('a busy button keeps its focus, says so and does nothing', async () => {
  let pressed = 0;
  const button = (busy: boolean) => (
    <Button busy={busy} busyLabel="Checking..." onClick={() => (pressed += 1)}>
      Next
    </Button>
  );
  const { rerender } = renderControls(button(false));
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(pressed).toBe(1);
  rerender(button(true));
  const busy = screen.getByRole('button', { name: 'Checking...' });
  expect(document.activeElement).toBe(busy);
  expect(busy.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(busy);
  expect(pressed).toBe(1);
});

test('a busy submit button does not send the form again', async () => {
  let sent = 0;
  renderControls(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent += 1;
      }}
    >
      <Button type="submit" busy>
        Log in
      </Button>
    </form>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
  expect(sent).toBe(0);
});
