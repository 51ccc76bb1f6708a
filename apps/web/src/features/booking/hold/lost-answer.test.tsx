import { act, screen, waitFor } from '@testing-library/react';
import { keyOfHold } from '@clinic/domain';
import type { ApiAppointment } from '@clinic/contract';
import { expect, test, vi } from 'vitest';
import { moveAppointment } from '../../../shared/booking-link.ts';
import { dropUnsettled, keepUnsettled, readUnsettled } from '../../../shared/unsettled-request.ts';
import {
  aHold,
  anAppointment,
  bookingClinic,
  CLINIC_NOW,
  type Replies,
} from '../../../testing/booking-clinic.ts';
import {
  atConfirm,
  atHome,
  atPayment,
  atSlots,
  heading,
  payWith,
} from '../../../testing/booking-person.tsx';
import { type FakeService, refusal } from '../../../testing/fake-service.ts';
import { goBack } from '../../../testing/render.tsx';
import { casey } from '../../../testing/people.ts';

const CREATE = 'POST /schedule/create';
const CHARGE = 'POST /services/charge';
const HOLD = '0b0a4c3e-8a7e-4d57-9a57-2f6b1f0c7d11';
const KEY = keyOfHold(HOLD);
const unknownWords =
  'We could not reach the clinic. Your appointment may have been booked: see My Appointments before you book again.';

const count = ({ calls }: FakeService, call: string) => calls.filter((one) => one === call).length;
const agree = async ({ person, press }: Awaited<ReturnType<typeof atConfirm>>) => {
  await person.type(await screen.findByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
};

/** The first answer to a call is lost; then the clinic in working order answers, or `then` does. */
function losingFirst(call: string, then: Replies[string] | undefined = bookingClinic()[call]) {
  const seen: { key: string | null; body: unknown }[] = [];
  const replies: Replies = {
    [call]: (request) => {
      seen.push({ key: request.headers.get('idempotency-key'), body: request.body });
      return seen.length === 1 || then === undefined ? 'unreachable' : then(request);
    },
  };
  return { seen, replies };
}

const lookedUp = (made: ApiAppointment | null, hold = false, code = 'booked'): Replies => ({
  'GET /schedule/hold': () => ({
    body: {
      success: true,
      extras: {
        hold: hold ? aHold({ id: HOLD }) : null,
        made: made && { code, appointment: made },
      },
    },
  }),
});

// Shows: R-95
test('a booking whose answer was lost is asked for again under the same key, and is what stands', async () => {
  const looked = Promise.withResolvers<void>();
  const { seen, replies } = losingFirst(CREATE, async (request) => {
    await looked.promise;
    return bookingClinic()[CREATE]?.(request) ?? 'unreachable';
  });
  await agree(await atConfirm({}, replies));
  const checking = await screen.findByText('We are checking');
  expect(checking.closest('[role="status"]')?.parentElement).toBe(document.activeElement);
  for (const name of ['Next', 'Back', 'Agree'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(readUnsettled(casey.id)).toBe('book-hold-0001');
  looked.resolve();
  await heading('Appointment booked');
  expect(seen.map(({ key }) => key)).toEqual(['book-hold-0001', 'book-hold-0001']);
  expect(seen[1]?.body).toEqual(seen[0]?.body);
  expect(readUnsettled(casey.id)).toBeNull();
});

test('what was booked stays shown where the browser leaves the entry of the closed dialog late', async () => {
  const { replies } = losingFirst(CREATE);
  const back = vi.spyOn(window.history, 'go').mockImplementation(() => {});
  await agree(await atConfirm({}, replies));
  await heading('Appointment booked');
  expect(back.mock.calls).toEqual([[-1]]);
  back.mockRestore();
  await goBack(-1);
  expect(await heading('Appointment booked')).toBe(document.activeElement);
});

// Shows: text.post-schedule-create
test('asked again and refused, the patient reads why, and what was entered is kept', async () => {
  const { replies } = losingFirst(CREATE, () => ({
    status: 409,
    body: refusal('twoUpcoming', ''),
  }));
  const open = await atConfirm({}, replies);
  await agree(open);
  await screen.findByText('We are checking');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Error ocurred while booking the appointment.',
  );
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('a cough');
  expect(readUnsettled(casey.id)).toBeNull();
});

// Shows: R-95
test('told that its time was given up, a page gives back no time that another tab holds by then', async () => {
  const { replies } = losingFirst(CREATE, () => ({ status: 409, body: refusal('holdGone') }));
  const givenUp: (string | null)[] = [];
  const open = await atConfirm(
    {},
    {
      ...replies,
      'DELETE /schedule/hold': ({ headers }) => {
        givenUp.push(headers.get('idempotency-key'));
        return { body: { success: true } };
      },
    },
  );
  await agree(open);
  await heading(/^Booking In-person visit/);
  await waitFor(() => expect(givenUp).toEqual(['book-hold-0001']));
});

// Shows: R-95
test('after a minute without an answer the patient is sent to My Appointments', async () => {
  const open = await atConfirm({}, { [CREATE]: () => 'unreachable' });
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'],
    shouldAdvanceTime: true,
    now: CLINIC_NOW * 1000,
  });
  await agree(open);
  await screen.findByText('We are checking');
  await vi.advanceTimersByTimeAsync(60_000);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(unknownWords);
  expect(document.activeElement?.contains(alert)).toBe(true);
  expect(screen.getByRole('link', { name: 'See My Appointments' }).getAttribute('href')).toBe(
    '/appointments',
  );
  for (const name of ['Next', 'Back']) expect(screen.queryByRole('button', { name })).toBeNull();
  expect(readUnsettled(casey.id)).toBe('book-hold-0001');
  open.service.answer(CREATE, bookingClinic()[CREATE] ?? (() => 'unreachable'));
  await open.press('Check again');
  await heading('Appointment booked');
});

