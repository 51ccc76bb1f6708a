import { expect, type Locator, type Page } from '@playwright/test';

/** Nothing is wider than the window, so that nobody scrolls sideways to read. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window: width } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(content).toBeLessThanOrEqual(width);
}

type Boxes<Parts> = { readonly [At in keyof Parts]: DOMRect };

/** Where these parts stand, in one look: between two of them what comes late may move the page. */
export async function boxesOf<const Parts extends readonly [Locator, ...Locator[]]>(
  ...parts: Parts
): Promise<Boxes<Parts>> {
  const [first] = parts;
  const elements = await Promise.all(parts.map((part) => part.elementHandle()));
  const boxes: unknown = await first
    .page()
    .evaluate(
      (all) =>
        all.map((element) => (element as Element).getBoundingClientRect().toJSON() as DOMRect),
      elements,
    );
  return boxes as Boxes<Parts>;
}

/** All of it is in view, and nothing stands over it. */
export async function expectUncovered(part: Locator): Promise<void> {
  await expect(part).toBeInViewport({ ratio: 1 });
  const isCovered = (box: Element) => {
    const { left, width, top, bottom } = box.getBoundingClientRect();
    return [top + 2, bottom - 2].some(
      (y) => !box.contains(document.elementFromPoint(left + width / 2, y)),
    );
  };
  // Until the page has come to rest: it may scroll, and what goes may stand over it for a moment.
  await expect.poll(() => part.evaluate(isCovered)).toBe(false);
}

/**
 * What came of a press has the focus and is in view, with nothing over it: all of it, or its
 * beginning where it is taller than the room above Next and the tabs. Nothing is to be scrolled
 * sideways.
 */
export async function expectTold(alert: Locator, words: string | RegExp): Promise<void> {
  await expect(alert).toContainText(words);
  await expect(alert).toBeFocused();
  const hidden = await alert.evaluate(async (box) => {
    const nextFrame = () => new Promise(requestAnimationFrame);
    // A dialog that closes goes back in the history, and a browser that restores scrolls with it.
    const state = () => history.state as { dialog?: boolean } | null;
    const inDialog = box.closest('dialog') !== null;
    const isLeaving = () => !inDialog && state()?.dialog === true;
    while (isLeaving()) await nextFrame();
    await nextFrame();
    await nextFrame();
    const beneath = inDialog ? [] : [...document.querySelectorAll('nav, main div')];
    const atFoot = beneath.filter((part) => {
      const style = getComputedStyle(part);
      return style.position === 'fixed' || (style.position === 'sticky' && style.bottom !== 'auto');
    });
    const foot = Math.min(innerHeight, ...atFoot.map((part) => part.getBoundingClientRect().top));
    const { left, width, top, bottom, height } = box.getBoundingClientRect();
    const end = height > foot ? foot : bottom;
    const covered = [top + 2, end - 2].filter(
      (y) => !box.contains(document.elementFromPoint(left + width / 2, y)),
    );
    return top < 0 || end > foot || covered.length > 0 ? { top, bottom, foot, covered } : null;
  });
  expect(hidden).toBeNull();
  await expectNoSidewaysScroll(alert.page());
}

/** Refuses every call to these paths with this sentence. */
export async function refuseCalls(page: Page, paths: string, message: string): Promise<void> {
  await page.route(paths, (route) =>
    route.fulfill({ status: 409, json: { success: false, extras: { code: 'conflict', message } } }),
  );
}
