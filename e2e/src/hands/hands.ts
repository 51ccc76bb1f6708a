import {
  expect,
  type CDPSession,
  type ElementHandle,
  type Locator,
  type Page,
} from '@playwright/test';

import type { Chance } from '../../faults/chance.ts';
import './hand-time.ts';
import './watch.ts';

/** Event time for which a control has to stand: what comes later must act. The guard drops what comes within 150. */
const STANDS_MS = 160;
/** Sooner than that, in event time, a press was meant for what stood there before. */
const TOO_SOON_MS = [30, 120] as const;
const REPEATS_EVERY_MS = 33;
/** A hand is so quick, and so slow, from one key to the next. */
const PACE_MS = [40, 800] as const;
const AGAIN_MS = 600;
const PATIENCE_MS = 120_000;
const SHORT_MS = 2_000;

const KEYS = {
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Space: { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: ' ' },
} as const;
type Key = keyof typeof KEYS;

type Handle = ElementHandle<HTMLElement | SVGElement>;

/** Where a control is pressed, and since when it stands. */
interface Standing {
  readonly handle: Handle;
  readonly name: string;
  readonly tag: string;
  readonly x: number;
  readonly y: number;
  /** Event time: at the earliest and at the latest. */
  readonly appeared: number;
  readonly since: number;
  readonly now: number;
  /** It acts once on a double press. */
  readonly isOnce: boolean;
  /** Its form has a line in which Enter presses it. */
  readonly hasLine: boolean;
  /** Browsers hear no Space on a choice that is made. */
  readonly isChosen: boolean;
}

/**
 * The hands of one person at one page. They press what the story asks for in every way that hands have, and beside it
 * do what is no act: each such press that reaches a control is a fault, and so is one that was asked for and does not.
 */
export interface Hands {
  /** What they have done so far, for whoever reads of a failure. */
  readonly told: readonly string[];
  /** Presses a control so that it acts. It is shown, or about to be. */
  readonly press: (control: Locator) => Promise<void>;
  /**
   * Presses the last of these steps that stands, again and again, until the end stands: so an Escape, which closes a
   * question, only leads there by another way. A step that is pressed and shows nothing is lost.
   */
  readonly go: (end: Locator, ...steps: readonly Locator[]) => Promise<void>;
  /** Types in the place of what stands in a field, key by key. What stands there then is what was typed. */
  readonly type: (field: Locator, words: string) => Promise<void>;
  /** Presses keys one after another, each in its time, without a look at what they do; some of them twice or held. */
  readonly blindly: (...keys: readonly string[]) => Promise<void>;
  /** Something that is no act, anywhere on the page. */
  readonly fumble: () => Promise<void>;
}

