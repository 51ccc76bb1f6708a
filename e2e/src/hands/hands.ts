import {
  expect,
  type CDPSession,
  type ElementHandle,
  type Locator,
  type Page,
  type Request,
} from '@playwright/test';

import type { Chance } from '../../faults/chance.ts';
import type { Clock } from './hand-time.ts';
import type { Seen } from './watch.ts';

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

interface Standing extends Seen {
  readonly handle: Handle;
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
  /** Leaves the page. */
  readonly rest: () => Promise<void>;
}

/** Of a page whose context is watched from its beginning (`watchPresses`). */
export async function handsAt(page: Page, chance: Chance): Promise<Hands> {
  const cdp = await page.context().newCDPSession(page);
  const told: string[] = [];
  const hear = (request: Request) => {
    if (request.method() !== 'GET')
      told.push(`    ${request.method()} ${new URL(request.url()).pathname}`);
  };
  page.on('request', hear);
  const clock = () => page.evaluate(() => window.handTime.clock());
  const pass = (ms: number) => page.evaluate((by) => window.handTime.pass(by), ms);
  const mark = () => page.evaluate(() => window.hands.mark());
  const pressPointer = pointerOf(cdp);
  const keys = keysOf(cdp);
  let lastPress = -Infinity;
  let escapes = 0;
  let held: Key | null = null;

  const fail = (what: string) => {
    throw new Error(what);
  };

  const pace = () => chance.between(...PACE_MS);
  /** While a hand is at work, from its first look, no time passes but its own. */
  async function atWork<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = await work();
    await page.evaluate(() => window.handTime.work(false));
    return outcome;
  }

  /** Fails where something was clicked since the mark. */
  async function expectNoClick(what: string) {
    const clicked = await page.evaluate(() => {
      window.hands.aimAt(null);
      return window.hands.clicked().map((each) => window.hands.nameOf(each));
    });
    if (clicked.length > 0) fail(`Not asked for: ${what} pressed '${clicked.join("', '")}'`);
  }

  async function repeat(key: Key, times: number) {
    await keys.repeat(key, times, await clock());
    await pass(times * REPEATS_EVERY_MS);
  }

  /** A key that was held since the last press goes on wherever the page has led, and is lifted. */
  async function letGo() {
    if (held === null) return;
    const key = held;
    held = null;
    await mark();
    await repeat(key, 10);
    await keys.up(key);
    await expectNoClick(`The ${key} that was still held`);
  }

  async function escape() {
    told.push('Escape');
    escapes += 1;
    await page.keyboard.press('Escape');
    // The second half of a double press is stamped ahead of its page.
    lastPress = Math.max(lastPress, (await clock()).now);
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
        await repeat(key, 10);
        await keys.up(key);
      },
      ...(tag !== 'A' && {
        'middle press on': () => page.mouse.click(x, y, { button: 'middle' }),
      }),
    };
    const way = chance.pick(Object.keys(ways));
    told.push(`${way} '${name}'`);
    await mark();
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
    const seen = await control.evaluate((each) => window.hands.see(each));
    if (!seen) return;
    const soon = chance.pick(TOO_SOON_MS);
    const way = chance.pick(['the mouse', 'Enter', 'Space'] as const);
    told.push(`${way} on '${seen.name}' ${soon} ms after it appeared`);
    const { origin } = await ready(control, -Infinity, way === 'the mouse' ? 'control' : 'focus');
    const when = seen.appeared + soon;
    if (way === 'the mouse') await pressPointer(seen, origin, when, 1);
    else await keys.press(way, origin, when);
    await expectNoClick(`${way} ${soon} ms after it appeared`);
  }

  /** Presses a key once more where that is no control. */
  async function pressAgainOnNothing() {
    const time = await page.evaluate(() => {
      const { activeElement } = document;
      // Space draws on a cell that is drawn on, and takes the option in hand of a list.
      if (
        window.hands.controlOf(activeElement) !== null ||
        activeElement?.matches('[role=grid] td,[role=listbox]')
      )
        return null;
      window.hands.mark();
      window.hands.aimAt(activeElement as HTMLElement | null);
      return window.handTime.clock();
    });
    if (time === null) return;
    const key = chance.pick(['Enter', 'Space'] as const);
    told.push(`${key} once more, on no control`);
    await keys.press(key, time.origin, time.now + AGAIN_MS);
    await expectNoClick(`${key} on no control`);
  }

  async function afterwards() {
    if (chance.happens(0.5)) await pressTooSoon();
    if (chance.happens(0.15)) await pressAgainOnNothing();
    if (chance.happens(0.15)) await escape();
  }

  /** Within `go` the page may have gone on by itself meanwhile: false where nothing was pressed. */
  async function press(control: Locator, mayGo = false): Promise<boolean> {
    await letGo();
    for (let tries = 0; tries < 8; tries += 1) {
      let one = await standing(control, mayGo);
      if (!one && mayGo) return false;
      if (chance.happens(0.3)) {
        await fumble(one ?? undefined);
        one = await standing(control, mayGo);
        // Another question covers it by now.
        if (!one && mayGo) return false;
      }
      if (!one) continue;
      const outcome = await pressIn(one);
      if (outcome === 'lost') fail(`Lost: the press on '${one.name}'`);
      if (outcome === 'again') continue;
      await afterwards();
      return true;
    }
    return fail('Never to be pressed: it does not stand');
  }

  /** Presses what stands, in one of the ways that hands have. */
  async function pressIn(one: Standing): Promise<'acted' | 'again' | 'lost'> {
    const { handle, tag, name, isOnce } = one;
    const soonest = Math.max(one.since, lastPress) + STANDS_MS;
    const until = Math.max(soonest, lastPress + pace());
    const isStampedEarlier = chance.happens(0.5);
    let [when, origin] = [until, 0];
    const ways: Record<string, () => Promise<void>> = {
      'a press on': () => pressPointer(one, origin, when, 1),
      'a click without pointer or key on': () =>
        handle.evaluate((el) => (el as HTMLElement).click()),
      ...(tag !== 'INPUT' && {
        'Enter on': () => keys.press('Enter', origin, when),
        ...(one.hasLine && {
          'Enter in a line that is sent by': () => keys.press('Enter', origin, when),
        }),
        'a double press on': async () => {
          await pressPointer(one, origin, when, 1);
          const time = await missOrGoOn();
          if (time) await pressPointer(one, time.origin, when + chance.pick(TOO_SOON_MS), 2);
        },
        'Enter twice on': async () => {
          await keys.press('Enter', origin, when);
          const time = await missOrGoOn();
          if (time) await keys.press('Enter', time.origin, when + chance.pick(TOO_SOON_MS));
        },
        'a held Enter on': async () => {
          await keys.down('Enter', origin, when);
          held = 'Enter';
          await missOrGoOn();
          await repeat('Enter', 10);
        },
      }),
      ...(tag !== 'A' &&
        !one.isChosen && {
          'Space on': () => keys.press('Space', origin, when),
          'a held Space on': async () => {
            await keys.down('Space', origin, when);
            await repeat('Space', 20);
            await keys.up('Space');
          },
        }),
    };
    const way = chance.pick(Object.keys(ways));
    told.push(`${way} '${name}'`);
    const isInLine = way.startsWith('Enter in');
    const how = isInLine ? 'line' : /Enter|Space/.test(way) ? 'focus' : 'control';
    const time = await ready(handle, until, how);
    origin = time.origin;
    when = isStampedEarlier ? Math.max(soonest, time.now - 100) : time.now;
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

  /** At a control, with the focus on it, or in a line of its form, at an instant of event time. */
  const ready = (handle: Handle, until: number, how: 'control' | 'focus' | 'line') =>
    handle.evaluate((control, [when, as]) => window.hands.ready(control, when, as), [
      until,
      how,
    ] as const);
  /** Ends the aim after the first half of a press; a hand that has missed there presses no second time. */
  const missOrGoOn = () =>
    page.evaluate(() => {
      window.hands.aimAt(null);
      return window.hands.hasMissed() ? null : window.handTime.clock();
    });

  async function go(end: Locator, ...steps: readonly Locator[]) {
    const ways = [...steps.map(ofUse), end];
    const any = ways.reduce((all, each) => all.or(each)).filter({ visible: true });
    let presses = 0;
    // A step that another question covers, or that goes as it is looked at, is none.
    for (let tries = 0; presses < 20 && tries < 200; tries += 1) {
      const step = await lastShown(ways);
      if (step === end) return;
      if (!step) {
        await expect(any.first(), 'Lost: no way on').toBeVisible();
        continue;
      }
      const escapesBefore = escapes;
      const dialogs = () => page.evaluate(() => window.hands.dialogs());
      const before = await dialogs();
      if (!(await atWork(() => press(step, true)))) continue;
      presses += 1;
      await expect
        .poll(
          async () =>
            escapes > escapesBefore ||
            (await dialogs().catch(() => -1)) !== before ||
            (await lastShown(ways)) !== step,
          {
            message: 'Lost: nothing came of it',
            timeout: PATIENCE_MS,
          },
        )
        .toBe(true);
      if (held !== null) await atWork(letGo);
    }
    fail('Twenty presses did not lead there');
  }

  async function type(field: Locator, words: string) {
    await letGo();
    told.push(`types '${words}'`);
    await field.focus();
    await field.press('Control+a');
    const paces = Array.from(words, pace);
    await page.evaluate((ms) => {
      window.handTime.work(true);
      window.handTime.pace(ms);
    }, paces);
    await page.keyboard.type(words);
    lastPress = await page.evaluate(() => {
      window.handTime.pace([]);
      return window.handTime.clock().now;
    });
    const stands = await field.inputValue();
    if (plain(stands) !== plain(words)) fail(`Lost: of '${words}' there stands '${stands}'`);
  }

  /** A press of a key, wherever it goes. One that counts acts. */
  async function pressBlindly(key: string) {
    const isHeld = !key.includes('+') && chance.happens(0.15);
    const repeats = Array.from({ length: isHeld ? 10 : 0 }, () => REPEATS_EVERY_MS);
    await page.evaluate(
      (ms) => {
        window.hands.mark();
        window.handTime.pace(ms);
      },
      [pace(), ...repeats],
    );
    if (key.includes('+')) {
      told.push(`${key} without a look`);
      return page.keyboard.press(key);
    }
    for (let times = 0; times <= repeats.length; times += 1) await page.keyboard.down(key);
    await page.keyboard.up(key);
    const met = await page.evaluate(() => {
      const { met, clicked } = window.hands;
      const on = met();
      return (
        on && { ...on, control: null, clicks: clicked().filter((one) => one === on.control).length }
      );
    });
    const isMet = met !== null && key === 'Enter';
    told.push(
      `${isHeld ? 'a held ' : ''}${key} without a look${isMet ? `, on '${met.name}'` : ''}`,
    );
    if (isMet && met.clicks === 0 && met.stoodMs >= STANDS_MS)
      fail(`Lost: ${key} on '${met.name}'`);
    if (isMet && met.clicks > 1)
      fail(`Not asked for: ${key} on '${met.name}' pressed it ${met.clicks} times`);
    if (chance.happens(0.15)) {
      await pass(chance.pick(TOO_SOON_MS));
      await page.keyboard.press(key);
    }
  }

  return {
    told,
    press: async (control) => void (await atWork(() => press(control))),
    go,
    fumble: () => atWork(() => (chance.happens(0.2) ? escape() : fumble())),
    rest: async () => {
      page.off('request', hear);
      await cdp.detach();
    },
    type: (field, words) => atWork(() => type(field, words)),
    blindly: (...blind) =>
      atWork(async () => {
        await letGo();
        for (const each of blind) await pressBlindly(each);
        lastPress = (await clock()).now;
      }),
  };
}

