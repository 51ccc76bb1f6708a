import { expect } from '@playwright/test';

import { deafen } from '../live-socket.ts';
import { Booked } from '../pages/booked.ts';
import { ChooseType } from '../pages/choose-type.ts';
import { Confirm } from '../pages/confirm.ts';
import { CrashForm } from '../pages/crash-form.ts';
import { SlotGrid } from '../pages/slot-grid.ts';
import { draftKept } from '../waiting.ts';
import type { Flow } from './flow.ts';
import { said } from '../said.ts';

const anyone = 'Earliest available doctor';

/** The booking journey in all its states. */
export const bookingFlows: readonly Flow[] = [
  {
    email: 'new1@practice.example',
    go: async ({ page, stop, home }) => {
      // Before the page is there: presses are held against when it came to be.
      await page.clock.install();
      const choose = await home();
      await stop('type');
      await choose.press('Next');
      await expect(choose.alert()).toBeVisible();
      await stop('type-missing');
      await choose.choose({ type: 'In-person visit', doctor: anyone });
      await stop('type-chosen');
      const grid = await choose.next();
      await grid.expectFound();
      await stop('slots-by-provider');
      const { confirm } = await grid.pickFirst(/11:\d\d, .+Dr\. A\. Stone/);
      await stop('confirm');
      await confirm.expectReasonRefused('Please enter the reason for your appointment');
      await stop('confirm-reason-missing');
      const details = await confirm.next('a cough for two weeks');
      await stop('details-within-six-hours');
      await page.route('**/schedule/create', (route) => route.abort());
      await details.press('Agree');
      await expect(confirm.says('We are checking')).toBeVisible();
      await stop('confirm-checking');
      await page.clock.fastForward('01:05');
      await expect(confirm.button('Check again')).toBeVisible();
      await stop('confirm-not-known');
      await page.unroute('**/schedule/create');
      await confirm.press('Check again');
      await Booked.arrive(page);
      await stop('booked');
    },
  },
  {
    email: 'new2@practice.example',
    go: async ({ stop, home }) => {
      const choose = await home();
      await choose.choose({ type: 'ICBC injury claim visit' });
      await stop('type-injury-appointment');
      await choose.choose({ type: 'Phone consultation', doctor: 'NP J. Avery' });
      await stop('type-nurse-practitioner');
      await choose.press('Show all types');
      await choose.choose({ type: 'Medication refill' });
      await stop('type-refill');
    },
  },
  {
    email: 'fran@practice.example',
    go: async ({ stop, home }) => {
      const choose = await home();
      await choose.choose({ type: 'In-person visit' });
      await stop('type-doctors-refused');
    },
  },
  {
    email: 'bo@practice.example',
    go: async ({ stop, home }) => {
      const choose = await home();
      await choose.choose({ type: 'In-person visit', doctor: anyone });
      await choose.press('Next');
      await expect(choose.alert()).toBeVisible();
      await stop('type-patient-blocked');
    },
  },
  {
    email: 'new3@practice.example',
    go: async ({ page, stop, home, caller }) => {
      await deafen(page);
      const choose = await home();
      const grid = await choose.search('In-person visit', 'Dr. A. Stone');
      await grid.expectFound();
      await stop('slots-by-day');
      const lost = await grid.offered(/, \D*22\D*, /);
      await (await caller('new9@practice.example')).book(lost);
      await grid.chip(lost.spoken).click();
      await expect(grid.alert()).toBeVisible();
      await expect(grid.chip(lost.spoken)).toHaveCount(0);
      await stop('slots-taken');
      await grid.press('Back');
      const driver = await (await ChooseType.arrive(grid.page)).search('Driver medical');
      await driver.expectFound();
      const { confirm } = await driver.pickFirst();
      await stop('confirm-licence');
      await confirm.press('Back');
      await (await SlotGrid.arrive(grid.page)).press('Back');
      const crash = await (await ChooseType.arrive(grid.page)).search('ICBC injury claim visit');
      const injury = await crash.pickFirst();
      await stop('confirm-injury-appointment');
      await injury.confirm.press('Next');
      await expect(injury.confirm.alert()).toBeFocused();
      await stop('confirm-injury-appointment-refused');
      await injury.confirm.reason.fill('AB123456');
      await new CrashForm(injury.confirm).fill();
      await injury.confirm.nextTo('ICBC Confirmation');
      await stop('icbc-confirmation');
    },
  },
  {
    email: 'tess@practice.example',
    go: async ({ stop, home }) => {
      const { confirm } = await (await (await home()).search('In-person visit')).pickFirst();
      await confirm.reason.fill('a cough');
      await confirm.nextTo('Family Doctor');
      await stop('family-doctor');
    },
  },
  {
    email: 'new4@practice.example',
    go: async ({ page, stop, home }) => {
      const choose = await home();
      await page.route('**/doctors/schedule?*', () => {});
      const grid = await choose.search('In-person visit');
      await stop('slots-loading');
      await page.unroute('**/doctors/schedule?*');
      await page.goto('/appointments');
      await page.goto('/');
      await page.route('**/doctors/schedule?*', (route) => route.abort());
      await (await ChooseType.arrive(page)).search('In-person visit');
      await expect(grid.alert()).toBeVisible();
      await stop('slots-failed');
    },
  },
  {
    email: 'new5@practice.example',
    go: async ({ stop, home }) => {
      const choose = await home();
      const grid = await choose.search('Immigration medical exam (other)');
      const warning = await grid.warning();
      await stop('slots-warning');
      await warning.press('No');
      await warning.expectGone();
      await stop('slots-none');
    },
  },
  {
    email: 'new6@practice.example',
    go: async ({ page, stop, home }) => {
      const choose = await home();
      const grid = await choose.search('Phone consultation');
      const { confirm } = await grid.pickFirst();
      const reason = 'to talk about results';
      await Promise.all([draftKept(page, reason), confirm.reason.fill(reason)]);
      await page.reload();
      await expect((await ChooseType.arrive(page)).begun).toBeVisible();
      await stop('type-continue');
      await choose.press('Continue');
      // Home has a Next of its own.
      await (await Confirm.arrive(page)).next();
      await stop('details-by-phone');
      await confirm.page.getByRole('button', { name: said(page, 'Agree') }).click();
      await expect(
        page.getByRole('heading', { name: said(page, 'Appointment booked') }),
      ).toBeVisible();
      await stop('booked-by-phone');
    },
  },
  {
    email: 'new7@practice.example',
    go: async ({ page, stop, home }) => {
      await page.setViewportSize({ width: 375, height: 812 });
      const choose = await home();
      await choose.choose({ type: 'In-person visit' });
      const calendar = await choose.openCalendar();
      await stop('type-calendar');
      await page.keyboard.press('Escape');
      await calendar.expectGone();
      const grid = await choose.search('In-person visit');
      await grid.press('Next Day');
      await grid.expectFound();
      await stop('slots-of-a-whole-day');
    },
  },
];

/** Moves the clinic's clock on, so these come last and one at a time. */
export const lapsingFlows: readonly Flow[] = [
  {
    email: 'new8@practice.example',
    go: async ({ page, clinic, stop, home }) => {
      const grid = await (await home()).search('In-person visit');
      const { confirm } = await grid.pickFirst();
      await clinic.advance(8 * 60);
      await Promise.all([draftKept(page, 'a sore'), confirm.reason.fill('a sore')]);
      await expect(confirm.button('Keep it longer')).toBeVisible();
      await stop('confirm-hold-ending');
      await clinic.advance(3 * 60);
      await Promise.all([draftKept(page, 'a sore knee'), confirm.reason.fill('a sore knee')]);
      await expect(confirm.button('Hold it again')).toBeVisible();
      await stop('confirm-hold-over');
      await confirm.press('Back');
      await SlotGrid.arrive(page);
    },
  },
];