/** Of a page whose context is watched from its beginning (`watchPresses`). */
export async function handsAt(page: Page, chance: Chance): Promise<Hands> {
  const cdp = await page.context().newCDPSession(page);
  const told: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET')
      told.push(`    ${request.method()} ${new URL(request.url()).pathname}`);
  });
  const at = eventTimeOf(page);
  const pointer = pointerOf(cdp, at);
  const keys = keysOf(cdp, at);
  let lastPress = -Infinity;
  let escapes = 0;
  let held: Key | null = null;

  const fail = (what: string) => {
    throw new Error(what);
  };

  const pace = () => chance.between(...PACE_MS);
  /** While a hand is at work no time passes but its own. */
  async function atWork(work: () => Promise<void>) {
    await at.work(true);
    await work();
    await at.work(false);
  }

  /** Fails where something was clicked since the mark. */
  async function expectNoClick(what: string) {
    const clicked = await page.evaluate(() => {
      window.hands.aimAt(null);
      return window.hands.clicked().map((each) => window.hands.nameOf(each));
    });
    if (clicked.length > 0) fail(`Not asked for: ${what} pressed '${clicked.join("', '")}'`);
  }

  /** A key that was held since the last press goes on wherever the page has led, and is lifted. */
  async function letGo() {
    if (held === null) return;
    const key = held;
    held = null;
    await page.evaluate(() => window.hands.mark());
    await keys.repeat(key, 10);
    await keys.up(key);
    await expectNoClick(`The ${key} that was still held`);
  }

  async function escape() {
    told.push('Escape');
    escapes += 1;
    await page.keyboard.press('Escape');
    // The second half of a double press is stamped ahead of its page.
    lastPress = Math.max(lastPress, await at.now());
  }

  /** A press of a kind that never acts. */
  async function fumble(on?: Standing) {
    await letGo();
    const one = on ?? (await anyControl(page, chance.next()));
    if (!one) return;
    const { handle, name, tag, x, y } = one;
    const elsewhere = { x: 3, y: 3 };
    const ways: Record<string, () => Promise<void>> = {
      'right press on': () => page.mouse.click(x, y, { button: 'right' }),
      'drag away from': () => drag(page, one, elsewhere),
      'drag onto': () => drag(page, elsewhere, one),
      'key begun elsewhere, lifted on': async () => {
        const key = chance.pick(['Enter', 'Space'] as const);
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await keys.down(key);
        await handle.evaluate((control) => control.focus());
        await keys.repeat(key, 10);
        await keys.up(key);
      },
      ...(tag !== 'A' && {
        'middle press on': () => page.mouse.click(x, y, { button: 'middle' }),
      }),
    };
    const way = chance.pick(Object.keys(ways));
    told.push(`${way} '${name}'`);
    await page.evaluate(() => window.hands.mark());
    await ways[way]?.();
    await expectNoClick(`${way} '${name}'`);
  }

  /** Presses what has only just appeared, as a hand that was meant for what stood there before. */
  async function pressTooSoon() {
    const found = await page.evaluateHandle(async (share) => {
      const now = () => new Event('now').timeStamp;
      const until = now() + 3_300;
      while (now() < until) {
        // What opens a list or a calendar of the browser keeps the keys that follow.
        const shown = window.hands
          .fresh()
          .filter((each) => each.checkVisibility() && !each.matches('select,[type=date]'));
        const one = shown[Math.floor(share * shown.length)];
        if (one) return one;
        window.handTime.pass(150);
        await new Promise(requestAnimationFrame);
      }
      return null;
    }, chance.next());
    const control = found.asElement() as Handle | null;
    if (!control) return;
    const seen = await control.evaluate(seenNow);
    if (!seen) return;
    const soon = chance.pick(TOO_SOON_MS);
    const way = chance.pick(['the mouse', 'Enter', 'Space'] as const);
    told.push(`${way} on '${seen.name}' ${soon} ms after it appeared`);
    await page.evaluate(() => window.hands.mark());
    await aimAt(control, way === 'the mouse' ? 'control' : 'focus');
    const when = seen.appeared + soon;
    if (way === 'the mouse') await pointer.press(seen, when, 1);
    else await keys.press(way, when);
    await expectNoClick(`${way} ${soon} ms after it appeared`);
  }

  /** Presses a key once more where that is no control. */
  async function pressAgainOnNothing() {
    const isOnNothing = await page.evaluate(() => {
      const { activeElement } = document;
      // Space draws on a cell that is drawn on, and takes the option in hand of a list.
      if (
        window.hands.controlOf(activeElement) !== null ||
        activeElement?.matches('[role=grid] td,[role=listbox]')
      )
        return false;
      window.hands.mark();
      window.hands.aimAt(activeElement as HTMLElement | null);
      return true;
    });
    if (!isOnNothing) return;
    const key = chance.pick(['Enter', 'Space'] as const);
    told.push(`${key} once more, on no control`);
    await keys.press(key, (await at.now()) + AGAIN_MS);
    await expectNoClick(`${key} on no control`);
  }

  async function afterwards() {
    if (chance.happens(0.5)) await pressTooSoon();
    if (chance.happens(0.15)) await pressAgainOnNothing();
    if (chance.happens(0.15)) await escape();
  }

  /** Within `go` the page may have gone on by itself meanwhile. */
  async function press(control: Locator, mayGo = false) {
    await letGo();
    for (let tries = 0; tries < 8; tries += 1) {
      if (mayGo && !(await control.first().isVisible())) return;
      if (chance.happens(0.3)) await fumble((await standing(control, mayGo)) ?? undefined);
      const one = await standing(control, mayGo);
      // Another question covers it by now.
      if (!one && mayGo) return;
      if (!one) continue;
      const soonest = Math.max(one.since + STANDS_MS, lastPress + STANDS_MS);
      const now = await at.waitUntil(Math.max(soonest, lastPress + pace()));
      const when = chance.happens(0.5) ? Math.max(soonest, now - 100) : now;
      const outcome = await pressIn(one, when);
      if (outcome === 'acted') return afterwards();
      if (outcome === 'lost') fail(`Lost: the press on '${one.name}'`);
    }
    fail('Never to be pressed: it does not stand');
  }

  /** Presses what stands, in one of the ways that hands have. */
  async function pressIn(one: Standing, when: number): Promise<'acted' | 'again' | 'lost'> {
    const { handle, tag, name, isOnce } = one;
    const ways: Record<string, () => Promise<void>> = {
      'a press on': () => pointer.press(one, when, 1),
      'a click without pointer or key on': () =>
        handle.evaluate((el) => (el as HTMLElement).click()),
      ...(tag !== 'INPUT' && {
        'Enter on': () => keys.press('Enter', when),
        ...(one.hasLine && { 'Enter in a line that is sent by': () => keys.press('Enter', when) }),
        'a double press on': async () => {
          await pointer.press(one, when, 1);
          if (await missedOnce()) return;
          await pointer.press(one, when + chance.pick(TOO_SOON_MS), 2);
        },
        'Enter twice on': async () => {
          await keys.press('Enter', when);
          if (await missedOnce()) return;
          await keys.press('Enter', when + chance.pick(TOO_SOON_MS));
        },
        'a held Enter on': async () => {
          await keys.down('Enter', when);
          await missedOnce();
          await keys.repeat('Enter', 10);
          held = 'Enter';
        },
      }),
      ...(tag !== 'A' &&
        !one.isChosen && {
          'Space on': () => keys.press('Space', when),
          'a held Space on': async () => {
            await keys.down('Space', when);
            await keys.repeat('Space', 20);
            await keys.up('Space');
          },
        }),
    };
    const way = chance.pick(Object.keys(ways));
    told.push(`${way} '${name}'`);
    await page.evaluate(() => window.hands.mark());
    const isInLine = way.startsWith('Enter in');
    await aimAt(handle, isInLine ? 'line' : /Enter|Space/.test(way) ? 'focus' : 'control');
    await ways[way]?.();
    lastPress = /double|twice/.test(way) ? when + Math.max(...TOO_SOON_MS) : when;
    const heard = await handle
      .evaluate((control, sinceBefore) => {
        const { hands } = window;
        const hasMissed = hands.hasMissed();
        hands.aimAt(null);
        const names = hands.clicked().map((each) => (each === control ? null : hands.nameOf(each)));
        const hasChanged = !control.isConnected || hands.standsSince(control) > sinceBefore;
        return { hasMissed, names, hasChanged };
      }, one.since)
      // The press has led to another document.
      .catch(() => null);
    if (heard === null) return 'acted';
    const onIt = heard.names.filter((each) => each === null || each === name).length;
    const others = heard.names.filter((each) => each !== null && each !== name);
    if (others.length > 0) fail(`Not asked for: ${way} '${name}' pressed '${others.join("', '")}'`);
    if (onIt > (isOnce ? 1 : 2)) fail(`Not asked for: ${way} '${name}' pressed it ${onIt} times`);
    if (onIt > 0) return 'acted';
    return heard.hasMissed || heard.hasChanged ? 'again' : 'lost';
  }

  /** At a control, with the focus on it, or in a line of its form. */
  const aimAt = (handle: Handle, how: 'control' | 'focus' | 'line') =>
    handle.evaluate((control, as) => {
      const { form } = control as HTMLButtonElement;
      const line = form?.querySelector<HTMLElement>(':is([type=text],[type=email]):enabled');
      const aim = as === 'line' && line ? line : (control as HTMLElement);
      if (as !== 'control') {
        // As Tab leads there: what the page itself gives the focus takes no key that comes at once.
        const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true });
        (document.activeElement ?? document.body).dispatchEvent(tab);
        aim.focus();
      }
      window.hands.aimAt(aim);
    }, how);
  /** Ends the aim after the first half of a press; a hand that has missed there presses no second time. */
  const missedOnce = () =>
    page.evaluate(() => {
      window.hands.aimAt(null);
      return window.hands.hasMissed();
    });

  async function go(end: Locator, ...steps: readonly Locator[]) {
    const any = steps.reduce((all, each) => all.or(each), end);
    for (let presses = 0; presses < 20; presses += 1) {
      await expect(any.first()).toBeVisible();
      if (await end.first().isVisible()) return;
      const step = await lastShown(steps);
      if (!step) continue;
      const before = await page.evaluate(() => window.hands.dialogs());
      const escapesBefore = escapes;
      await atWork(() => press(step, true));
      await expect
        .poll(
          async () =>
            escapes > escapesBefore ||
            (await end.first().isVisible()) ||
            (await lastShown(steps)) !== step ||
            (await page.evaluate(() => window.hands.dialogs()).catch(() => -1)) !== before,
          {
            message: 'Lost: nothing came of it',
            timeout: PATIENCE_MS,
          },
        )
        .toBe(true);
      await atWork(letGo);
    }
    fail('Twenty presses did not lead there');
  }

  async function type(field: Locator, words: string) {
    await letGo();
    told.push(`types '${words}'`);
    await field.focus();
    await field.press('Control+a');
    for (const letter of words) {
      await at.pass(pace());
      await page.keyboard.type(letter);
    }
    lastPress = await at.now();
    const stands = await field.inputValue();
    if (plain(stands) !== plain(words)) fail(`Lost: of '${words}' there stands '${stands}'`);
  }

  /** A press of a key, wherever it goes. One that counts acts. */
  async function pressBlindly(key: string) {
    await at.pass(pace());
    const inHand = await page.evaluateHandle((stands) => {
      window.hands.mark();
      const found = window.hands.inHand();
      return found && new Event('now').timeStamp >= found.since + stands ? found.control : null;
    }, STANDS_MS);
    const name = await inHand.evaluate((each) => each && window.hands.nameOf(each));
    told.push(`${key} without a look${name === null ? '' : `, on '${name}'`}`);
    if (key.includes('+')) return page.keyboard.press(key);
    await page.keyboard.down(key);
    if (chance.happens(0.15))
      for (let repeats = 0; repeats < 10; repeats += 1) {
        await at.pass(REPEATS_EVERY_MS);
        await page.keyboard.down(key);
      }
    await page.keyboard.up(key);
    if (name !== null && key === 'Enter') {
      const clicks = await inHand.evaluate(
        (control) => window.hands.clicked().filter((each) => each === control).length,
      );
      if (clicks === 0) fail(`Lost: ${key} on '${name}'`);
      if (clicks > 1) fail(`Not asked for: ${key} on '${name}' pressed it ${clicks} times`);
    }
    if (chance.happens(0.15)) {
      await at.pass(chance.pick(TOO_SOON_MS));
      await page.keyboard.press(key);
    }
  }

  return {
    told,
    press: (control) => atWork(() => press(control)),
    go,
    fumble: () => atWork(() => (chance.happens(0.2) ? escape() : fumble())),
    type: (field, words) => atWork(() => type(field, words)),
    blindly: (...keys) =>
      atWork(async () => {
        await letGo();
        for (const key of keys) await pressBlindly(key);
        lastPress = await at.now();
      }),
  };
}

