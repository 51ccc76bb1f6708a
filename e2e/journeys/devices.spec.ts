import type { Browser, Page } from '@playwright/test';

import { chanceOf } from '../faults/chance.ts';
import { expect, listenForErrors, test } from '../src/journey.ts';
import { deafen } from '../src/live-socket.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { PaymentSuccess, PracticeBank } from '../src/pages/payment-end.ts';
import { practiceCards } from '../src/pages/payment.ts';
import { signIn } from '../src/sign-in.ts';
import { slowerThanAllowed, tellStory, untilTrue, type Pages } from '../src/stories/tell.ts';
import { askedAs, type Asked } from '../src/stories/truth.ts';

/** Another device of a patient, at home. */
async function otherDevice(browser: Browser, url: string, email: string) {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' });
  const failures = listenForErrors(context);
  await signIn(context, url, email);
  const page = await context.newPage();
  await page.goto('/');
  await ChooseType.arrive(page);
  return { page, context, failures };
}

// Shows
test('a visit that is paid through the bank on one device is shown as booked on the other, wherever that stands', async ({
  page,
  context,
  browser,
  clinic,
  atHome,
}) => {
  const email = 'new5@practice.example';
  const home = await atHome(email);
  const { slot, confirm } = await (await home.search('Private visit')).pickFirst();
  const payment = await confirm.toPayment('a sore knee', { warned: true });
  const { page: there, ...other } = await otherDevice(browser, clinic.url, email);
  const second = await context.newPage();
  await second.goto('/appointments');
  const list = await Appointments.arrive(second);
  const begun = new ChooseType(there).begun;
  await expect(begun).toContainText(slot.time);
  await begun.getByRole('button', { name: 'Continue' }).click();
  await Confirm.arrive(there);

  await payment.payWith(practiceCards.bankFirst);
  await (await PracticeBank.arrive(page)).press('Approve');
  await PaymentSuccess.arrive(page);
  await expect(there.getByRole('heading', { level: 1 })).toHaveText('Payment Received');
  await expect(there.getByRole('main')).toContainText(slot.time);
  await expect(list.cards('Upcoming')).toContainText(slot.time);
  expect(other.failures).toEqual([]);
  await other.context.close();
});

interface Person {
  readonly pages: Pages;
  readonly asked: Asked;
  readonly close: () => Promise<void>;
}

/** Two devices of one patient, one of them with two tabs. */
async function threePages(browser: Browser, url: string, email: string): Promise<Person> {
  const phone = await otherDevice(browser, url, email);
  const computer = await otherDevice(browser, url, email);
  const tab = await computer.context.newPage();
  await tab.goto('/appointments');
  await Appointments.arrive(tab);
  const failures = [...phone.failures, ...computer.failures];
  const token = await phone.page.evaluate(() => localStorage.getItem('clinic.token') ?? '');
  return {
    pages: { phone: phone.page, computer: computer.page, 'second tab': tab },
    asked: askedAs(url, token),
    close: async () => {
      await phone.context.close();
      await computer.context.close();
      expect(failures).toEqual([]);
    },
  };
}

/** Answers these calls of the page for ever as they were answered first. */
async function keepsFirstAnswers(page: Page): Promise<void> {
  const first = new Map<string, string>();
  await deafen(page);
  await page.route(/\/api\/(schedule\/hold|me\/appointments)$/, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (route.request().method() !== 'GET') return route.continue();
    const known = first.get(pathname) ?? (await (await route.fetch()).text());
    first.set(pathname, known);
    await route.fulfill({ body: known, contentType: 'application/json' });
  });
}

test('a page that hears nothing is found out', async ({ browser, clinic, atHome, take }) => {
  const email = 'new7@practice.example';
  take(email);
  const home = await atHome(email);
  const { confirm } = await (await home.search('In-person visit')).pickFirst();
  const context = await browser.newContext({ baseURL: clinic.url, reducedMotion: 'reduce' });
  const token = await signIn(context, clinic.url, email);
  const deaf = await context.newPage();
  await keepsFirstAnswers(deaf);
  await deaf.goto('/');
  await expect(new ChooseType(deaf).begun).toBeVisible();
  const asked = askedAs(clinic.url, token);
  await untilTrue({ deaf }, asked);
  await confirm.book('a sore knee');
  await expect(untilTrue({ deaf }, asked, 2_000)).rejects.toThrow('says that a time is held');
  await context.close();
});

const STORIES = 20;
const PATIENTS = [1, 2, 3];

// Shows
test(`${STORIES} stories of patients at two devices and a second tab: what one page does is on the others`, async ({
  browser,
  clinic,
  take,
}) => {
  const people: Person[] = [];
  for (const patient of PATIENTS) {
    const email = `new${patient}@practice.example`;
    take(email);
    people.push(await threePages(browser, clinic.url, email));
  }
  const took: number[] = [];
  // In turns, as the service counts the calls of each patient.
  for (let story = 0; story < STORIES; story += 1) {
    const { pages, asked } = people[story % people.length] as Person;
    took.push(...(await tellStory(pages, asked, chanceOf(`story ${story}`, 247_726_518))));
  }
  const sorted = took.toSorted((one, other) => one - other);
  const [median, slowest] = [sorted[took.length >> 1], sorted.at(-1)].map((ms) =>
    Math.round(ms ?? 0),
  );
  process.stdout.write(
    `${took.length} acts, seen after ${median} ms (median), ${slowest} ms at most\n`,
  );
  // None stays untrue on any machine; how late it may be is judged where nothing else runs.
  if (process.env['LONG']) expect(slowerThanAllowed(took)).toBeLessThan(took.length / 2);
  for (const { close } of people) await close();
});
