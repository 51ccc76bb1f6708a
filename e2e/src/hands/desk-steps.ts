import { addDays, toInstant } from '@clinic/domain';
import { expect, type Locator, type Page, type Request, type Response } from '@playwright/test';

import { deskCode } from '../sign-in-at-desk.ts';
import { type Desk, type DeskTruth, DAYS, type Shown, TODAY } from './desk-truth.ts';
import type { Act, Scene } from './story.ts';

export type DeskAct = Act<DeskTruth>;

export const main = (page: Page) => page.getByRole('main');
export const dialog = (page: Page) => page.locator('dialog[open]');
export const panel = (page: Page) => page.getByRole('complementary');
export const named = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true });

export const withAlso = (list: readonly string[], ...more: string[]) =>
  [...list, ...more].toSorted();
export function without(list: readonly string[], one: string): string[] {
  const at = list.indexOf(one);
  expect(at, `${one} is listed`).toBeGreaterThanOrEqual(0);
  return list.toSpliced(at, 1);
}

/** What the first list has more often than the second. */
export const more = (list: readonly string[], than: readonly string[]): readonly string[] =>
  than.reduce<readonly string[]>(
    (rest, one) => (rest.includes(one) ? rest.toSpliced(rest.indexOf(one), 1) : rest),
    list,
  );

const MANAGER = 'morgan@practice.example';

/** With what a colleague did, as the trail calls it. */
export const did = (truth: DeskTruth, ...actions: string[]): DeskTruth => ({
  ...truth,
  trail: withAlso(truth.trail, ...actions),
});

interface Answer {
  readonly ok: boolean;
  // What stands in an answer is for each act to say.
  readonly extras: Readonly<Record<string, unknown>>;
}

/** Presses what sends a change, and gives what the service answers. A press that sends nothing is lost. */
export async function sends(
  { page, hands, email = MANAGER }: Scene,
  control: Locator,
  path: RegExp,
): Promise<Answer> {
  const code = dialog(page).getByLabel('Code of your app');
  // Not while a code is on its way.
  const confirm = named(page, 'Confirm').and(page.locator(':not([aria-disabled="true"])'));
  let answer: Response | undefined;
  const hear = (each: Response) => {
    const isAsked = each.request().method() !== 'GET' && path.test(new URL(each.url()).pathname);
    // A code is asked for first.
    if (isAsked && each.status() !== 403) answer = each;
  };
  page.on('response', hear);
  await hands.press(control);
  await expect
    .poll(
      async () => {
        if (answer === undefined && (await code.isVisible()) && (await confirm.isVisible())) {
          await code.fill(await deskCode(new URL(page.url()).origin, email));
          await page.evaluate(() => window.handTime.pass(800));
          await confirm.click();
        }
        return answer;
      },
      { message: 'Lost: nothing was sent', timeout: 40_000 },
    )
    .toBeDefined();
  page.off('response', hear);
  if (answer === undefined) throw new Error('Lost');
  const { extras = {} } = (await answer.json()) as { extras?: Answer['extras'] };
  return { ok: answer.ok(), extras };
}

/** Leaves whatever is asked. */
export async function leave(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const count = await dialog(page).count();
      if (count > 0) await page.keyboard.press('Escape');
      return count;
    })
    .toBe(0);
}

/** Waits for something in a dialog; false where an Escape has closed that. */
export async function isShown(page: Page, what: Locator): Promise<boolean> {
  await expect
    .poll(async () => (await what.first().isVisible()) || (await dialog(page).count()) === 0)
    .toBe(true);
  return what.first().isVisible();
}

/** Opens a screen by its name above the page. */
export async function toScreen(
  { page, hands }: Scene,
  name: string,
  title: string | RegExp = name,
) {
  await leave(page);
  const link = page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: new RegExp(`^${name}`) });
  await hands.press(link);
  await expect(heading(page, title)).toBeVisible();
  await expect(page.getByText('Loading…', { exact: true })).toHaveCount(0);
}

/** Asks by `opens` until it is asked: an Escape may have closed it. */
export async function asks({ page, hands }: Scene, asked: Locator, ...opens: Locator[]) {
  await hands.go(asked, ...opens);
  await expect(page.getByText('Loading…', { exact: true })).toHaveCount(0);
}

