import type { Page } from '@playwright/test';

import { expectAccessible } from '../src/accessible.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { deafen } from '../src/live-socket.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { Login } from '../src/pages/login.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';
import { draftKept } from '../src/waiting.ts';

const taken = 'Someone else just took this time. Please choose another.';

/** Presses Next, unless the service has turned the page away by itself before. */
async function pressNext(confirm: Confirm): Promise<void> {
  const login = confirm.page.getByRole('heading', { level: 1, name: Login.heading });
  await confirm.button('Next').or(login).click();
}

const heldAnswer = (page: Page, method: 'GET' | 'DELETE') =>
  page.waitForResponse(
    (answer) => answer.request().method() === method && answer.url().endsWith('/schedule/hold'),
  );

testAlone(
  'a time is held for ten minutes, can be kept longer, lapses and can be held again (R-30)',
  async ({ page, clinic, atHome }) => {
    const home = await atHome('new1@practice.example');
    const grid = await home.search('In-person visit');
    const { confirm } = await grid.pickFirst();
    await expect(confirm.summary).toContainText(/until 09:1\d/);
    await expect(confirm.button('Keep it longer')).toBeHidden();

    await clinic.advance(8 * 60);
    await Promise.all([draftKept(page, 'a sore'), confirm.reason.fill('a sore')]);
    await expect(confirm.button('Keep it longer')).toBeVisible();
    await expectAccessible(page);
    await confirm.press('Keep it longer');
    // Ten minutes from now: while the clock is moved nothing may be on its way.
    await expect(confirm.summary).toContainText(/until 09:(1[89]|2\d)/);
    await expect(confirm.button('Keep it longer')).toBeHidden();

    await clinic.advance(11 * 60);
    await Promise.all([draftKept(page, 'a sore knee'), confirm.reason.fill('a sore knee')]);
    await expect(confirm.alert()).toContainText(
      'This time is no longer held for you. It may still be available.',
    );
    await expectAccessible(page);
    await confirm.press('Hold it again');
    await expect(confirm.alert()).toBeHidden();
    await expect(confirm.reason).toHaveValue('a sore knee');
    await confirm.book('a sore knee');
  },
);

test('a time that somebody else took a moment ago is refused, and the grid is fresh', async ({
  page,
  atHome,
  caller,
}) => {
  await deafen(page);
  const home = await atHome('new1@practice.example');
  const grid = await home.search('In-person visit');
  const slot = await grid.offered();
  const rival = await caller('new2@practice.example');
  expect((await rival.book(slot)).status).toBe(200);
  await grid.chip(slot.spoken).click();
  await expect(grid.alert()).toContainText(taken);
  await expectAccessible(page);
  await expect(grid.chip(slot.spoken)).toHaveCount(0);
  await grid.pickFirst();
});

// Shows: R-30
testAlone(
  'a time that is lost before Agree leads back to a fresh grid, and the answers are kept (R-30)',
  async ({ page, clinic, atHome, caller }) => {
    const home = await atHome('new1@practice.example');
    const grid = await home.search('In-person visit');
    const { slot, confirm } = await grid.pickFirst();
    const details = await confirm.next('a sore knee');
    const rival = await caller('new2@practice.example');
    await clinic.advance(11 * 60);
    expect((await rival.book(slot)).status).toBe(200);
    await details.press('Agree');
    const again = await SlotGrid.arrive(page);
    await expect(again.alert()).toContainText(taken);
    await again.expectFound('Available times on Sat Nov 21');
    await expect(again.chip(slot.spoken)).toHaveCount(0);
    const next = await again.pickFirst();
    await expect(next.confirm.reason).toHaveValue('a sore knee');
    await next.confirm.book('a sore knee');
  },
);

test('while a time is held nobody else has it; Back gives it to them (R-5, R-30)', async ({
  page,
  atHome,
  caller,
}) => {
  const home = await atHome('new3@practice.example');
  const grid = await home.search('In-person visit');
  const { slot, confirm } = await grid.pickFirst();
  const rival = await caller('new4@practice.example');
  expect((await rival.hold(slot)).status).toBe(409);
  const released = heldAnswer(page, 'DELETE');
  await confirm.press('Back');
  await released;
  expect((await rival.hold(slot)).status).toBe(200);
});

