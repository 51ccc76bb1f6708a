import { expect, test } from '../src/journey.ts';

test.use({ onlyLooks: true });

const exam = 'Immigration medical exam (other)';
// Nothing serves this type before the twentieth day.
const offer = 'Next available: Fri Dec 11, 10:00 with Dr. A. Stone';

test('where nothing is free the next available time stands beside the warning (§4 Slot search)', async ({
  atHome,
}) => {
  const home = await atHome('casey@practice.example');
  const grid = await home.search(exam);
  const warning = await grid.warning();
  await expect(warning.box).toContainText(
    'No appointments available on Sat Nov 21. Do you want to search for an appointment on a DIFFERENT day?',
  );
  await warning.press(offer);
  await warning.expectGone();
  await grid.expectFound('Available times on Fri Dec 11');
  await expect(grid.chip('10:00, Fri Dec 11, Dr. A. Stone')).toBeVisible();
});
