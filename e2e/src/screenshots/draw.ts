import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, BrowserContext, Page } from '@playwright/test';

import { type Caller, callerAs } from '../caller.ts';
import type { ClinicProcess } from '../clinic-process.ts';
import { ChooseType } from '../pages/choose-type.ts';
import { signIn } from '../sign-in.ts';

/** The windows in which each state is drawn. */
const widths = [
  { width: 375, height: 812 },
  { width: 768, height: 1024 },
  { width: 1280, height: 900 },
] as const;
const schemes = ['light', 'dark'] as const;

/** A flow through the product that stops at some of its states. */
export interface Flow {
  readonly email?: string;
  readonly go: (guide: Guide) => Promise<void>;
}

export interface Guide {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly clinic: ClinicProcess;
  /** Draws what stands on the page now, in every window and scheme. */
  readonly snap: (name: string) => Promise<void>;
  readonly home: () => Promise<ChooseType>;
  readonly caller: (email: string) => Promise<Caller>;
}

/** Takes the flows, some at a time, and tells which failed. */
export async function takeScreenshots(
  browser: Browser,
  clinic: ClinicProcess,
  folder: string,
  flows: readonly Flow[],
  atOnce: number,
): Promise<{ readonly pictures: number; readonly failures: readonly string[] }> {
  mkdirSync(folder, { recursive: true });
  const waiting = [...flows];
  const failures: string[] = [];
  let pictures = 0;
  const takeNext = async () => {
    for (let flow = waiting.shift(); flow; flow = waiting.shift()) {
      const context = await browser.newContext({ baseURL: clinic.url, reducedMotion: 'reduce' });
      try {
        const page = await context.newPage();
        await page.setViewportSize(widths[2]);
        if (flow.email !== undefined) await signIn(context, clinic.url, flow.email);
        await flow.go({
          page,
          context,
          clinic,
          snap: async (name) => {
            const drawn = await draw(page, folder, name);
            pictures += drawn;
          },
          home: async () => {
            await page.goto('/');
            return ChooseType.arrive(page);
          },
          caller: (email) => callerAs(clinic.url, email),
        });
      } catch (error) {
        failures.push(`${flow.email ?? 'a visitor'}: ${String(error)}`);
      } finally {
        await context.close();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeNext));
  return { pictures, failures };
}

async function draw(page: Page, folder: string, name: string): Promise<number> {
  for (const size of widths) {
    await page.setViewportSize(size);
    // A dialog belongs to the window; a page is drawn to its end, with what is fixed where it ends.
    if ((await page.locator('dialog[open]').count()) === 0)
      await page.setViewportSize({ ...size, height: await heightOf(page, size.height) });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      const path = join(folder, `${name}-${size.width}-${colorScheme}.png`);
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(widths[2]);
  return widths.length * schemes.length;
}

async function heightOf(page: Page, atLeast: number): Promise<number> {
  const content = await page.evaluate(() => document.documentElement.scrollHeight);
  return Math.max(content, atLeast);
}
