import { resolve } from 'node:path';

import { chromium } from '@playwright/test';

import { findBrowser } from '../src/browser.ts';
import { expect, listenForErrors, test, testAlone } from '../src/journey.ts';
import { ordinaryMorning, saturdayEvening, winterAfternoon } from '../src/moments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { signIn } from '../src/sign-in.ts';
import { ofUnhurried } from '../src/unhurried.ts';

const staleZones = resolve(import.meta.dirname, '../fixtures/icu-stale');

/** What this browser believes that the clinic's clock says at an instant. */
const believed = (instant: string) =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: 'America/Vancouver',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(instant));

test.describe('on 2026-12-15T20:00:00Z', () => {
  test.use({ now: winterAfternoon, clinicEnv: { TZ: 'Asia/Kathmandu' } });

  // Shows: 2.pick-slot.4, R-10
  test('a browser with out-of-date zone data shows the clinic at 13:00, whatever the zone of the clinic process', async ({
    clinic,
    caller,
  }) => {
    const { executablePath, args, env } = findBrowser();
    const launched = await chromium.launch({
      executablePath,
      args: [...args],
      env: { ...env, ICU_TIMEZONE_FILES_DIR: staleZones },
    });
    const browser = ofUnhurried(launched);
    try {
      const context = await browser.newContext({ baseURL: clinic.url, reducedMotion: 'reduce' });
      const failures = listenForErrors(context);
      const page = await context.newPage();
      await signIn(context, clinic.url, 'new1@practice.example');
      await page.goto('/');
      expect(await page.evaluate(believed, winterAfternoon)).toBe('12:00');

      const home = await ChooseType.arrive(page);
      await expect(home.day('Tuesday, December 15, 2026')).toHaveAttribute('aria-current', 'date');
      const grid = await home.search('Phone consultation');
      await grid.expectFound('Available times on Tue Dec 15');
      // From 13:30 on exclusive, so the whole hour from 14:00 is offered, and nothing else today.
      const first = await grid.offered();
      expect(first.spoken).toMatch(/^14:\d\d, Tue Dec 15, /);
      expect(first.start).toBeGreaterThanOrEqual(Date.parse('2026-12-15T21:00:00Z') / 1000);
      expect(first.start).toBeLessThan(Date.parse('2026-12-15T22:00:00Z') / 1000);

      const confirm = await grid.pick(first);
      await expect(confirm.fact('Time')).toHaveText(`Tue Dec 15 2026 ${first.time}`);
      await expect(confirm.summary).toContainText(/until 13:1\d/);
      const booked = await confirm.book('to talk about results');
      await expect(booked.sentence).toContainText(`on Tue Dec 15 2026 ${first.time}.`);
      expect((await booked.calendarFile()).text).toContain(
        `DTSTART:20261215T21${first.time.slice(3)}00Z`,
      );
      await booked.shell.tab('My Appointments').click();
      await expect(page.getByText(`Tue Dec 15 2026 ${first.time}`).first()).toBeVisible();
      expect(failures).toEqual([]);

      const { body, headers } = await (
        await caller('new2@practice.example')
      ).get('/doctors/schedule?from=2026-12-15&to=2026-12-15&id=101');
      expect(headers.get('date')).toMatch(/^Tue, 15 Dec 2026 20:0\d:\d\d GMT$/);
      const [day] = body['extras'] as {
        date: string;
        providers: { schedule: { code: string; start: number }[] }[];
      }[];
      expect(day?.date).toBe('2026-12-15');
      const starts = day?.providers[0]?.schedule ?? [];
      expect(starts[0]?.start).toBe(Date.parse('2026-12-15T15:00:00Z') / 1000);
      const calls = starts.filter(({ code }) => code === 'P').map(({ start }) => start);
      expect(calls).toContain(Date.parse('2026-12-15T21:00:00Z') / 1000);
    } finally {
      await browser.close();
    }
  });
});

test.describe('in the evening', () => {
  test.use({ now: saturdayEvening });

  // Shows: 5.choose-type.4
  test('from 19:00 on the calendar begins tomorrow (§5 Booking step 1, R-13)', async ({
    atHome,
  }) => {
    const home = await atHome('new1@practice.example');
    await expect(home.day('Saturday, November 21, 2026')).toBeDisabled();
    await expect(home.day('Sunday, November 22, 2026')).toHaveAttribute('aria-pressed', 'true');
    const grid = await home.search('In-person visit');
    await grid.expectFound('Available times on Sun Nov 22');
  });
});

for (const { device, far } of [
  { device: 'an hour behind', far: -3600 },
  { device: 'a day ahead', far: 86_400 },
]) {
  // Shows: R-11
  testAlone(
    `a device whose clock is ${device} is put right by the clinic's answers (R-11)`,
    async ({ page, as }) => {
      await as('new1@practice.example');
      await page.clock.install({ time: Date.parse(ordinaryMorning) + far * 1000 });
      await page.goto('/');
      const home = await ChooseType.arrive(page);
      await expect(home.day('Saturday, November 21, 2026')).toHaveAttribute('aria-current', 'date');
      const grid = await home.search('Phone consultation');
      await grid.expectFound('Available times on Sat Nov 21');
      expect((await grid.offered()).time >= '09:30').toBe(true);
      const { confirm } = await grid.pickFirst();
      await expect(confirm.summary).toContainText(/until 09:1\d/);
      await expect(confirm.summary).toContainText(/[89]:\d\d left/);
      await Confirm.arrive(page);
    },
  );
}
