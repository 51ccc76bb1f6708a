import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { renderControls } from './testing/render.tsx';
import Recaptcha, { type Widgets } from './recaptcha.tsx';

const words = {
  label: 'Check',
  checking: 'Checking',
  done: 'Checked',
  failed: "We couldn't check that you're not a bot.",
};
type Options = Parameters<Widgets['render']>[1];
let proofs: (string | null)[];
let shown: Options[];
const keep = (proof: string | null) => void proofs.push(proof);
const script = () =>
  document.querySelector<HTMLScriptElement>('script[src^="https://www.google.com/recaptcha/"]');

function come() {
  window.grecaptcha = {
    ready: (then) => then(),
    render: (_, options) => shown.push(options),
  };
  return act(async () => void script()?.dispatchEvent(new Event('load')));
}
beforeEach(() => {
  proofs = [];
  shown = [];
});
afterEach(() => {
  delete window.grecaptcha;
});

describe('Google’s captcha', () => {
  test('says so when its script does not come, and can be tried again', async () => {
    renderControls(<Recaptcha words={words} attempt={0} onProof={keep} siteKey="site" />);
    await act(async () => void script()?.dispatchEvent(new Event('error')));
    expect(screen.getByRole('alert').textContent).toBe("We couldn't check that you're not a bot.");
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await come();
    expect(shown).toHaveLength(1);
  });

  test('hands over the proof, forgets it when it is over, and asks again after a failed try', async () => {
    const { rerender } = renderControls(
      <Recaptcha words={words} attempt={0} onProof={keep} siteKey="site" />,
    );
    await come();
    expect(shown[0]?.sitekey).toBe('site');
    act(() => shown[0]?.callback('proof'));
    act(() => shown[0]?.['expired-callback']());
    expect(proofs).toEqual([null, 'proof', null]);
    rerender(<Recaptcha words={words} attempt={1} onProof={keep} siteKey="site" />);
    await act(async () => undefined);
    expect(shown).toHaveLength(2);
    expect(document.querySelectorAll('script[src*="recaptcha"]')).toHaveLength(1);
  });
});
