import { screen } from '@testing-library/react';
import { toInstant } from '@clinic/domain';
import { describe, expect, test, vi } from 'vitest';
import {
  aHold,
  anAppointment,
  bookingClinic,
  paidAnswer,
  refuse,
  reply,
} from '../../../testing/booking-clinic.ts';
import { clinicConfig } from '../../../testing/people.ts';
import { refusal, type FakeService } from '../../../testing/fake-service.ts';
import { atPayment, heading, payWith, tomorrow } from '../../../testing/booking-person.tsx';

const nine = toInstant(tomorrow, '09:00');
const charges = ({ calls }: FakeService) =>
  calls.filter((call) => call === 'POST /services/charge').length;
const alertText = async () => (await screen.findByRole('alert')).textContent;
/** The answer that a clinic in working order gives. */
function works(service: FakeService) {
  const charge = bookingClinic()['POST /services/charge'];
  if (charge) service.answer('POST /services/charge', charge);
}

// Shows: 2.payment.1
test('a private visit is warned of, paid and booked', async () => {
  const sent: unknown[] = [];
  const person = await atPayment(
    {},
    reply('charge', ({ body }) => {
      sent.push(body);
      return paidAnswer({ startTime: nine });
    }),
  );
  expect(screen.getByText('Total')).toBeTruthy();
  expect(screen.getAllByText('CAD 200.00').length).toBeGreaterThan(1);
  await payWith(person);
  await heading('Payment Received');
  expect(JSON.stringify(sent)).toMatch(/"pm_practice_succeeds_[0-9a-f]{24}"/);
  expect(sent).toMatchObject([
    {
      selectedType: 'V',
      providerId: '101',
      amount: 200,
      start: nine,
      end: nine + 300,
      doctor: '101',
      reason: 'a cough',
    },
  ]);
  expect(JSON.stringify(sent)).not.toMatch(/4242\s*4242/);
  expect(screen.getByText('You paid CAD 200.00. Payment reference: P-0123456789')).toBeTruthy();
  expect(
    screen.getByText(/^It cannot be cancelled, and the fee of CAD 200\.00 is non-refundable\.$/),
  ).toBeTruthy();
  expect(person.service.calls).not.toContain('POST /schedule/create');
  expect(person.service.calls).not.toContain('DELETE /schedule/hold');
});

test('a card form that breaks charges nothing, says so and can be tried again', async () => {
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  const person = await atPayment();
  const broken = vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce(() => {
    throw new Error('No randomness');
  });
  await payWith(person);
  expect(await alertText()).toContain('An unknown error has occurred. Please try again.');
  expect(charges(person.service)).toBe(0);
  expect(reported).toHaveLength(1);
  broken.mockRestore();
  vi.unstubAllGlobals();
  await person.press('Pay Online');
  await heading('Payment Received');
});

test('a charge that breaks here says so, and the next press can pay', async () => {
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  const body = { success: true, requires_action: true, next_action: {}, extras: {} };
  const person = await atPayment({}, { 'POST /services/charge': () => ({ body }) });
  await payWith(person);
  expect(await alertText()).toContain('An unknown error has occurred. Please try again.');
  expect(reported).toHaveLength(1);
  vi.unstubAllGlobals();
  works(person.service);
  await person.press('Pay Online');
  await heading('Payment Received');
});

test('the hold is renewed for payment on entering it', async () => {
  const asked: unknown[] = [];
  await atPayment(
    {},
    reply('placeHold', ({ body }) => {
      asked.push(body.forPayment ?? false);
      const { start, doctor, selectedType: type } = body;
      return { success: true, extras: { hold: aHold({ start, end: start + 300, doctor, type }) } };
    }),
  );
  expect(asked).toEqual([false, true]);
});

test('a slot that is gone on entering payment leads back to the grid', async () => {
  const { press, service } = await atPayment();
  await press('Back');
  const lost = refusal('slotTaken', 'Someone else just took this time.');
  service.answer('POST /schedule/hold', () => ({ status: 409, body: lost }));
  await press('Next');
  await press('Agree');
  await heading(/^Booking Private visit/);
  expect(await alertText()).toContain('Someone else');
});

test('a second press while the first is under way charges once', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const person = await atPayment(
    {},
    {
      'POST /services/charge': async () => {
        await asked;
        return { body: paidAnswer({ startTime: nine }) };
      },
    },
  );
  await payWith(person);
  const busy = await screen.findByRole('button', { name: 'Paying…' });
  await person.person.click(busy);
  await person.person.type(screen.getByLabelText('CVC'), '{Enter}');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back' }).disabled).toBe(true);
  answer();
  await heading('Payment Received');
  expect(charges(person.service)).toBe(1);
});

// Shows: 8.payment.1
test('a declined card says why, and another one pays for the same time', async () => {
  const person = await atPayment(
    {},
    refuse('charge', 402, 'cardDeclined', 'Your card was declined.'),
  );
  await payWith(person, '4000000000000002');
  expect(await alertText()).toContain('Your card was declined.');
  works(person.service);
  await payWith(person);
  await heading('Payment Received');
  expect(person.service.calls.filter((call) => call === 'POST /schedule/hold')).toHaveLength(2);
});

