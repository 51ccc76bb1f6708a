import { expectAccessible } from '../accessible.ts';
import { said } from '../said.ts';
import { signInAtDesk } from '../sign-in-at-desk.ts';
import type { Flow, Guide } from './flow.ts';

const DAY = '/desk/day/2026-11-21';
const WEEK = '/desk/day/week/101/2026-11-21';

/** Every screen of the front desk that its list names, as somebody sees it. */
const everyScreen =
  (email: string): Flow['go'] =>
  async (guide) => {
    await signInAtDesk(guide.page, guide.clinic.url, email, '/desk/');
    const names = guide.page
      .getByRole('navigation', { name: said(guide.page, 'Screens') })
      .getByRole('link');
    for (const name of await names.allTextContents()) {
      await names.filter({ hasText: name }).click();
      await stopWith(guide, name.replace(/\d.*/, ''));
    }
  };

/** Pages that no list names: others lead to them. */
const PAGES_BEHIND = {
  print: '/desk/print/2026-11-21',
  clinic: '/desk/setup/clinic',
  tables: '/desk/setup/tables',
  week: '/desk/schedule/weeks/101',
  'one-day': '/desk/schedule/weeks/101?day=2026-11-24',
  'your-sign-in': '/desk/your-sign-in',
  texts: '/desk/setup/texts',
};

async function stopWith({ page, stop }: Guide, name: string, isDense = false): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.getByText(said(page, 'Loading'), { exact: true }).first().waitFor({ state: 'hidden' });
  await expectAccessible(page, { isDense });
  await stop(`desk-${name.toLowerCase().replaceAll(' ', '-')}`);
}

/** The screens and dialogs of the front desk. */
export const deskFlows: readonly Flow[] = [
  {
    go: async (guide) => {
      const { page, clinic } = guide;
      await page.goto(DAY);
      await page.getByRole('heading', { name: said(page, 'Front desk') }).waitFor();
      await stopWith(guide, 'sign-in');
      await signInAtDesk(page, clinic.url, 'robin@practice.example', DAY);
      const density = page.getByLabel(said(page, 'How close the sheet stands'));
      for (const where of [DAY, WEEK]) {
        await page.goto(where);
        for (const each of ['working', 'compact', 'comfortable']) {
          await density.selectOption(each);
          await stopWith(guide, `${where === DAY ? 'sheet' : 'week-of-provider'}-${each}`, true);
        }
      }
      await page.goto(DAY);
      await page.getByRole('button', { name: said(page, 'Cancelled') }).click();
      await stopWith(guide, 'cancelled');
      await page.keyboard.press('Escape');
      const entry = page.getByRole('button', { name: /Ek, Sonja/ });
      await entry.click();
      const panel = page.getByRole('complementary', { name: /,/ });
      await panel.getByText('@practice.example').waitFor();
      await stopWith(guide, 'appointment');
      await panel.getByRole('button', { name: said(page, 'Move') }).click();
      await stopWith(guide, 'move');
      await page.keyboard.press('Escape');
      await panel.getByRole('button', { name: said(page, 'Cancel appointment') }).click();
      await stopWith(guide, 'cancel');
      await page.keyboard.press('Escape');
      await panel.getByRole('link', { name: '10011' }).click();
      await page.getByRole('heading', { name: 'Sonja Ek' }).waitFor();
      await stopWith(guide, 'record');
      await page.goBack();
      await entry.waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('newcomer ari');
      await page.keyboard.press('Enter');
      await page
        .getByRole('button', { name: /Newcomer, Ari/ })
        .last()
        .waitFor();
      await stopWith(guide, 'find');
      await page.keyboard.press('Enter');
      await stopWith(guide, 'book');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: said(page, 'Lock') }).click();
      await page.getByRole('heading', { name: said(page, 'The screen is locked') }).waitFor();
      await stopWith(guide, 'locked');
    },
  },
  { go: everyScreen('morgan@practice.example') },
  {
    go: async (guide) => {
      const { page, clinic } = guide;
      await signInAtDesk(page, clinic.url, 'stone@practice.example', '/desk/');
      await page.getByRole('heading', { name: said(page, 'My day') }).waitFor();
      await stopWith(guide, 'my-day');
    },
  },
  {
    go: async (guide) => {
      const { page, clinic } = guide;
      await signInAtDesk(page, clinic.url, 'morgan@practice.example', '/desk/');
      for (const [name, address] of Object.entries(PAGES_BEHIND)) {
        await page.goto(address);
        await page.getByRole('heading').first().waitFor();
        await stopWith(guide, name);
      }
      await page.getByRole('link', { name: said(page, 'Change Fee warning') }).click();
      await page.getByRole('button', { name: said(page, 'Preview') }).click();
      await page.getByRole('region', { name: said(page, 'What patients will read') }).waitFor();
      await stopWith(guide, 'text');
    },
  },
];
