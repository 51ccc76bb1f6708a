import { expect, listenForErrors, test } from '../src/journey.ts';
import { Account } from '../src/pages/account.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { Login } from '../src/pages/login.ts';
import { NotFound } from '../src/pages/not-found.ts';

test.use({ onlyLooks: true });

// Shows: 2.routes.10
test('any other address says that the page is not found, with three ways on (§2 Routes)', async ({
  page,
  as,
}) => {
  await page.goto('/no/such/page');
  const visitor = await NotFound.arrive(page);
  await expect(visitor.says('The page you requested is not found.')).toBeVisible();
  await expect(visitor.main.getByRole('link')).toHaveText(['Log in', 'Sign Up', 'Walk-in hours']);

  await as('new1@practice.example');
  await page.goto('/appointments/7');
  const patient = await NotFound.arrive(page);
  await expect(patient.main.getByRole('link')).toHaveText([
    'Book Appointment',
    'My Appointments',
    'My Account',
  ]);
});

// Shows: 1.can.9, 2.shell.4, 2.shell.5
test('the legal texts open from the footer, for everybody, and lead to each other (§2 Shell)', async ({
  page,
}) => {
  await page.goto('/login');
  const login = await Login.arrive(page);
  const terms = await login.shell.openLegal('Terms of Use');
  await expect(terms.box).toContainText('Version 2.0.');
  await terms.press('Privacy Policy');
  const privacy = await Dialog.arrive(page, 'Privacy Policy');
  await expect(privacy.box).toContainText('Version 2.0.');
  await privacy.press('Fee Schedule');
  const fees = await Dialog.arrive(page, 'Fee Schedule');
  await fees.press('Terms of Use');
  const again = await Dialog.arrive(page, 'Terms of Use');
  await again.press('Close');
  await again.expectGone();
  await expect(login.shell.footer.getByRole('button', { name: 'Terms of Use' })).toBeFocused();

  // The browser's way back closes it, and a reload shows it again.
  await login.email.fill('new1@practice.example');
  await login.shell.openLegal('Fee Schedule');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(login.email).toHaveValue('new1@practice.example');
  await login.shell.openLegal('Fee Schedule');
  await page.reload();
  await (await Dialog.arrive(page, 'Fee Schedule')).press('Close');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await Login.arrive(page);
});

// Shows: 2.shell.6, R-83
test('the footer is there except on confirm, and the practice banner everywhere (R-83)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new4@practice.example');
  await expect(home.shell.footer).toContainText(
    'This address is for booking problems only, not for medical advice.',
  );
  await expect(home.shell.practiceBanner).toBeVisible();
  const grid = await home.search('In-person visit');
  await expect(grid.shell.footer).toBeVisible();
  const { confirm } = await grid.pickFirst();
  await expect(confirm.shell.footer).toBeHidden();
  await expect(confirm.shell.practiceBanner).toBeVisible();
  await confirm.press('Back');
  await expect(confirm.shell.footer).toBeVisible();

  await page.goto('/walkin');
  await expect(page.getByRole('heading', { level: 1, name: 'Walk-in information' })).toBeVisible();
});

// Shows: 2.shell.1
test('the title links home and resets the booking (§2 Shell)', async ({ page, atHome }) => {
  const home = await atHome('new5@practice.example');
  await home.search('In-person visit', 'Dr. A. Stone');
  await home.shell.home().click();
  const fresh = await ChooseType.arrive(page);
  await expect(fresh.type('In-person visit')).not.toBeChecked();
});

// Shows: 2.routes.5, 2.shell.3
test('the tabs lead to the three pages of a patient and say where one is', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new6@practice.example');
  await expect(home.shell.tab('Book Appointment')).toHaveAttribute('aria-current', 'page');
  await home.shell.tab('My Appointments').click();
  const appointments = await Appointments.arrive(page);
  await expect(appointments.shell.tab('My Appointments')).toHaveAttribute('aria-current', 'page');
  await appointments.shell.tab('My Account').click();
  await Account.arrive(page);
});

test('a patient’s page comes while the service says who the patient is', async ({ page, as }) => {
  await as('new7@practice.example');
  const fetched = page.waitForRequest(/assets\/booking-page-/);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/me', async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto('/');
  await fetched;
  answer();
  await ChooseType.arrive(page);
});

test('the colours follow the device until a patient chooses, and stay chosen', async ({ page }) => {
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/login');
  const login = await Login.arrive(page);
  const light = await paper();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(paper).not.toBe(light);
  const dark = await paper();
  await Login.arrive(page);

  await login.shell.chooseColours('Light');
  await expect.poll(paper).toBe(light);
  await page.reload();
  await Login.arrive(page);
  expect(await paper()).toBe(light);
  await login.shell.chooseColours('Dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(paper).toBe(dark);
  expect(await background()).toContain('dark');
  await login.shell.chooseColours('Same as my device');
  await expect.poll(paper).toBe(light);
});

// Shows: S-9
test('every page is served with a policy that forbids foreign content, and a breach fails a journey (S-9)', async ({
  browser,
  clinic,
}) => {
  const context = await browser.newContext();
  const failures = listenForErrors(context);
  const page = await context.newPage();
  const answer = await page.goto(`${clinic.url}/login`);
  await Login.arrive(page);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).not.toContain('unsafe-eval');
  expect(failures).toEqual([]);
  await page.evaluate(() => {
    const image = document.createElement('img');
    image.src = 'https://elsewhere.example/pixel.png';
    document.body.append(image);
  });
  await expect
    .poll(() => failures.join())
    .toContain('violates the following Content Security Policy');
  await context.close();
});