/** Fields set out some of what is typed, such as the number of a card. */
const plain = (words: string) => words.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** What is not busy or disabled. */
const ofUse = (control: Locator) =>
  control.and(control.page().locator(':not([aria-disabled="true"]):not(:disabled)'));

/** The last one that is shown. What has come between two looks counts: the page may draw several at once. */
async function lastShown(ways: readonly Locator[]): Promise<Locator | undefined> {
  for (let at = ways.length - 1; at >= 0; at -= 1)
    if (await ways[at]?.first().isVisible())
      return (await lastShown(ways.slice(at + 1))) ?? ways[at];
  return undefined;
}

/** Waits until a control has stood long enough for a press to count. */
async function standing(control: Locator, mayGo: boolean): Promise<Standing | null> {
  const shown = ofUse(control).filter({ visible: true }).first();
  // What is looked for without waiting may be gone.
  if (!mayGo) {
    await control.page().evaluate(() => window.handTime.work(false));
    await shown.waitFor({ timeout: PATIENCE_MS });
  }
  const [handle] = (await shown.elementHandles()) as Handle[];
  const patience = mayGo ? SHORT_MS : PATIENCE_MS;
  const seen = await handle
    ?.evaluate((each, [stands, ms]) => window.hands.standing(each, stands, ms), [
      STANDS_MS,
      patience,
    ] as const)
    .catch(() => null);
  return handle && seen ? { ...seen, handle } : null;
}

