import { brokenPicture, heicPicture, pageAsPicture, picture } from '../src/attached-files.ts';
import { expect, test } from '../src/journey.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { UploadDocument } from '../src/pages/upload-document.ts';

const { healthCard, pictureId } = UploadDocument.steps;

// Shows: 2.confirm.7, 4.confirm-next.3, 5.files.1, 5.files.2, 5.files.3, 6.eligibility.2,
// 8.alerts.1, R-34, text.post-message-upload
test('a patient without documents uploads health card and picture ID, is told what is wrong, and goes on (§4 Next on confirm, §5 File picker)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('riley@practice.example');
  const grid = await home.search('In-person visit', 'Dr. A. Stone');
  const { confirm } = await grid.pickFirst();
  await (await confirm.nextWarned('a cough')).press('I accept the fee');

  const card = await UploadDocument.arrive(page, healthCard);
  await card.upload();
  await card.expectRefused('Pleae choose your file to upload');
  await card.choose(heicPicture);
  await card.expectRefused(
    `${heicPicture.name}: Please upload another type of image such as JPEG, JPG or PNG`,
  );
  await card.choose(pageAsPicture);
  await card.expectRefused("card.png can't be attached.");
  await card.choose(...['1.png', '2.png', '3.png', '4.png'].map(picture));
  await card.expectRefused('You can only attach maximum of 3 files');
  await card.expectDrawn('1.png');
  await card.press('Remove 2.png');
  await card.press('Remove 3.png');
  await expect(card.chooser).toBeFocused();

  await page.route('**/message/upload', (route) => route.abort());
  await card.upload();
  await expect(card.box.getByRole('alert')).toContainText('Uploading file failed.');
  await page.unroute('**/message/upload');
  await card.press('Try again');

  const id = await UploadDocument.arrive(page, pictureId);
  await id.choose(brokenPicture);
  await id.upload();
  await expect(id.box.getByRole('alert')).toContainText(/./);
  await id.press('Remove broken.png');
  await id.choose(picture('passport.png'));
  await id.press('Upload');
  const details = await AppointmentDetails.arrive(page, 'Appointment Details');
  await details.press('Cancel');

  // What was uploaded is not asked for again.
  await confirm.press('Next');
  await AppointmentDetails.arrive(page, 'Appointment Details');
});

test('whoever leaves the upload is back on Next, and nothing was sent', async ({
  page,
  atHome,
}) => {
  const home = await atHome('noel@practice.example');
  const grid = await home.search('Phone consultation');
  const { confirm } = await grid.pickFirst();
  await (await confirm.nextWarned('a rash')).press('I accept the fee');
  const card = await UploadDocument.arrive(page, healthCard);
  await card.choose(picture('card.png'));
  await page.keyboard.press('Escape');
  await card.expectGone();
  await expect(confirm.button('Next')).toBeFocused();
  await confirm.press('Next');
  await UploadDocument.arrive(page, healthCard);
});