/** One of today's appointments with what the act needs, opened on the sheet. */
export async function opened(
  scene: Scene,
  desk: Desk,
  fits: (each: Shown) => boolean,
): Promise<Shown | null> {
  const { page, hands, chance } = scene;
  const all = (await desk.sheet()).filter(
    (each) => each.date === TODAY && each.patient !== null && fits(each),
  );
  if (all.length === 0) return null;
  const one = chance.pick(all);
  await toScreen(scene, 'Day', /2026/);
  const entry = page.locator(`[id="appointment-${one.id}"]`);
  const title = panel(page).getByRole('heading', { name: one.patient ?? '', exact: true });
  await hands.go(title.and(page.locator('h2')), entry);
  return one;
}

/** What is said no to with a rule is left, or done all the same with a reason. */
export async function insist(scene: Scene, does: string, path: RegExp): Promise<Answer | null> {
  const { page, chance } = scene;
  const all = named(dialog(page), does);
  const refused = dialog(page).getByRole('alert');
  // An Escape leads back to the times.
  const times = dialog(page).getByLabel('From', { exact: true });
  if (!(await isShown(page, all.or(refused).or(times))) || !(await all.isVisible())) return null;
  if (chance.happens(0.4)) return null;
  await dialog(page).getByLabel('Why?').last().selectOption({ label: 'It is urgent' });
  if (!(await all.isVisible())) return null;
  return sends(scene, all, path);
}

export interface Placed {
  readonly providerId: string;
  readonly start: number;
  readonly isTold: boolean;
  readonly feeCents: number;
}

export const freeTimes = (page: Page) =>
  dialog(page).getByRole('listbox', { name: 'Free times' }).getByRole('option');
export const noneIsFree = (page: Page) =>
  dialog(page).getByRole('status').filter({ hasText: /free/ });

/** Presses one of the first free times. */
export async function place(scene: Scene, does: string, path: RegExp): Promise<Placed | null> {
  const { page, chance } = scene;
  const times = freeTimes(page);
  await expect(times.first().or(noneIsFree(page))).toBeVisible();
  const count = Math.min(await times.count(), 8);
  if (count === 0) return null;
  const actsOn = await times.nth(Math.floor(chance.next() * count)).getAttribute('data-acts-on');
  const [providerId = '', start = ''] = (actsOn ?? '').split(' ');
  const time = times.and(page.locator(`[data-acts-on="${actsOn}"]`));
  const yes = named(dialog(page), /^(Book this time|Move to this time)$/);
  await scene.hands.go(yes, time);
  let answer: Answer | null = await sends(scene, yes, path);
  if (!answer.ok) answer = await insist(scene, does, path);
  if (!answer?.ok) return null;
  const placed = answer.extras as unknown as Placed;
  expect([placed.providerId, placed.start]).toEqual([providerId, Number(start)]);
  return placed;
}

/** What the service took, and answered, of one kind of change, of all that was asked for by then. */
export function hear<Answer>(page: Page, path: RegExp) {
  const asked: Request[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && path.test(new URL(request.url()).pathname))
      asked.push(request);
  });
  const answerOf = async (request: Request): Promise<readonly Answer[]> => {
    const answer = await request.response();
    return answer?.ok() ? [((await answer.json()) as { extras: Answer }).extras] : [];
  };
  return { all: async () => (await Promise.all(asked.map(answerOf))).flat() };
}

/** Undoes what was just done, by its button wherever that stands; false where it is no longer offered. */
export async function undoes({ page, hands }: Scene): Promise<boolean> {
  const undo = page.locator('#undo');
  const isDone = page.getByText(/^Undone: /);
  const isOver = page.locator('body:not(:has(#undo))');
  const undone = hear(page, /\/undo$/);
  await hands.go(isDone.or(isOver), undo);
  return (await undone.all()).length > 0;
}

export const isWithin = (start: number) => start < toInstant(addDays(TODAY, DAYS), '00:00');

/** The email that is there beside those before, once it is. */
export async function newMail(desk: Desk, { mails }: DeskTruth): Promise<string> {
  await desk.settle();
  let come: readonly string[] = [];
  await expect.poll(async () => (come = more(await desk.mails(), mails))).not.toEqual([]);
  return come[0] ?? '';
}
