import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import type { Locale } from '@clinic/texts';

import { type Caller, callerAs } from '../caller.ts';
import type { ClinicProcess } from '../clinic-process.ts';
import { ChooseType } from '../pages/choose-type.ts';
import { readIn } from '../said.ts';
import { signIn } from '../sign-in.ts';
import { unhurried } from '../unhurried.ts';

/** A flow through the product that stops at some of its states. */
export interface Flow {
  readonly email?: string;
  readonly go: (guide: Guide) => Promise<void>;
}

export interface Guide {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly clinic: ClinicProcess;
  /** Looks at what stands on the page now. */
  readonly stop: (name: string) => Promise<void>;
  readonly home: () => Promise<ChooseType>;
  readonly caller: (email: string) => Promise<Caller>;
}

interface Walk {
  readonly browser: Browser;
  readonly clinic: ClinicProcess;
  readonly locale: Locale;
  readonly options: BrowserContextOptions;
  readonly atOnce: number;
  /** Where a flow stops. */
  readonly look: (page: Page, name: string) => Promise<void>;
}

/** Takes the flows, some at a time, and tells which failed. */
export async function takeFlows(flows: readonly Flow[], walk: Walk): Promise<string[]> {
  const { browser, clinic, locale, options, atOnce, look } = walk;
  const waiting = [...flows];
  const failures: string[] = [];
  const takeNext = async () => {
    for (let flow = waiting.shift(); flow; flow = waiting.shift()) {
      const context = await unhurried(
        await browser.newContext({ ...options, baseURL: clinic.url, reducedMotion: 'reduce' }),
      );
      let last = 'the beginning';
      try {
        await readIn(context, locale);
        const page = await context.newPage();
        if (flow.email !== undefined) await signIn(context, clinic.url, flow.email);
        await flow.go({
          page,
          context,
          clinic,
          stop: async (name) => {
            last = name;
            await look(page, name);
          },
          home: async () => {
            await page.goto('/');
            return ChooseType.arrive(page);
          },
          caller: (email) => callerAs(clinic.url, email),
        });
      } catch (error) {
        failures.push(`${flow.email ?? 'a visitor'}, after ${last}: ${String(error)}`);
      } finally {
        await context.close();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeNext));
  return failures;
}
