import type { ApiDaySheet } from '@clinic/contract';
import type { Locator, Page } from '@playwright/test';

import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';

const DAY = '/desk/day/2026-11-21';
/** Another day, so that the present is no line of it. */
const MONDAY = '2026-11-23';
/** 08:00 at the clinic on that day. */
const EIGHT = Date.UTC(2026, 10, 23, 16) / 1000;
const HOURS = 10;
const PROVIDERS = 7;

type Appointment = ApiDaySheet['providers'][number]['appointments'][number];

/** A day of seven providers, whose appointments are as long as is said; every nth time is booked. */
function dayOf({ minutes, everyNth }: { minutes: number; everyNth: number }): ApiDaySheet {
  const length = minutes * 60;
  const end = EIGHT + HOURS * 3_600;
  const appointment = (id: string, start: number): Appointment => ({
    id,
    patient: `Morgan, ${id}`,
    type: 'O',
    description: 'In-person visit',
    start,
    end: start + length,
    state: 'booked',
    attendance: 'expected',
    fee: 'none',
    linkUntil: null,
    next: ['arrived'],
    isCancellable: true,
    movedByClinic: false,
    patientCannotCancel: null,
    hasAccount: true,
    movesFor: id,
  });
  return {
    date: MONDAY,
    hours: { start: EIGHT, end },
    types: [{ code: 'O', description: 'In-person visit' }],
    providers: Array.from({ length: PROVIDERS }, (_, of) => ({
      id: String(of),
      name: `P. Number${of}`,
      closed: [],
      busy: [],
      open: [{ start: EIGHT, end, types: ['O'] }],
      appointments: Array.from({ length: (HOURS * 60) / minutes }, (_, at) => at)
        .filter((at) => at % everyNth === 0)
        .map((at) => appointment(`${of}-${at}`, EIGHT + at * length)),
    })),
  };
}

/** The clinic's banner is the practice clinic's alone: a clinic has its room. */
const withoutBanner = (page: Page) =>
  page.evaluate(() => document.querySelector('#root > aside')?.remove());

/** How many providers are in view whole, and how many minutes of each at least. */
const inView = (page: Page) =>
  page.getByRole('group', { name: 'Appointments by provider' }).evaluate((sheet) => {
    const { right, bottom } = sheet.getBoundingClientRect();
    const beneath = sheet.querySelector('h2')?.getBoundingClientRect().top ?? 0;
    const isIn = (part: Element) => {
      const box = part.getBoundingClientRect();
      return box.right <= right + 1 && box.top >= beneath && box.bottom <= bottom + 1;
    };
    const columns = [...sheet.querySelectorAll('[data-column]')];
    const heads = columns.filter((column) => {
      const head = column.querySelector('h2');
      return head !== null && isIn(head);
    });
    const minutes = heads.map((column) => {
      const lane = column.querySelector<HTMLElement>('[data-lane]');
      const lines = [...column.querySelectorAll<HTMLElement>('li')];
      const steps = (line: HTMLElement, name: string) => Number(line.style.getPropertyValue(name));
      const shown = lines.filter(isIn);
      const begins = shown.map((line) => steps(line, '--at'));
      const ends = shown.map((line) => steps(line, '--at') + steps(line, '--long'));
      if (sheet.querySelector('[aria-hidden] + section') === null)
        return (Math.max(...ends) - Math.min(...begins)) * 5;
      const step = (lane?.offsetHeight ?? 0) / steps(sheet as HTMLElement, '--long');
      return ((bottom - (lane?.getBoundingClientRect().top ?? 0)) / step) * 5;
    });
    return { providers: heads.length, minutes: Math.min(...minutes) };
  });

/** What can be pressed and is smaller than 24 by 24. Runs in the page. */
function tooSmall(main: Element): string[] {
  const small = [...main.querySelectorAll('button, a, input, select')].filter((target) => {
    const { width, height } = target.getBoundingClientRect();
    // Columns out of view are not laid out yet.
    return width > 0 && (width < 24 || height < 24);
  });
  return small.map((target) => target.outerHTML.slice(0, 200));
}

const overlaps = async (upper: Locator, lower: Locator) => {
  const [above, beneath] = [await upper.boundingBox(), await lower.boundingBox()];
  return above === null || beneath === null || above.y + above.height > beneath.y;
};

// Shows: S-18
test('a sheet shows as much as its density says, of every kind of day', async ({
  page,
  clinic,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInAtDesk(page, clinic.url, 'robin@practice.example', DAY);
  const sheet = page.getByRole('group', { name: 'Appointments by provider' });
  await expect(sheet).toBeVisible();
  const choose = async (density: string) => {
    await page.getByLabel('How close the sheet stands').selectOption({ label: density });
    await expect(sheet.locator('li').first()).toBeVisible();
  };
  for (const density of ['Comfortable', 'Working', 'Compact']) {
    await choose(density);
    await expectAccessible(page, { isDense: true });
    expect(await page.locator('main').evaluate(tooSmall)).toEqual([]);
  }
  await withoutBanner(page);
  // From the day's beginning, since it opens where it is now, which is later on a slow machine.
  await sheet.evaluate((scrolled) => scrolled.scrollTo(0, 0));
  // Of the provider whose five minutes are booked most: others show up to four hours.
  expect((await inView(page)).minutes).toBeGreaterThanOrEqual(165);

  // The week of a provider is the same sheet.
  await page.getByRole('link', { name: 'A. Stone' }).click();
  const week = page.getByRole('group', { name: 'Appointments by day' });
  for (const width of [1280, 768, 375, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(week.locator('[data-entry]').first()).toBeVisible();
    await expectAccessible(page, { isDense: true });
    expect(await page.locator('main').evaluate(tooSmall)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.goBack();

  await page.setViewportSize({ width: 375, height: 812 });
  await sheet.locator('[data-entry]').first().click();
  const panel = page.getByRole('main').getByRole('complementary');
  await expect(panel.getByText('Reason')).toBeVisible();
  expect(await overlaps(panel, page.getByText(/^Now, /))).toBe(false);
  expect(await overlaps(page.getByRole('banner'), page.getByRole('heading', { level: 1 }))).toBe(
    false,
  );
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });

  let day: ApiDaySheet;
  await page.route('**/api/desk/day/*', (route) =>
    route.fulfill({ json: { success: true, extras: day } }),
  );
  const show = async (next: typeof day, density: string) => {
    day = next;
    await page.goto(`/desk/day/${MONDAY}`);
    await expect(sheet).toBeVisible();
    await withoutBanner(page);
    await choose(density);
    return inView(page);
  };
  expect(await show(dayOf({ minutes: 15, everyNth: 3 }), 'Compact')).toEqual({
    providers: PROVIDERS,
    minutes: 600,
  });
  const full = await show(dayOf({ minutes: 15, everyNth: 1 }), 'Compact');
  expect(full).toEqual({ providers: PROVIDERS, minutes: 405 });
  expect(
    (await show(dayOf({ minutes: 5, everyNth: 2 }), 'Working')).minutes,
  ).toBeGreaterThanOrEqual(125);
  const long = await show(dayOf({ minutes: 15, everyNth: 2 }), 'Working');
  expect(long.minutes).toBeGreaterThanOrEqual(380);

  await page.setViewportSize({ width: 640, height: 400 });
  const small = await show(dayOf({ minutes: 15, everyNth: 3 }), 'Compact');
  expect(small.providers).toBeGreaterThanOrEqual(3);
});
