import { expectAccessible } from '../src/accessible.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { liveSocket } from '../src/live-socket.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { signIn } from '../src/sign-in.ts';
import { liveConnection } from '../src/waiting.ts';

test('two browsers look at one grid: what one takes is struck through in the other, and nothing moves', async ({
  page,
  atHome,
  browser,
  clinic,
}) => {
  const connected = liveConnection(page);
  const grid = await (await atHome('new1@practice.example')).search('In-person visit');
  await connected;
  const slot = await grid.offered(/^11:\d\d, Sat Nov 21, Dr\. A\. Stone$/);
  const beside = await grid.offered(/^11:\d\d, Sat Nov 21, Dr\. A\. Stone$/, 1);
  const place = await grid.chip(beside.spoken).boundingBox();

  const other = await browser.newContext({ baseURL: clinic.url, reducedMotion: 'reduce' });
  await signIn(other, clinic.url, 'new2@practice.example');
  const theirPage = await other.newPage();
  await theirPage.goto('/');
  const theirs = await (await ChooseType.arrive(theirPage)).search('In-person visit');
  const taken = grid.chip(`${slot.spoken}, no longer available`);
  // It stands struck through for two seconds, and for as long as somebody is on it.
  await grid.chip(slot.spoken).focus();
  const { confirm } = await theirs.pickFirst(slot.spoken);
  await expect(taken).toHaveCSS('text-decoration-line', 'line-through');
  await expectAccessible(page);
  await grid.chip(beside.spoken).focus();
  await expect(taken).toBeHidden();
  expect(await grid.chip(beside.spoken).boundingBox()).toEqual(place);

  await confirm.press('Back');
  await expect(grid.chip(slot.spoken)).toBeVisible();
  expect(await grid.chip(beside.spoken).boundingBox()).toEqual(place);
  await other.close();
  await grid.pick(slot);
});

testAlone(
  'a grid that was cut off is searched anew when the connection is back',
  async ({ page, atHome, caller, clinic }) => {
    const wire = await liveSocket(page);
    const connected = liveConnection(page);
    const grid = await (await atHome('new1@practice.example')).search('In-person visit');
    const slot = await grid.offered(/^11:\d\d, Sat Nov 21, Dr\. A\. Stone$/);
    const rival = await caller('new2@practice.example');
    await connected;
    await clinic.advance(1);
    wire.cut();
    expect((await rival.book(slot)).status).toBe(200);
    await expect(grid.chip(slot.spoken)).toBeVisible();
    wire.mend();
    await expect(grid.chip(slot.spoken)).toHaveCount(0);
  },
);