/** Fields set out some of what is typed, such as the number of a card. */
const plain = (words: string) => words.replaceAll(/[^\p{L}\p{N}]/gu, '');

const usable = ':not([aria-disabled="true"]):not(:disabled)';

async function lastShown(steps: readonly Locator[]): Promise<Locator | undefined> {
  for (const step of steps.toReversed())
    if (await step.and(step.page().locator(usable)).first().isVisible()) return step;
  return undefined;
}

/** What the hands see of a control at this moment; null where it cannot be pressed. */
function seenNow(control: HTMLElement | SVGElement): Omit<Standing, 'handle'> | null {
  const { hands } = window;
  if (!control.isConnected || control.matches(':disabled,[aria-disabled=true]')) return null;
  control.scrollIntoView({ block: 'center', behavior: 'instant' });
  const isChoice = control.matches('[type=radio],[type=checkbox]');
  const label = isChoice ? (control as HTMLInputElement).labels?.[0] : null;
  const { left, top, width, height } = (label ?? control).getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  if (hands.controlOf(document.elementFromPoint(x, y)) !== control) return null;
  const form = 'form' in control ? (control.form as HTMLFormElement | null) : null;
  const submits = form !== null && 'type' in control && control.type === 'submit';
  const line = submits ? form.querySelector(':is([type=text],[type=email]):enabled') : null;
  return {
    name: hands.nameOf(control),
    tag: control.tagName,
    x,
    y,
    appeared: hands.appearedAt(control),
    // The line may have come after its button.
    since: Math.max(...[control, line ?? control].map((each) => hands.standsSince(each))),
    now: new Event('now').timeStamp,
    isOnce: submits || control.dataset['actsOn'] !== undefined,
    isChosen: control.matches('[type=radio]:checked'),
    hasLine: line !== null,
  };
}