// Shows: R-95
test('after a reload the patient sees what the lost request has booked', async () => {
  keepUnsettled(casey.id, KEY);
  const { service } = await atHome({}, lookedUp(anAppointment({ id: HOLD })));
  await heading('Appointment booked');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  expect(screen.getByText(/^In-person visit with Dr\. A\. Stone on /)).toBeTruthy();
  await waitFor(() => expect(readUnsettled(casey.id)).toBeNull());
  expect(service.calls).not.toContain(CREATE);
});

test('after a reload an appointment that was paid for says so', async () => {
  keepUnsettled(casey.id, KEY);
  await atHome({}, lookedUp(anAppointment({ id: HOLD, code: 'V', paidAmount: 200 })));
  await heading('Payment Received');
  expect(screen.getByText('You paid CAD 200.00.')).toBeTruthy();
});

test('after a reload an appointment that was moved is not offered to be moved again', async () => {
  keepUnsettled(casey.id, KEY);
  const looks = lookedUp(anAppointment({ id: HOLD }), false, 'rescheduled');
  const facts = { appointments: [anAppointment({ status: 'cancelled' })] };
  const list = 'GET /me/appointments';
  const slow = Promise.withResolvers<void>();
  const slowList: Replies = {
    ...looks,
    [list]: async (request) => {
      await slow.promise;
      return bookingClinic(facts)[list]?.(request) ?? 'unreachable';
    },
  };
  const { press, queryClient } = await atHome(facts, slowList, moveAppointment('visit-1', 'O'));
  slow.resolve();
  await heading('Appointment rescheduled');
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await heading('Appointment rescheduled');
  await press('Return to Home');
  await heading('Please choose appointment type:');
});

