import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';

test.use({ onlyLooks: true });

const familyOnly = 'This doctor only sees patients who have an active doctor at our clinic';
const withoutOwn = "This doctor doesn't accept patients with own family doctor";

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

// Shows: 5.doctor-choice.2
test('a patient with an own family doctor cannot choose who takes only patients without one (§5)', async ({
  atHome,
}) => {
  const home = await atHome('fran@practice.example');
  await home.choose({ type: 'In-person visit' });
  await home.expectDoctor('Dr. O. Price', { line: withoutOwn, selectable: false });
  await home.expectDoctor('Dr. G. Liu', { line: familyOnly, selectable: false });
  await home.choose({ type: 'Private visit' });
  await home.expectDoctor('Dr. O. Price', { line: '', selectable: true });
  await home.expectDoctor('Dr. G. Liu', { line: '', selectable: true });
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

// Shows: 4.selection.3, 6.restrictions.3
test('a nurse practitioner hides every type but O and P, until the doctor is cleared (R-21)', async ({
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  await home.choose({ type: 'In-person visit', doctor: 'NP J. Avery' });
  await expect(home.types()).toHaveCount(2);
  await expect(home.type('Private visit')).toBeHidden();
  await home.press('Show all types');
  await expect(home.type('Private visit')).toBeVisible();
  await expect(home.doctor('NP J. Avery')).not.toBeChecked();

  await home.choose({ type: 'Private visit', doctor: 'Dr. A. Stone' });
  await home.choose({ type: 'In-person visit' });
  await expect(home.doctor('Dr. A. Stone')).not.toBeChecked();
});

// Shows: R-24
test('the times of a nurse practitioner stand under her name', async ({ page, atHome }) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('In-person visit', 'NP J. Avery');
  await expect(
    page.getByRole('heading', {
      name: 'Booking In-person visit with J. Avery: Come to the clinic',
    }),
  ).toBeVisible();
  await grid.expectFound();
  await expect(grid.chips().first()).toHaveAccessibleName(/, NP J\. Avery$/);
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

test("a patient who is unknown to the clinic's records has no doctor here (R-22)", async ({
  atHome,
}) => {
  const home = await atHome('tess@practice.example');
  await home.choose({ type: 'In-person visit' });
  await home.expectDoctor('Dr. G. Liu', { line: familyOnly, selectable: false });
});

// Shows: 5.doctor-choice.3, R-23
test('when the check of the primary doctor fails, his times are hidden with a way to retry (R-23)', async ({
  page,
  atHome,
}) => {
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

// Shows: 1.can.8, 2.choose-type.4
test('a medication refill leads to the site for it, without a day or a doctor (§2 step 1)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  await home.choose({ type: 'Medication refill' });
  await expect(home.main.getByRole('group', { name: 'Doctor' })).toBeHidden();
  await expect(home.calendar).toBeHidden();
  await expect(page.getByRole('link', { name: 'Next' })).toHaveAttribute(
    'href',
    'https://medication.example/',
  );
});
