import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { liveSocket } from '../src/live-socket.ts';

test.use({ onlyLooks: true });

const familyOnly = 'This doctor only sees patients who have an active doctor at our clinic';

// Shows: 2.choose-type.2, 2.choose-type.5
test('every listed doctor may be chosen by a patient of 101, notes are shown, hidden doctors are not', async ({
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  await home.choose({ type: 'In-person visit' });
  await expect(home.doctors()).toHaveCount(8);
  await home.expectDoctor('Dr. G. Liu', { line: '', selectable: true });
  await home.expectDoctor('Dr. O. Price', { line: '', selectable: true });
  await home.expectDoctor('NP J. Avery', { line: '', selectable: true });
  await home.expectDoctor('Dr. L. Romero', {
    line: 'Note: Away in the afternoons',
    selectable: true,
  });
  await expect(home.main).not.toContainText('Novak');
  await expect(home.main).not.toContainText('Baker');
});

// Shows: 5.slot-visibility.3, R-22
test('a doctor whom the clinic has blocked for a patient is not available (R-22)', async ({
  atHome,
}) => {
  const home = await atHome('casey@practice.example');
  await home.choose({ type: 'In-person visit' });
  await home.expectDoctor('Dr. L. Romero', { line: 'Not available', selectable: false });
  const grid = await home.search('In-person visit');
  await grid.press('Next Day');
  await grid.expectFound('Available times on Sun Nov 22');
  await expect(grid.column('Provider A. Stone')).toBeVisible();
  await expect(grid.column('Provider L. Romero')).toBeHidden();
});

// Shows: 5.slot-visibility.3
test('a patient whose doctor is not active cannot choose who sees only family patients (R-22)', async ({
  atHome,
}) => {
  const home = await atHome('ines@practice.example');
  await home.choose({ type: 'In-person visit' });
  await home.expectDoctor('Dr. G. Liu', { line: familyOnly, selectable: false });
  await home.expectDoctor('Dr. O. Price', { line: '', selectable: true });
  const grid = await home.search('In-person visit');
  await grid.press('Next Day');
  await grid.expectFound('Available times on Sun Nov 22');
  await expect(grid.column('Provider O. Price')).toBeVisible();
  await expect(grid.column('Provider G. Liu')).toBeHidden();
});

// Shows: 4.selection.5
test('a doctor who is not active as an assigned provider returns for types without enforcement (§4)', async ({
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  await home.choose({ type: 'In-person visit' });
  await home.expectDoctor('Dr. H. Kim', {
    line: 'Note: Your assigned provider is not active',
    selectable: false,
  });
  await home.choose({ type: 'Private visit' });
  await expect(home.doctor('Dr. H. Kim')).toBeEnabled();
});

// Shows: 2.choose-type.2
test('a type that is not enabled for a patient is not offered', async ({ atHome }) => {
  const home = await atHome('dee@practice.example');
  await home.otherTypes.click();
  await expect(home.type('In-person visit')).toBeVisible();
  await expect(home.type('Driver medical')).toBeHidden();
});

test('a patient who may not book reads so on Next (§5 Booking step 1)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('bo@practice.example');
  await home.choose({ type: 'In-person visit', doctor: 'Earliest available doctor' });
  await home.press('Next');
  await expect(home.alert()).toContainText(
    'You are blocked from booking an appointment using this service. If you wish to see a doctor, please come in person to the medical clinic.',
  );
  await expectAccessible(page);
});

// Shows: 5.doctor-choice.3, R-23
test('when the check of the primary doctor fails, his times are hidden with a way to retry (R-23)', async ({
  page,
  atHome,
}) => {
  // Once it stands, the connection has what failed asked for again.
  (await liveSocket(page)).cut();
  await page.route('**/api/clinic/admin/patient/*', (route) => route.abort());
  const home = await atHome('new1@practice.example');
  await home.choose({ type: 'In-person visit' });
  await home.expectDoctor('Dr. G. Liu', { line: '', selectable: true });
  const grid = await home.search('In-person visit');
  await expect(grid.main).toContainText("We couldn't check your family doctor at our clinic, so");
  await page.unroute('**/api/clinic/admin/patient/*');
  await grid.press('Try again');
  await expect(grid.main).not.toContainText("We couldn't check your family doctor");
});