/** A control of the page that a press of the wrong kind could make act. */
async function anyControl(page: Page, share: number): Promise<Standing | null> {
  const found = await page.evaluateHandle((at) => window.hands.any(at), share);
  const handle = found.asElement() as Handle | null;
  const seen = await handle?.evaluate((each) => window.hands.see(each)).catch(() => null);
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

/** The nth press of a multiple one, at an instant of event time. */
const pointerOf =
  (cdp: CDPSession) =>
  async ({ x, y }: Point, origin: number, when: number, clickCount: number) => {
    const main = { x, y, button: 'left', clickCount } as const;
    const timestamp = origin + when / 1_000;
    await Promise.all([
      cdp.send('Input.dispatchMouseEvent', {
        ...main,
        type: 'mousePressed',
        buttons: 1,
        timestamp,
      }),
      cdp.send('Input.dispatchMouseEvent', {
        ...main,
        type: 'mouseReleased',
        timestamp: timestamp + 0.01,
      }),
    ]);
  };

/** Keys at an instant of event time, or now. */
const keysOf = (cdp: CDPSession) => {
  const send = (event: object) => cdp.send('Input.dispatchKeyEvent', event as never);
  const down = (key: Key, timestamp?: number, autoRepeat = false) =>
    send({
      type: 'keyDown',
      ...(timestamp !== undefined && { timestamp }),
      autoRepeat,
      ...KEYS[key],
    });
  const up = (key: Key, timestamp?: number) => {
    const { text: _text, ...named } = KEYS[key];
    return send({ type: 'keyUp', ...(timestamp !== undefined && { timestamp }), ...named });
  };
  return {
    down: async (key: Key, origin?: number, when = 0) =>
      void (await down(key, origin && origin + when / 1_000)),
    up: async (key: Key) => void (await up(key)),
    repeat: (key: Key, times: number, { now, origin }: Clock) =>
      Promise.all(
        Array.from({ length: times }, (_, n) =>
          down(key, origin + (now + (n + 1) * REPEATS_EVERY_MS) / 1_000, true),
        ),
      ),
    press: async (key: Key, origin: number, when: number) => {
      const timestamp = origin + when / 1_000;
      await Promise.all([down(key, timestamp), up(key, timestamp + 0.01)]);
    },
  };
};
