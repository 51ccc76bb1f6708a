import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { speak } from '../../../messages/t.ts';
import { paidAnswer, reply } from '../../../testing/booking-clinic.ts';
import { atPayment, heading } from '../../../testing/booking-person.tsx';
import { clinicConfig } from '../../../testing/people.ts';

const payments = { kind: 'stripe', publishableKey: 'pk_live_1' } as const;
const withStripe = reply('getConfig', () => ({
  success: true,
  extras: { ...clinicConfig, payments },
}));

type Language = { locale?: string };
type Made = { paymentMethod: { id: string } } | { error: { type: string; message: string } };

// The loader keeps what it loaded for as long as the page lives.
let made: Made = { paymentMethod: { id: 'pm_1Abc' } };

/** The language that the card element was last asked to speak. */
let spoken: string | undefined;

/** What the provider's script leaves on the page, as far as the card element asks for it. */
function providerLoads() {
  const element = {
    mount: (place: HTMLElement) => place.append('the card element of the provider'),
    on: () => element,
    off: () => element,
    update: () => {},
    destroy: () => {},
    focus: () => {},
  };
  const elements = {
    create: () => element,
    getElement: () => element,
    update: ({ locale }: Language) => (spoken = locale),
  };
  const stripe = {
    elements: ({ locale }: Language) => {
      spoken = locale;
      return elements;
    },
    createToken: () => {},
    confirmCardPayment: () => {},
    createPaymentMethod: async () => made,
    registerAppInfo: () => {},
  };
  Object.assign(window, { Stripe: () => stripe });
  providersScript()?.dispatchEvent(new Event('load'));
}

const providersScript = () => document.querySelector('script[src^="https://js.stripe.com/"]');

// Shows: 7.browser.1
test('a script of the provider that fails is said, and can be asked for again', async () => {
  const { press } = await atPayment({}, withStripe);
  for (const _ of ['the first time', 'once more by itself']) {
    await waitFor(() => expect(providersScript()).not.toBeNull());
    expect(providersScript()?.getAttribute('src')).toContain('advancedFraudSignals=false');
    providersScript()?.dispatchEvent(new Event('error'));
  }
  expect((await screen.findByRole('alert')).textContent).toContain(
    'The card form could not be loaded. You have not been charged.',
  );
  await press('Try again');
  await waitFor(() => expect(providersScript()).not.toBeNull());
  providerLoads();
  expect(await screen.findByText('the card element of the provider')).toBeTruthy();
});

// Shows: 4.payment.1, 7.browser.1
test('the payment method of the provider is what the service is sent', async () => {
  const sent: unknown[] = [];
  const { press } = await atPayment(
    {},
    {
      ...withStripe,
      ...reply('charge', ({ body }) => {
        sent.push(body.payment_method_id);
        return paidAnswer();
      }),
    },
  );
  await screen.findByText('the card element of the provider');
  await press('Pay Online');
  await heading('Payment Received');
  expect(sent).toEqual(['pm_1Abc']);
});

// Shows: R-99
test('the card element of the provider speaks the language of the page', async () => {
  sessionStorage.setItem('clinic.language', 'fr');
  await speak('fr');
  await atPayment({}, withStripe);
  await screen.findByText('the card element of the provider');
  sessionStorage.removeItem('clinic.language');
  await speak('en');
  expect(spoken).toBe('fr');
});

test('a card that was typed stays where another language asks all else anew', async () => {
  const { queryClient } = await atPayment({}, withStripe);
  const card = await screen.findByText('the card element of the provider');
  await act(() => queryClient.invalidateQueries());
  expect(await screen.findByText('the card element of the provider')).toBe(card);
});

test.each([
  ['validation_error', 'Your card number is incomplete.'],
  ['card_error', 'Your card was declined.'],
])('a %s of the provider is said in its words, and nothing is charged', async (type, message) => {
  made = { error: { type, message } };
  const { press, service } = await atPayment({}, withStripe);
  await screen.findByText('the card element of the provider');
  await press('Pay Online');
  expect(await screen.findByText(new RegExp(message))).toBeTruthy();
  expect(service.calls).not.toContain('POST /services/charge');
});