// Shows: text.post-services-charge
test.each([
  ['a refusal without words', { status: 402, body: {} }, 'Payment processing failed'],
  [
    'an answer without success or words',
    { body: { success: false, extras: { message: '', code: 'notCharged' } } },
    'Payment processing failed',
  ],
  [
    'words of the service, which go first',
    { status: 503, body: refusal('paymentsUnavailable', 'We cannot reach the card payment.') },
    'We cannot reach the card payment.',
  ],
])('after %s the patient reads the words of §8 and can try again', async (_, answer, words) => {
  const person = await atPayment({}, { 'POST /services/charge': () => answer });
  await payWith(person);
  expect(await alertText()).toContain(words);
  works(person.service);
  await person.press('Pay Online');
  await heading('Payment Received');
});

/** Where the page led the browser: jsdom goes to no other page than to a part of this one. */
const goneTo = () =>
  new Promise<string>((resolve) => {
    addEventListener('hashchange', ({ newURL }) => resolve(newURL), { once: true });
  });

// Shows: 4.payment.2, 8.payment.2
describe('After too many cards', () => {
  const wait = 'There were too many attempts. Please wait 14 minutes, then try again.';
  const tooMany = refuse('charge', 429, 'tooManyRequests', wait);

  test('the page says until when to wait, and no word against it', async () => {
    const person = await atPayment({}, tooMany);
    await payWith(person);
    expect(await alertText()).toBe(`Not paid yet${wait}`);
    expect(screen.getByRole('button', { name: 'Pay Online' })).toBeTruthy();
    works(person.service);
    await person.press('Pay Online');
    await heading('Payment Received');
  });

  test('whoever has paid on another device sees that booking', async () => {
    const person = await atPayment({}, tooMany);
    const made = {
      code: 'booked' as const,
      appointment: anAppointment({ code: 'V', startTime: nine, paidAmount: 200 }),
    };
    const look = reply('readHold', () => ({ success: true, extras: { hold: null, made } }));
    for (const [route, answer] of Object.entries(look)) person.service.answer(route, answer);
    await payWith(person);
    expect(await heading('Payment Received')).toBeTruthy();
  });
});

test('a bank that asks first is gone to, and nothing more happens here', async () => {
  const url = `${window.location.origin}/#bank`;
  const person = await atPayment(
    {},
    reply('charge', () => ({
      success: true,
      requires_action: true,
      next_action: { redirect_to_url: { url } },
      extras: { message: 'Your bank asks you to approve.', code: 'bankApprovalNeeded' },
    })),
  );
  const gone = goneTo();
  await payWith(person, '4000000000003220');
  expect(await gone).toBe(url);
  expect(screen.getByRole('button', { name: 'Paying…' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a page that the browser kept while the patient was at the bank can pay again', async () => {
  const url = `${window.location.origin}/#bank`;
  const person = await atPayment(
    {},
    reply('charge', () => ({
      success: true,
      requires_action: true,
      next_action: { redirect_to_url: { url } },
      extras: { message: 'Your bank asks you to approve.', code: 'bankApprovalNeeded' },
    })),
  );
  const gone = goneTo();
  await payWith(person, '4000000000003220');
  expect(await gone).toBe(url);
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await screen.findByRole('button', { name: 'Pay Online' });
  works(person.service);
  await payWith(person);
  await heading('Payment Received');
});

// Shows: R-31
test('another price is shown, warned of and paid', async () => {
  const words = 'The fee for this appointment is CAD 210.00. You have not been charged.';
  const person = await atPayment(
    {},
    {
      'POST /services/charge': () => {
        const body = refusal('amountDiffers', words);
        return {
          status: 409,
          body: { ...body, extras: { ...body.extras, chargeAmount: 210 } },
        };
      },
    },
  );
  await payWith(person);
  expect(await alertText()).toContain(words);
  expect(screen.getAllByText('CAD 210.00').length).toBeGreaterThan(1);
  works(person.service);
  await person.press('Pay Online');
  expect(await screen.findByRole('dialog', { name: 'Warning' })).toBeTruthy();
  expect(charges(person.service)).toBe(1);
  await person.press('I accept the fee');
  await heading('Payment Received');
});

test('documents that are missing are said plainly, with the way to the clinic', async () => {
  const words = 'Please upload your health card and picture ID first.';
  const person = await atPayment({}, refuse('charge', 422, 'documentsMissing', words));
  await payWith(person);
  expect(await alertText()).toContain(words);
  expect(screen.getByRole('link', { name: 'Call 604-555-0100' })).toBeTruthy();
});

test.each([
  ['holdGone', 'This time is no longer held for you. Please choose a time again.'],
  ['notCharged', 'This time could not be booked, and you have not been charged.'],
] as const)('%s leads back to the grid, and the answer is kept', async (code, words) => {
  const person = await atPayment({}, refuse('charge', 409, code, words));
  await payWith(person);
  await heading(/^Booking Private visit/);
  expect(await alertText()).toContain(words);
  await person.press(/^09:05/);
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox')).value).toBe('a cough');
});

test('Back keeps the hold and the answers, and nobody is warned twice', async () => {
  const { press, service } = await atPayment();
  await press('Back');
  await heading('Confirm your appointment');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('a cough');
  expect(service.calls).not.toContain('DELETE /schedule/hold');
  await press('Next');
  expect(await screen.findByRole('dialog', { name: 'Appointment Details' })).toBeTruthy();
});

test('a clinic that takes no cards says so', async () => {
  await atPayment(
    {},
    reply('getConfig', () => ({ success: true, extras: { ...clinicConfig, payments: null } })),
  );
  expect(await screen.findByText(/We can't take cards online right now/)).toBeTruthy();
});
