import { screen } from '@testing-library/react';
import { SPECIFIED_TYPES } from '@clinic/domain';
import { expect, test } from 'vitest';
import { renderPage } from '../../../testing/render.tsx';
import { ReasonField } from './confirm.tsx';

const shown = {
  O: 'Reason for your appointment',
  I: 'Injury claim number',
  D: 'Driver licence number',
};
const examples = {
  O: 'For example: cough for two weeks',
  I: 'For example: AB123456',
  D: 'For example: 1234567',
};

// Shows: 2.confirm.2
test.each(SPECIFIED_TYPES)('$code asks for what its type needs', ({ code: type, form }) => {
  renderPage(<ReasonField id="reason" form={form} value="" error={null} onChange={() => {}} />);
  const kind = type === 'I' || type === 'D' ? type : 'O';
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: shown[kind] });
  expect(field.placeholder).toBe(examples[kind]);
  // A number is one line; Enter in it adds none.
  expect(field.tagName).toBe(kind === 'O' ? 'TEXTAREA' : 'INPUT');
});

// Shows: 2.confirm.2
test('an injury claim asks for the claim number, not the vehicle claim number', () => {
  renderPage(
    <ReasonField id="reason" form="injuryClaim" value="" error={null} onChange={() => {}} />,
  );
  expect(screen.getByText(/not the vehicle claim number/)).toBeTruthy();
});
