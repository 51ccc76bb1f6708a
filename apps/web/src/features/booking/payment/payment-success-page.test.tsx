import { mapLink } from '@clinic/domain';
import { useQueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import type { ApiAppointment } from '@clinic/contract';
import { useState } from 'react';
import userEvent from '@testing-library/user-event';
import { Route, Switch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { beforeEach, expect, test, vi } from 'vitest';
import { dropToken, keepToken } from '../../../api/access-token.ts';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { useAddress } from '../../../shared/navigation.ts';
import { PrivateRoute, PublicOnlyRoute } from '../../../shared/session/guarded-routes.tsx';
import {
  anAppointment,
  bookingClinic,
  CLINIC_NOW,
  paidAnswer,
  reply,
  type Replies,
} from '../../../testing/booking-clinic.ts';
import { fakeService, refusal } from '../../../testing/fake-service.ts';
import { renderPage } from '../../../testing/render.tsx';
import { PaymentReturn } from './payment-return.tsx';
import { PaymentSuccessPage } from './payment-success-page.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: CLINIC_NOW * 1000 });
  URL.createObjectURL = () => 'blob:calendar';
  URL.revokeObjectURL = () => {};
  return () => {
    vi.useRealTimers();
  };
});

const success = '/booking/payment/success';
const fromBank = `${success}?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x&redirect_status=succeeded`;

function Address() {
  const address = useAddress();
  return <output>{`${address} ${JSON.stringify(useHistoryState())}`}</output>;
}

/** Stands for the login page: one press signs the patient in. */
function LogIn() {
  return <button onClick={() => keepToken('token')}>Log in</button>;
}