/** Waits until a control has stood long enough for a press to count. */
async function standing(control: Locator, mayGo: boolean): Promise<Standing | null> {
  const page = control.page();
  const shown = control.and(page.locator(usable)).first();
  // What is looked for without waiting may be gone.
  if (!mayGo && !(await shown.isVisible())) {
    await page.evaluate(() => window.handTime.work(false));
    await shown.waitFor({ timeout: PATIENCE_MS });
    await page.evaluate(() => window.handTime.work(true));
  }
  const [handle] = (await shown.elementHandles()) as Handle[];
  if (!handle) return null;
  const deadline = performance.now() + (mayGo ? SHORT_MS : PATIENCE_MS);
  while (performance.now() < deadline) {
    const seen = await handle.evaluate(seenNow).catch(() => null);
    if (seen) {
      const left = seen.since + STANDS_MS - seen.now;
      if (left <= 0) return { ...seen, handle };
      await page.evaluate((ms) => window.handTime.pass(ms), left);
      continue;
    }
    if (!(await handle.evaluate((each) => each.isConnected).catch(() => false))) return null;
    await handle
      .evaluate(() => {
        window.handTime.pass(200);
        return new Promise(requestAnimationFrame);
      })
      .catch(() => null);
  }
  return null;
}

/** A control of the page that a press of the wrong kind could make act. */
async function anyControl(page: Page, share: number): Promise<Standing | null> {
  const shown = page
    .locator('a[href],button,[type=radio],[type=checkbox]')
    .filter({ visible: true });
  const count = await shown.count();
  if (count === 0) return null;
  const handle = await shown.nth(Math.floor(share * count)).elementHandle();
  const seen = await handle?.evaluate(seenNow).catch(() => null);
  return handle && seen ? { ...seen, handle } : null;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
}

