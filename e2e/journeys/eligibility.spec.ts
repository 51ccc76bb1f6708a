import { picture } from '../src/attached-files.ts';
import { expect, test } from '../src/journey.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { Booked } from '../src/pages/booked.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { UploadDocument } from '../src/pages/upload-document.ts';

const { healthCard, pictureId } = UploadDocument.steps;

// Shows: 1.can.2, 2.confirm.8, 4.confirm-next.3, R-35
test('noel uploads both documents, understands the notice, and pays for a phone consultation (R-34, R-35)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('noel@practice.example');
  const { confirm } = await (await home.search('Phone consultation')).pickFirst();
  await (await confirm.nextWarned('a rash')).press('I accept the fee');
  for (const [step, file] of [
    [healthCard, 'card.png'],
    [pictureId, 'licence.png'],
  ] as const) {
    const asked = await UploadDocument.arrive(page, step);
    await asked.choose(picture(file));
    await asked.upload();
  }
  const notice = await Dialog.arrive(page, 'Important Notice');
  await page.keyboard.press('Escape');
  await notice.expectGone();
  await expect(confirm.button('Next')).toBeFocused();
  await (await confirm.nextTo('Important Notice')).press('I Understand');
  const details = await AppointmentDetails.arrive(page, 'Appointment Details');
  const payment = await details.agreeToPay();
  await expect(payment.total).toHaveText('CAD 200.00');
  await payment.payAndBook();
});

// Shows: R-34
test('a patient whose documents are missing uploads them at the payment when the check failed (R-34)', async ({
  page,
  atHome,
}) => {
  await page.route('**/should-upload-document', (route) => route.abort());
  const home = await atHome('riley@practice.example');
  const { confirm } = await (await home.search('In-person visit', 'Dr. A. Stone')).pickFirst();
  const payment = await confirm.toPayment('a sore knee', { warned: true });
  await payment.payWith('4242 4242 4242 4242');
  for (const step of [healthCard, pictureId]) {
    const upload = await UploadDocument.arrive(page, step);
    await upload.choose(picture('document.png'));
    await upload.upload();
  }
  await Booked.arrive(page);
});

// Shows: R-33
test('who lives under another eligibility pays what the policy says (R-32, R-33)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('nora@practice.example');
  const { confirm } = await (await home.search('Phone consultation')).pickFirst();
  const payment = await confirm.toPayment('test results', { warned: false });
  await expect(payment.total).toHaveText('CAD 10.00');
  await payment.payAndBook();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Received');
});
