import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { bookingClinic, refuse, type Replies } from '../../../testing/booking-clinic.ts';
import { atConfirm, atPayment, heading, payWith } from '../../../testing/booking-person.tsx';
import type { FakeService } from '../../../testing/fake-service.ts';
import { fakeUploads } from '../../../testing/fake-uploads.ts';

const card = new File([Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])], 'card.jpg', {
  type: 'image/jpeg',
});
const words = 'Please upload your health card and picture ID first.';
const CREATE = 'POST /schedule/create';
const CHARGE = 'POST /services/charge';
const failedCheck: Replies = {
  'GET /me/should-upload-document': () => ({ status: 500, body: {} }),
};

type AtStep = Awaited<ReturnType<typeof atConfirm>>;

/** From now on the call is answered as by a clinic that has the documents. */
function takes(service: FakeService, call: string) {
  const works = bookingClinic()[call];
  if (works) service.answer(call, works);
}

async function uploadBoth({ person, press, service }: AtStep, call: string) {
  URL.createObjectURL = () => 'blob:card';
  const uploads = fakeUploads();
  for (const [index, title] of [
    'Step 1: Upload your health card',
    'Step 2: Upload your picture ID',
  ].entries()) {
    await screen.findByRole('heading', { name: title });
    await person.upload(screen.getByLabelText('Choose files'), card);
    await press('Upload');
    await waitFor(() => expect(uploads).toHaveLength(index + 1));
    takes(service, call);
    uploads[index]?.answer(200, { success: true, extras: { message: 'Kept.' } });
  }
}

// Shows: R-34
test('an upload check that failed leads to the upload when the booking is refused for it', async () => {
  const replies = { ...failedCheck, ...refuse('createBooking', 422, 'documentsMissing', words) };
  const step = await atConfirm({}, replies);
  await step.person.type(screen.getByRole('textbox'), 'a cough');
  await step.press('Next');
  await step.press('Agree');
  await uploadBoth(step, CREATE);
  expect(await heading('Appointment booked')).toBeTruthy();
});

// Shows: R-34
test('the same at the payment, which goes on with the card that was typed', async () => {
  const replies = { ...failedCheck, ...refuse('charge', 422, 'documentsMissing', words) };
  const step = await atPayment({}, replies);
  await payWith(step);
  await uploadBoth(step, CHARGE);
  expect(await heading('Payment Received')).toBeTruthy();
});
