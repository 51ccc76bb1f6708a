import type { Browser, BrowserContext } from '@playwright/test';

/**
 * Playwright presses what appeared a moment ago, which no person does, and which packages/ui drops. Here what is
 * pressed is a second of event time late, at no cost of time, and two taps in quick succession are two.
 */
export async function unhurried(context: BrowserContext): Promise<BrowserContext> {
  await context.addInitScript(stampLate);
  const { clock } = context;
  const install = clock.install.bind(clock);
  // The clock has stamps of its own, which take the place of the late ones.
  clock.install = async (options) => {
    await install(options);
    await context.addInitScript(stampLate);
    for (const page of context.pages()) await page.evaluate(stampLate);
  };
  return context;
}

function stampLate(): void {
  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp');
  Object.defineProperty(Event.prototype, 'timeStamp', {
    configurable: true,
    get(this: Event) {
      const at = stamp?.get?.call(this) as number;
      return /^(pointer|mouse|key|click)/.test(this.type) ? at + 1_000 : at;
    },
  });
  const detail = Object.getOwnPropertyDescriptor(UIEvent.prototype, 'detail');
  Object.defineProperty(UIEvent.prototype, 'detail', {
    configurable: true,
    get(this: UIEvent) {
      const isTap = this.type === 'click' && (this as PointerEvent).pointerType === 'touch';
      return isTap ? 1 : (detail?.get?.call(this) as number);
    },
  });
}

/** A browser whose every context is unhurried. */
export function ofUnhurried(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => unhurried(await open(options));
  return browser;
}
