import { expect, type Locator, type Page } from '@playwright/test';

import type { Chance } from '../../faults/chance.ts';
import { practiceCards } from '../pages/payment.ts';

/** One act of the patient at one page; false where it cannot be done there. */
type Act = (page: Page, chance: Chance) => Promise<boolean>;

const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string | RegExp) =>
  main(page).getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('alertdialog').or(page.getByRole('dialog'));
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });

/** Nothing on the page is under way any more. */
const settled = (page: Page) =>
  expect(
    page
      .locator('main [aria-busy="true"], main button[aria-disabled="true"][data-busy]')
      .or(page.getByText('Loading…', { exact: true })),
  ).toHaveCount(0);

const isThere = (locator: Locator) => locator.first().isVisible();

/** Leaves an open question, as whoever looks elsewhere does. */
async function closeDialog(page: Page): Promise<void> {
  if (await isThere(dialog(page))) await page.keyboard.press('Escape');
}

async function goTo(page: Page, name: string): Promise<void> {
  await closeDialog(page);
  await tab(page, name).click();
  await settled(page);
}

async function pickTime(page: Page, chance: Chance): Promise<boolean> {
  const chips = main(page).getByRole('button', { name: /^\d\d:\d\d[, ]/ });
  await expect(chips.or(page.getByText(/no appointments available/)).first()).toBeVisible();
  const count = await chips.count();
  if (count === 0) return false;
  await chips.nth(Math.floor(chance.next() * Math.min(count, 40))).click();
  const refused = main(page).getByRole('alert');
  const confirm = page.getByRole('heading', { level: 1, name: 'Confirm your appointment' });
  await expect(confirm.or(refused).first()).toBeVisible();
  return true;
}

const pick =
  (type: string): Act =>
  async (page, chance) => {
    await closeDialog(page);
    await page.getByRole('link', { name: /, home$/ }).click();
    await expect(heading(page)).toHaveText('Please choose appointment type:');
    const card = main(page).getByRole('radio', { name: type, exact: true });
    if (!(await card.isVisible())) await button(page, /^Other types/).click();
    await card.click();
    await main(page).getByRole('radio', { name: 'Earliest available doctor' }).check();
    await button(page, 'Next').click();
    return pickTime(page, chance);
  };

const atConfirm = 'Confirm your appointment';

/** Next, and yes to every question, until the page leads on or says why not. */
const goOn: Act = async (page) => {
  if ((await heading(page).textContent()) !== atConfirm) return false;
  const reason = main(page).getByRole('textbox').first();
  if (!(await isThere(reason))) return false;
  if ((await reason.inputValue()) === '') await reason.fill('a sore knee');
  await button(page, 'Next').click();
  const yes = dialog(page).getByRole('button', { name: /^(I accept the fee|Agree)$/ });
  const over = page.locator('h1', { hasNotText: atConfirm }).or(
    main(page)
      .getByRole('alert')
      .filter({ hasText: /Not booked yet|longer available|already booked/ }),
  );
  for (;;) {
    await expect(yes.or(over).first()).toBeVisible();
    if (await isThere(over)) return true;
    const asked = await yes.first().textContent();
    await yes.first().click();
    await expect(
      yes
        .filter({ hasText: asked ?? '' })
        .or(over)
        .first(),
    ).toHaveCount((await isThere(over)) ? 1 : 0);
  }
};

const payWith =
  (card: string): Act =>
  async (page) => {
    if ((await heading(page).textContent()) !== 'Pay for Appointment') return false;
    await main(page).getByLabel('Card number').fill(card);
    await main(page).getByLabel('Expiry (MM/YY)').fill('1230');
    await main(page).getByLabel('CVC').fill('123');
    await button(page, 'Pay Online').click();
    const ends = page.locator('h1', { hasNotText: 'Pay for Appointment' });
    await expect(ends.or(main(page).getByRole('alert')).first()).toBeVisible();
    if ((await heading(page).textContent()) !== 'Practice bank') return true;
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(heading(page)).toHaveText('Appointment Booked Successfully!');
    return true;
  };

const onHome =
  (name: string): Act =>
  async (page) => {
    await goTo(page, 'Book Appointment');
    if (!(await isThere(button(page, name)))) return false;
    await button(page, name).click();
    await expect(button(page, name)).toHaveCount(0);
    return true;
  };

/** Opens the question about the first appointment that may be changed so, and leaves it open. */
const ask =
  (name: string): Act =>
  async (page) => {
    await goTo(page, 'My Appointments');
    const ways = button(page, name).and(page.locator(':enabled:not([aria-disabled="true"])'));
    if (!(await isThere(ways))) return false;
    await ways.first().click();
    return true;
  };

/** Every act, by its name in the told story. */
export const acts = {
  'picks a visit': pick('In-person visit'),
  'picks a private visit': pick('Private visit'),
  'goes on': goOn,
  'goes on at once': goOn,
  pays: payWith(practiceCards.good),
  'pays through the bank': payWith(practiceCards.bankFirst),
  continues: onHome('Continue'),
  releases: onHome('Release this time'),
  'steps back': async (page) => {
    if (!['Pay for Appointment', atConfirm].includes((await heading(page).textContent()) ?? ''))
      return false;
    await button(page, 'Back').click();
    await settled(page);
    return true;
  },
  'is asked about cancelling': ask('Cancel Appointment'),
  'is asked about moving': ask('Reschedule Appointment'),
  cancels: async (page) => {
    if (!(await isThere(button(page, 'Confirm Cancellation')))) return false;
    await button(page, 'Confirm Cancellation').click();
    await expect(heading(page)).toHaveText('My Appointments');
    return true;
  },
  moves: async (page, chance) => {
    const yes = dialog(page).getByRole('button', { name: 'Yes, reschedule appointment' });
    if (!(await isThere(yes))) return false;
    await yes.click();
    await expect(heading(page)).toContainText('Reschedule');
    await button(page, 'Next').click();
    return pickTime(page, chance);
  },
  writes: async (page, chance) => {
    await goTo(page, 'My Account');
    await page.getByRole('link', { name: 'Messages' }).click();
    if (await isThere(button(page, 'Back to messages')))
      await button(page, 'Back to messages').click();
    await button(page, 'Write to the clinic').click();
    await page.getByLabel('Your message').fill(`It hurts ${chance.next()}`);
    await button(page, 'Send').click();
    await expect(page.getByLabel('Your reply')).toBeVisible();
    return true;
  },
  'changes the city': async (page, chance) => {
    await goTo(page, 'My Account');
    if (await isThere(button(page, 'Cancel'))) await button(page, 'Cancel').click();
    await button(page, 'Edit').click();
    await page.getByLabel('City', { exact: true }).fill(`Town ${Math.floor(chance.next() * 1e6)}`);
    await button(page, 'Update').click();
    await expect(button(page, 'Edit')).toBeVisible();
    return true;
  },
  'looks at home': async (page) => (await goTo(page, 'Book Appointment'), true),
  'looks at the appointments': async (page) => (await goTo(page, 'My Appointments'), true),
  'looks at the account': async (page) => (await goTo(page, 'My Account'), true),
  'loads the page anew': async (page) => (await page.reload(), await settled(page), true),
} satisfies Record<string, Act>;

export type ActName = keyof typeof acts;
export const actNames = Object.keys(acts) as ActName[];
