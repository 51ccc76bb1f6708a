import type { Locator, Page } from '@playwright/test';

import { boxesOf } from '../src/in-view.ts';
import { expect, test } from '../src/journey.ts';
import { Account } from '../src/pages/account.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { MOST_KB, fetchedBy, scriptsKb } from '../src/page-weight.ts';
import { Shell } from '../src/pages/shell.ts';
import { readIn } from '../src/said.ts';

test.use({ onlyLooks: true });

const bugIcon = (page: Page) => page.getByRole('button', { name: 'Suggest an improvement' });

/** How much of the page has moved without being asked to, by the largest burst of a second. */
async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const bursts: { start: number; end: number; value: number }[] = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, hadRecentInput, startTime } = entry as PerformanceEntry & {
              value: number;
              hadRecentInput: boolean;
            };
            if (hadRecentInput) continue;
            const last = bursts.at(-1);
            if (last && startTime - last.end < 1_000 && startTime - last.start < 5_000) {
              last.value += value;
              last.end = startTime;
            } else bursts.push({ start: startTime, end: startTime, value });
          }
        }).observe({ type: 'layout-shift', buffered: true });
        // Buffered entries are given before the frame after next.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve(Math.max(0, ...bursts.map(({ value }) => value)))),
        );
      }),
  );
}

const styleOf = (part: Locator, property: string) =>
  part.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

/** Nothing is wider than the window, and each tab is wholly in it. */
async function expectAllInView(page: Page): Promise<void> {
  const root = page.locator('html');
  expect(await root.evaluate((html) => html.scrollWidth - html.clientWidth)).toBeLessThanOrEqual(0);
  const width = page.viewportSize()?.width ?? 0;
  for (const tab of await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all()) {
    const box = await tab.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  }
}

/** What stands in the header stands beside or below one another. */
async function expectHeaderApart(page: Page): Promise<void> {
  const shell = new Shell(page);
  const [banner, name, out] = await boxesOf(shell.practiceBanner, shell.home(), shell.logout());
  expect(name.y).toBeGreaterThanOrEqual(banner.y + banner.height);
  const isBeside = name.x + name.width <= out.x;
  expect(isBeside || name.y + name.height <= out.y).toBe(true);
}

for (const [device, viewport] of [
  ['a phone', { width: 375, height: 812 }],
  ['a wide screen', { width: 1280, height: 900 }],
] as const)
  test.describe(`on ${device}`, () => {
    test.use({ viewport });

    test('a page of a patient stays where it is while its parts come', async ({ page, as }) => {
      await as('casey@practice.example');
      const slow = await page.context().newCDPSession(page);
      await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      for (const [path, arrive] of [
        ['/', () => ChooseType.arrive(page)],
        ['/appointments', () => Appointments.arrive(page)],
        ['/account', () => Account.arrive(page)],
      ] as const) {
        await page.goto(path);
        await arrive();
        await page.waitForLoadState('networkidle');
        expect(await layoutShift(page), path).toBeLessThan(0.05);
      }
    });
  });

for (const [width, size] of [
  [320, 17],
  [375, 34],
] as const)
  test(`at ${width} px with text of ${size} px every tab and the header are whole`, async ({
    page,
    as,
  }) => {
    await page.setViewportSize({ width, height: 812 });
    await page.addInitScript(
      (fontSize) =>
        addEventListener('DOMContentLoaded', () => {
          document.documentElement.style.fontSize = fontSize;
        }),
      `${size}px`,
    );
    await as('casey@practice.example');
    for (const [path, arrive] of [
      ['/', () => ChooseType.arrive(page)],
      ['/appointments', () => Appointments.arrive(page)],
      ['/account', () => Account.arrive(page)],
    ] as const) {
      await page.goto(path);
      await arrive();
      await expectAllInView(page);
      await expectHeaderApart(page);
    }
  });

test('in French a phone breaks the name of no tab at its hyphen, and the header stays one row', async ({
  page,
  context,
  as,
}) => {
  await readIn(context, 'fr');
  await page.setViewportSize({ width: 375, height: 812 });
  await as('new1@practice.example');
  await page.goto('/account');
  const { header } = (await Account.arrive(page)).shell;
  const lines = await page.getByText('Prendre rendez-vous', { exact: true }).evaluate((name) => {
    const word = document.createRange();
    word.setStart(name.firstChild ?? name, 'Prendre '.length);
    word.setEnd(name.firstChild ?? name, 'Prendre rendez-vous'.length);
    return word.getClientRects().length;
  });
  expect(lines).toBe(1);
  const clinic = header.getByText('Harbour View Medical Clinic');
  expect((await clinic.boundingBox())?.height).toBeLessThan(48);
  await page.setViewportSize({ width: 320, height: 640 });
  const [home, out] = await boxesOf(header.getByRole('link'), header.getByRole('button'));
  expect(out.y).toBeLessThan(home.y + home.height);
});

