import { expect, test } from '../src/journey.ts';
import { deafen } from '../src/live-socket.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Dialog } from '../src/pages/dialog.ts';

test.use({ onlyLooks: true });

// Shows: 2.pick-slot.2, R-14
test('Next Day moves on by a day and the way back leads to the day before (R-14)', async ({
  page,
  atHome,
}) => {
  // A connection that has to be opened again has all times searched anew.
  await deafen(page);
  const home = await atHome('new1@practice.example');
  const calls: string[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().includes('/doctors/schedule')) calls.push(request.url());
  });
  const grid = await home.search('In-person visit');
  await grid.expectFound('Available times on Sat Nov 21');
  // The same days may have been asked for twice by now: step 1 wants them for its marks, and lets go of
  // an answer that comes as Next is pressed.
  calls.length = 0;
  await expect(grid.button('Previous Day')).toBeHidden();
  await grid.press('Next Day');
  await grid.expectFound('Available times on Sun Nov 22');
  await expect(grid.chips().first()).toHaveAccessibleName(/, Sun Nov 22, /);
  await grid.press('Previous Day');
  await grid.expectFound('Available times on Sat Nov 21');
  // What was fetched is not fetched again.
  expect(calls).toEqual([...new Set(calls)]);
  expect(calls.filter((url) => url.includes('from=2026-11-21'))).toEqual([]);

  await grid.press('Back');
  const back = await ChooseType.arrive(page);
  await expect(back.type('In-person visit')).toBeChecked();
  await expect(back.doctor('Earliest available doctor')).toBeChecked();
});

// Shows: 4.slot-search.2
test('a doctor with nothing for eight days is found by the automatic search (§4 Slot search)', async ({
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('In-person visit', 'Dr. R. Mehta');
  await grid.expectFound('Available times from Fri Nov 27 to Wed Dec 02');
  await expect(grid.column('Sun Nov 29')).toContainText('No times available');
  await expect(grid.chips().first()).toHaveAccessibleName(/, Mon Nov 30, Dr\. R\. Mehta$/);
});

// Shows: 2.pick-slot.8
test('when the automatic search finds nothing, No stays and Yes goes on (R-15, §8)', async ({
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('Immigration medical exam (other)');
  const warning = await grid.warning();
  await expect(warning.box).toContainText(
    'No appointments available on Sat Nov 21. Do you want to search for an appointment on a DIFFERENT day?',
  );
  await warning.press('No');
  await warning.expectGone();
  await expect(
    grid.says(
      'There are no appointments available for the parameters you selected. Please choose another day, doctor or appointment type.',
    ),
  ).toBeVisible();

  await grid.press('Next Day');
  const next = await grid.warning();
  await expect(next.box).toContainText('No appointments available on Sun Nov 22.');
  await next.press('Yes');
  const after = await Dialog.arrive(grid.page, 'Warning');
  await expect(after.box).toContainText('No appointments available on Mon Nov 30.');
  await after.press('Yes');
  await grid.expectFound('Available times on Fri Dec 11');
});

// Shows: 5.choose-type.4
test('the search stops at the ninetieth day (R-13)', async ({ atHome }) => {
  const home = await atHome('new1@practice.example');
  const turn = home.calendar.getByRole('button', { name: 'Next month' });
  for (let month = 11; month < 14; month += 1) await turn.click();
  await expect(turn).toBeDisabled();
  await expect(home.day('Saturday, February 20, 2027')).toBeDisabled();
  await home.day('Friday, February 19, 2027').click();
  const grid = await home.search('In-person visit');
  await grid.expectFound('Available times on Fri Feb 19');
  await expect(grid.button('Next Day')).toBeHidden();
});

// Shows: 2.pick-slot.7
test('while the times are on their way the patient is asked for patience (§2)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/doctors/schedule?*', async (route) => {
    await held;
    await route.continue();
  });
  const grid = await home.search('In-person visit');
  await expect(grid.says('Please be patient. This may take a while.')).toBeVisible();
  letGo();
  await grid.expectFound();
});