function comeBack(path: string, changed: Replies = {}, signedIn = true) {
  const service = fakeService({ ...bookingClinic(), ...changed });
  if (signedIn) keepToken('token');
  else dropToken();
  renderPage(
    <>
      <Address />
      <Switch>
        <Route path="/booking/payment/success">
          <PaymentReturn>
            <PrivateRoute>
              <PaymentSuccessPage />
            </PrivateRoute>
          </PaymentReturn>
        </Route>
        <Route path="/login">
          <PublicOnlyRoute>
            <LogIn />
          </PublicOnlyRoute>
        </Route>
      </Switch>
    </>,
    path,
  );
  return service;
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const confirms = (answer: unknown, status = 200): Replies => ({
  'POST /services/charge': () => ({ status, body: answer }),
});
const failed = (message: string, code: string) => ({ success: false, extras: { message, code } });

// Shows: 2.payment-success.1
test('the appointment that was paid at the bank says with whom, where and for whom, and goes into a calendar', async () => {
  const displayInfo = { doctorFirstName: 'Ada', doctorLastName: 'Stone' };
  comeBack(fromBank, confirms(paidAnswer({ displayInfo, contactPreference: 'IN-PERSON' })));
  expect(await screen.findByText(/ with Dr\. A\. Stone on /)).toBeTruthy();
  expect(screen.getByText('For Casey Morgan.')).toBeTruthy();
  expect(screen.getByText('Harbour Street Clinic, 100 Harbour Street, Vancouver BC')).toBeTruthy();
  const maps = screen.getAllByRole('link', { name: /on a map$/ });
  expect(new Set(maps.map((link) => link.getAttribute('href')))).toEqual(
    new Set([mapLink('100 Harbour Street, Vancouver BC')]),
  );
  expect(screen.getByRole('link', { name: 'Call 604-555-0100' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Add to calendar' })).toBeTruthy();
});

// Shows: R-84
test.each([
  [undefined, '100 Harbour Street\\, Vancouver BC'],
  ['either', '100 Harbour Street\\, Vancouver BC'],
  ['inPerson', '100 Harbour Street\\, Vancouver BC'],
  ['phone', 'By phone'],
  ['video', 'By video'],
] as const)(
  'the calendar file of mode %s names the place that the email names: %s',
  async (mode, place) => {
    const files: Blob[] = [];
    URL.createObjectURL = (file) => {
      if (file instanceof Blob) files.push(file);
      return 'blob:calendar';
    };
    comeBack(fromBank, confirms(paidAnswer({ mode })));
    await screen.findByRole('link', { name: 'Add to calendar' });
    expect(await files.at(-1)?.text()).toContain(`LOCATION:${place}\r\n`);
  },
);

// Shows: 2.routes.8, 2.payment-success.1, 2.payment-success.2, 2.payment-success.3, R-42
test('back from the bank the payment is confirmed, and the query is gone at once', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const sent: unknown[] = [];
  comeBack(fromBank, {
    'POST /services/charge': async ({ body }) => {
      sent.push(body);
      await asked;
      return { body: paidAnswer() };
    },
  });
  await heading('Confirming your payment...');
  expect(document.querySelector('output')?.textContent).toMatch(/^\/booking\/payment\/success \{/);
  expect(document.querySelector('output')?.textContent).not.toContain('secret');
  answer();
  await heading('Appointment Booked Successfully!');
  expect(sent).toEqual([{ payment_intent_id: 'pi_1' }]);
  expect(screen.getByRole('heading', { name: "What's Next" })).toBeTruthy();
  expect(
    screen
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
      .slice(0, 4),
  ).toEqual([
    'You will receive a confirmation email shortly.',
    'Check the details in your account, under My Appointments.',
    'Arrive 15 minutes early.',
    'Bring a photo ID and your care card.',
  ]);
  expect(screen.getByText(/please call the clinic at least 24 hours ahead/)).toBeTruthy();
  expect(screen.getByText('You paid CAD 200.00. Payment reference: P-0123456789')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Continue to Appointments' }).getAttribute('href')).toBe(
    '/appointments',
  );
});

// Shows: R-42
test.each([
  ['a private phone consultation', { code: 'PP' }],
  ['an injury claim by phone', { code: 'I', contactPreference: 'PHONE' }],
] as const)('%s is told neither to arrive nor to bring anything', async (_, appointment) => {
  comeBack(fromBank, confirms(paidAnswer(appointment)));
  await heading('Appointment Booked Successfully!');
  expect(screen.queryByText(/Arrive|Bring/)).toBeNull();
  expect(screen.getByText(/our provider will call you/)).toBeTruthy();
});

// Shows: R-96
test('the appointment that was paid says what it allows (R-96)', async () => {
  const paid = { paidAmount: 75, startTime: CLINIC_NOW + 16 * 3600 };
  comeBack(fromBank, confirms(paidAnswer(paid)));
  await heading('Appointment Booked Successfully!');
  expect(
    screen.getByText(/^You can cancel it .* The fee of CAD 75\.00 is non-refundable\.$/),
  ).toBeTruthy();
  expect(screen.getByText('It starts within 24 hours and cannot be rescheduled.')).toBeTruthy();
});

// Shows: R-42
test('an address that says failed still asks the service, which decides', async () => {
  const service = comeBack(fromBank.replace('succeeded', 'failed'), confirms(paidAnswer()));
  await heading('Appointment Booked Successfully!');
  expect(service.calls).toContain('POST /services/charge');
});

// Shows: 8.payment.3, text.confirm
test.each([
  [
    'the words of the service',
    failed('Your card was declined.', 'cardDeclined'),
    200,
    'Your card was declined.',
  ],
  ['no words at all', failed('', 'notCharged'), 200, 'Payment confirmation failed'],
  [
    'a status with words',
    refusal('notFound', 'We could not find it.'),
    404,
    'We could not find it.',
  ],
  ['a status without words', {}, 418, 'HTTP error with status 418'],
])('a failure with %s says so, with the clinic and a way home', async (_, body, status, words) => {
  comeBack(fromBank, confirms(body, status));
  await heading('Payment Confirmation Error');
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  expect(await screen.findByRole('link', { name: 'Call 604-555-0100' })).toBeTruthy();
  expect(screen.getByText('100 Harbour Street, Vancouver BC')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/');
});

test('an appointment that has changed since leads to My Appointments, and no payment is told as failed', async () => {
  const words = 'This appointment has changed in the meantime.';
  comeBack(fromBank, confirms(failed(words, 'bookingChanged')));
  await heading('Your appointment has changed');
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  const onward = screen.getByRole('link', { name: 'Continue to Appointments' });
  expect(onward.getAttribute('href')).toBe('/appointments');
});

// Shows
test.each([
  ['clinicConfirming', 'The clinic is confirming your appointment.'],
  ['paymentUnknown', "We don't know yet whether your payment went through."],
] as const)('what is not known yet is not told as failed: %s', async (code, words) => {
  comeBack(fromBank, confirms(failed(words, code), 503));
  await heading('Not confirmed yet');
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  const onward = screen.getByRole('link', { name: 'Continue to Appointments' });
  expect(onward.getAttribute('href')).toBe('/appointments');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

// Shows: 8.payment.3, text.confirm
test('without an answer it says so, and can ask again', async () => {
  const service = comeBack(fromBank, { 'POST /services/charge': () => 'unreachable' });
  await heading('Payment Confirmation Error');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Payment confirmation error. Please contact support.',
  );
  service.answer('POST /services/charge', () => ({ body: paidAnswer() }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await heading('Appointment Booked Successfully!');
});

test('a bank that has not answered yet can be asked again', async () => {
  const service = comeBack(fromBank, confirms(failed('Not confirmed yet.', 'paymentPending')));
  await heading('Payment Confirmation Error');
  service.answer('POST /services/charge', () => ({ body: paidAnswer() }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await heading('Appointment Booked Successfully!')).toBeTruthy();
});

// Shows: R-42
test('who is not signed in logs in first, and the query is kept out of the address', async () => {
  const service = comeBack(fromBank, confirms(paidAnswer()), false);
  const login = await screen.findByRole('button', { name: 'Log in' });
  expect(document.querySelector('output')?.textContent).toMatch(/^\/login \{/);
  expect(service.calls).not.toContain('POST /services/charge');
  await userEvent.click(login);
  await heading('Appointment Booked Successfully!');
  expect(service.calls).toContain('POST /services/charge');
});

test.each(['', '?payment_intent=', '?redirect_status=failed', '?other=1'])(
  'direct access with "%s" counts as success and confirms nothing',
  async (query) => {
    const service = comeBack(success + query);
    await heading('Appointment Booked Successfully!');
    expect(await screen.findByText('Check My Appointments to see your booking')).toBeTruthy();
    expect(service.calls).not.toContain('POST /services/charge');
  },
);

test('direct access shows an appointment booked in the last 15 minutes, and no older one', async () => {
  const bookedAt = CLINIC_NOW - 15 * 60;
  const appointments = (over: object): Replies =>
    reply('listAppointments', () => ({
      doctors: [],
      appointments: [
        anAppointment({ description: 'Private phone consultation', code: 'PP', ...over }),
      ],
      hasOlder: false,
    }));
  comeBack(success, appointments({ bookedAt: bookedAt + 1 }));
  expect(await screen.findByText(/^Private phone consultation on /)).toBeTruthy();
  expect(screen.queryByText('Check My Appointments to see your booking')).toBeNull();
  expect(screen.queryByText(/Arrive/)).toBeNull();
});

// Shows: R-42
test.each([
  ['cancelled', 'Appointment cancelled', {}],
  ['moved', 'Appointment moved', { movedTo: { id: 'next', startTime: CLINIC_NOW + 86_400 } }],
])(
  'direct access shows no appointment as booked that was %s within its 15 minutes',
  async (_, title, over) => {
    const ended = { status: 'cancelled', isEditable: false, endedAt: CLINIC_NOW - 60 } as const;
    comeBack(
      success,
      reply('listAppointments', () => ({
        doctors: [],
        appointments: [anAppointment({ ...ended, ...over })],
        hasOlder: false,
      })),
    );
    expect(await heading(title)).toBeTruthy();
    expect(screen.queryByText('Appointment Booked Successfully!')).toBeNull();
  },
);

// Shows: R-42
test('direct access shows nothing of a list that was loaded before', async () => {
  const answer = Promise.withResolvers<void>();
  const listed = (appointments: readonly ApiAppointment[]) => ({
    doctors: [],
    appointments: [...appointments],
    hasOlder: false,
  });
  const before = anAppointment({ description: 'Gone by now', bookedAt: CLINIC_NOW - 60 });
  function Later() {
    const queries = useQueryClient();
    useState(() => queries.setQueryData(appointmentsQuery().queryKey, listed([before])));
    return <PaymentSuccessPage />;
  }
  fakeService({
    ...bookingClinic(),
    'GET /me/appointments': async () => {
      await answer.promise;
      return { body: listed([]) };
    },
  });
  keepToken('token');
  renderPage(
    <PrivateRoute>
      <Later />
    </PrivateRoute>,
    success,
  );
  await heading('Appointment Booked Successfully!');
  expect(screen.queryByText(/^Gone by now/)).toBeNull();
  answer.resolve();
  expect(await screen.findByText('Check My Appointments to see your booking')).toBeTruthy();
});

// Shows: R-42
test('direct access after 15 minutes points to My Appointments', async () => {
  comeBack(
    success,
    reply('listAppointments', () => ({
      doctors: [],
      appointments: [anAppointment({ bookedAt: CLINIC_NOW - 15 * 60 })],
      hasOlder: false,
    })),
  );
  await waitFor(() =>
    expect(screen.getByText('Check My Appointments to see your booking')).toBeTruthy(),
  );
});