test('after a reload a booking that was not made can be continued, under its key', async () => {
  keepUnsettled(casey.id, KEY);
  const keys: (string | null)[] = [];
  const { press, person } = await atHome(
    {},
    {
      ...lookedUp(null, true),
      [CREATE]: (request) => {
        keys.push(request.headers.get('idempotency-key'));
        return bookingClinic()[CREATE]?.(request) ?? 'unreachable';
      },
    },
  );
  await press('Continue');
  expect(readUnsettled(casey.id)).toBe(KEY);
  await person.type(await screen.findByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  await heading('Appointment booked');
  expect(keys).toEqual([KEY]);
});

test('of a request whose hold has lapsed nothing is kept, once it can book nothing any more', async () => {
  keepUnsettled(casey.id, KEY);
  const givenUp: (string | null)[] = [];
  await atHome(
    {},
    {
      ...lookedUp(null),
      'DELETE /schedule/hold': ({ headers }) => {
        givenUp.push(headers.get('idempotency-key'));
        return { body: { success: true } };
      },
    },
  );
  await heading('Please choose appointment type:');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  expect(givenUp).toEqual([KEY]);
  expect(readUnsettled(casey.id)).toBeNull();
});

test('a browser that can keep nothing more still knows the lost request while its page is open', () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  keepUnsettled(casey.id, KEY);
  full.mockRestore();
  expect(readUnsettled(casey.id)).toBe(KEY);
  dropUnsettled(casey.id, KEY);
  expect(readUnsettled(casey.id)).toBeNull();
});

// Shows: R-95
test('a hold whose answer was lost is asked for again, and stands', async () => {
  const { seen, replies } = losingFirst('POST /schedule/hold');
  const { press } = await atSlots({}, replies);
  await press(/^09:00/);
  await heading('Confirm your appointment');
  expect(seen[1]?.body).toEqual(seen[0]?.body);
});

// Shows: R-95
test('of a hold that nobody answers for the patient reads that it may stand', async () => {
  const { press } = await atSlots({}, { 'POST /schedule/hold': () => 'unreachable' });
  await press(/^09:00/);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'We could not reach the clinic. This time may be held for you: please try again to find out.',
  );
});

// Shows: R-95
test('before another time is held, the patient sees what a lost request of another tab has booked', async () => {
  const { press, service } = await atSlots({}, lookedUp(null));
  keepUnsettled(casey.id, KEY);
  const [[call, looked] = ['', () => 'unreachable' as const]] = Object.entries(
    lookedUp(anAppointment({ id: HOLD })),
  );
  service.answer(call, looked);
  await press(/^09:00/);
  await heading('Appointment booked');
  expect(service.calls).toContain('DELETE /schedule/hold');
  expect(service.calls).not.toContain('POST /schedule/hold');
});

test('no other time is held while nobody can say what became of the lost request', async () => {
  const { press, service } = await atSlots({}, { 'DELETE /schedule/hold': () => 'unreachable' });
  keepUnsettled(casey.id, KEY);
  await press(/^09:00/);
  expect((await screen.findByRole('alert')).textContent).toContain(unknownWords);
  expect(screen.getByRole('link', { name: 'See My Appointments' })).toBeTruthy();
  expect(service.calls).not.toContain('POST /schedule/hold');
  expect(readUnsettled(casey.id)).toBe(KEY);
});

// Shows: R-95
test('a payment whose answer was lost is asked for with the same card and key, and is what stands', async () => {
  const { seen, replies } = losingFirst(CHARGE);
  await payWith(await atPayment({}, replies));
  await screen.findByText('We are checking');
  expect(screen.queryByRole('button', { name: /Pay/ })).toBeNull();
  await heading('Payment Received');
  expect(seen).toHaveLength(2);
  expect(seen[1]).toEqual(seen[0]);
});

// Shows: text.post-services-charge
test('a payment that was checked and refused without words reads as §8 has it, and the card form is kept', async () => {
  const { replies } = losingFirst(CHARGE, () => ({
    status: 402,
    body: refusal('cardDeclined', ''),
  }));
  const open = await atPayment({}, replies);
  await payWith(open);
  await screen.findByText('We are checking');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'An unknown error has occurred. Please try again.',
  );
  expect(screen.getByLabelText<HTMLInputElement>('Card number').value).not.toBe('');
  expect(count(open.service, CHARGE)).toBe(2);
});

test('what an earlier request has booked is shown once, also where another language asks all anew', async () => {
  keepUnsettled(casey.id, KEY);
  const { press, queryClient } = await atHome({}, lookedUp(anAppointment()));
  await heading('Appointment booked');
  await press('Return to Home');
  await heading('Please choose appointment type:');
  await act(() => queryClient.invalidateQueries());
  expect(await heading('Please choose appointment type:')).toBeTruthy();
});