/** Between the page's event time and what the browser's protocol calls a timestamp. */
function eventTimeOf(page: Page) {
  return {
    now: () => page.evaluate(() => new Event('now').timeStamp),
    work: (isAtWork: boolean) => page.evaluate((is) => window.handTime.work(is), isAtWork),
    pass: (ms: number) => page.evaluate((by) => window.handTime.pass(by), ms),
    /** A hand that is ahead of its page would press what it cannot know. Gives what it is then. */
    waitUntil: (when: number) =>
      page.evaluate((until) => {
        const now = () => new Event('now').timeStamp;
        window.handTime.pass(until - now());
        return now();
      }, when),
    /** The stamp of an instant in event time; of each document another. */
    stamp: async (when: number) =>
      ((await page.evaluate(() => performance.timeOrigin - window.handTime.ahead())) + when) /
      1_000,
  };
}
type EventTime = ReturnType<typeof eventTimeOf>;

const pointerOf = (cdp: CDPSession, time: EventTime) => ({
  /** The nth press of a multiple one. */
  async press({ x, y }: Point, when: number, clickCount: number) {
    const timestamp = await time.stamp(when);
    const main = { x, y, button: 'left', clickCount } as const;
    await cdp.send('Input.dispatchMouseEvent', {
      ...main,
      type: 'mousePressed',
      buttons: 1,
      timestamp,
    });
    await cdp.send('Input.dispatchMouseEvent', {
      ...main,
      type: 'mouseReleased',
      timestamp: timestamp + 0.01,
    });
  },
});

const keysOf = (cdp: CDPSession, time: EventTime) => {
  const down = (key: Key, timestamp: number, autoRepeat = false) =>
    cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp, autoRepeat, ...KEYS[key] });
  const up = (key: Key, timestamp: number) => {
    const { text: _text, ...named } = KEYS[key];
    return cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp, ...named });
  };
  const now = async () => time.stamp(await time.now());
  return {
    down: async (key: Key, when?: number) =>
      void (await down(key, when === undefined ? await now() : await time.stamp(when))),
    up: async (key: Key) => void (await up(key, await now())),
    async repeat(key: Key, times: number) {
      const from = await now();
      for (let n = 1; n <= times; n += 1)
        await down(key, from + (n * REPEATS_EVERY_MS) / 1_000, true);
      await time.pass(times * REPEATS_EVERY_MS);
    },
    async press(key: Key, when: number) {
      const timestamp = await time.stamp(when);
      await down(key, timestamp);
      await up(key, timestamp + 0.01);
    },
  };
};