// Shows: R-30
test('after a reload home offers to continue, with the answers given so far (R-30)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new5@practice.example');
  const grid = await home.search('In-person visit');
  const { slot, confirm } = await grid.pickFirst();
  await Promise.all([draftKept(page, 'a sore knee'), confirm.reason.fill('a sore knee')]);
  await page.reload();
  const again = await ChooseType.arrive(page);
  await expect(again.begun).toContainText(`on Sat Nov 21 2026 ${slot.time}.`);
  await again.begun.getByRole('button', { name: 'Continue' }).click();
  const back = await Confirm.arrive(page);
  await expect(back.reason).toHaveValue('a sore knee');
  await expect(back.fact('Time')).toHaveText(`Sat Nov 21 2026 ${slot.time}`);

  await page.reload();
  const third = await ChooseType.arrive(page);
  const released = heldAnswer(page, 'DELETE');
  await third.press('Release this time');
  await released;
  await expect(page.getByText('The time is released.')).toBeVisible();
  await expect(third.begun).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  // The page that is left also asks.
  await page.reload({ waitUntil: 'commit' });
  const read = await heldAnswer(page, 'GET');
  expect(await read.json()).toMatchObject({ extras: { hold: null } });
  await expect((await ChooseType.arrive(page)).begun).toBeHidden();
});

// Shows: 4.flow.2
test('the browser steps back through the journey, and forward again stays where it is safe', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new6@practice.example');
  const grid = await home.search('In-person visit');
  const { confirm } = await grid.pickFirst();
  await confirm.reason.fill('a sore knee');
  await page.goBack();
  await SlotGrid.arrive(page);
  await page.goBack();
  const start = await ChooseType.arrive(page);
  await expect(start.type('In-person visit')).toBeChecked();
  const again = await start.next();
  await expect((await again.pickFirst()).confirm.reason).toHaveValue('a sore knee');
});

// Shows: 8.token.1
testAlone(
  'a session that ends in the middle of confirm costs nothing but a login (R-3, R-30)',
  async ({ page, clinic, as }) => {
    const token = await as('new1@practice.example');
    // A session lasts twelve hours at most, however active the patient is.
    for (let minutes = 0; minutes < 11 * 60 + 54; minutes += 17) {
      await clinic.advance(17 * 60);
      await fetch(`${clinic.url}/api/session/renew`, {
        method: 'POST',
        headers: { 'x-access-token': token },
      });
    }
    await page.goto('/');
    const grid = await (await ChooseType.arrive(page)).search('In-person visit');
    const { slot, confirm } = await grid.pickFirst();
    await Promise.all([draftKept(page, 'a sore knee'), confirm.reason.fill('a sore knee')]);
    await clinic.advance(8 * 60);
    await pressNext(confirm);
    const login = await Login.arrive(page);
    await expect(login.alert()).toContainText('Please log in again.');
    await login.logIn('new1@practice.example');
    const back = await Confirm.arrive(page);
    await expect(back.fact('Time')).toContainText(slot.time);
    await expect(back.reason).toHaveValue('a sore knee');
    await back.book('a sore knee');
  },
);

testAlone(
  'a patient who was away for too long finds the answers again, and holds the time anew',
  async ({ page, clinic, atHome }) => {
    const home = await atHome('new1@practice.example');
    const grid = await home.search('In-person visit');
    const { confirm } = await grid.pickFirst(/^11:\d\d, Sat Nov 21/);
    await Promise.all([draftKept(page, 'a sore knee'), confirm.reason.fill('a sore knee')]);
    await clinic.advance(21 * 60);
    await pressNext(confirm);
    await (await Login.arrive(page)).logIn('new1@practice.example');
    const back = await Confirm.arrive(page);
    await expect(back.reason).toHaveValue('a sore knee');
    await expect(back.alert()).toContainText('This time is no longer held for you.');
    await back.press('Hold it again');
    await expect(back.alert()).toBeHidden();
    await back.book('a sore knee');
  },
);