test('the icon for suggestions covers no words on a phone and is not printed', async ({
  page,
  as,
}) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await as('new1@practice.example');
  await page.goto('/appointments');
  const { shell } = await Appointments.arrive(page);
  const [icon, footer] = await boxesOf(bugIcon(page), shell.footer);
  expect(icon.y).toBeGreaterThanOrEqual(footer.y + footer.height);
  await page.emulateMedia({ media: 'print' });
  await expect(bugIcon(page)).toBeHidden();
});

test('what is printed is dark on white, whichever colours the screen has', async ({ page, as }) => {
  await as('casey@practice.example');
  for (const theme of ['system', 'dark']) {
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.goto('/appointments');
    await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme);
    const { shell } = await Appointments.arrive(page);
    const title = page.getByRole('heading', { level: 1 });
    const onScreen = await styleOf(title, 'color');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await styleOf(title, 'color')).not.toBe(onScreen);
    expect(await styleOf(page.locator('html'), 'color-scheme')).toBe('light');
    await expect(shell.footer).toBeHidden();
  }
});

test('where the system chooses the colours, what is current and chosen is still told apart', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new2@practice.example');
  // Only now: axe does not know of such colours.
  await page.emulateMedia({ forcedColors: 'active' });
  const line = (tab: Locator) => styleOf(tab, 'border-bottom-color');
  const other = await line(home.shell.tab('My Account'));
  expect(other).toBe(await styleOf(home.shell.tabs, 'background-color'));
  expect(await line(home.shell.tab('Book Appointment'))).not.toBe(other);

  const days = home.calendar.locator('[aria-pressed]');
  const ground = (day: Locator) => styleOf(day, 'background-color');
  const chosen = await ground(days.and(page.locator('[aria-pressed="true"]')));
  expect(chosen).not.toBe(await ground(days.and(page.locator('[aria-pressed="false"]')).first()));

  const steps = page.getByRole('navigation', { name: 'Steps of your booking' });
  const bars = await steps
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => getComputedStyle(item).borderTopColor));
  expect(bars[0]).not.toBe(bars.at(-1));

  await home.shell.footer.getByRole('button', { name: 'Terms of Use' }).click();
  expect(await styleOf(page.getByRole('dialog'), 'border-top-style')).toBe('solid');
});

test.describe('with a finger', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test('what was tapped does not look chosen', async ({ atHome }) => {
    const button = (await atHome('new3@practice.example')).otherTypes;
    const before = await styleOf(button, 'border-top-color');
    await button.hover();
    expect(await styleOf(button, 'border-top-color')).toBe(before);
  });
});

test('read from the right, a page keeps its width and its arrows point the other way', async ({
  page,
  atHome,
}) => {
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.dir = 'rtl';
    }),
  );
  await page.setViewportSize({ width: 375, height: 812 });
  const home = await atHome('new4@practice.example');
  await expectAllInView(page);
  await home.choose({ type: 'In-person visit' });
  const calendar = await home.openCalendar();
  const next = calendar.box.getByRole('button', { name: 'Next month' });
  expect(await styleOf(next.locator('svg'), 'transform')).toBe('matrix(-1, 0, 0, 1, 0, 0)');
  const previous = calendar.box.getByRole('button', { name: 'Previous month' });
  const [back, forth] = await boxesOf(previous, next);
  expect(back.x).toBeGreaterThan(forth.x);
});

test('the scripts of login and booking are no heavier than they may be', async ({
  context,
  as,
}) => {
  const login = await fetchedBy(await context.newPage(), '/login');
  expect(scriptsKb(login), JSON.stringify(login)).toBeLessThanOrEqual(MOST_KB.login);

  await as('new1@practice.example');
  const page = await context.newPage();
  const booking = await fetchedBy(page, '/');
  await ChooseType.arrive(page);
  expect(scriptsKb(booking), JSON.stringify(booking)).toBeLessThanOrEqual(MOST_KB.booking);
});
