import { test as base } from '@playwright/test';

import { type ClinicProcess, openClinic } from './clinic-process.ts';
import { ordinaryMorning } from './moments.ts';
import { signIn } from './sign-in.ts';

export { expect } from '@playwright/test';

interface Journey {
  /** The instant at which this journey's clinic opens. */
  now: string;
  /** Environment of the clinic beside the usual. */
  clinicEnv: Record<string, string>;
  /** A practice clinic for this journey alone. */
  clinic: ClinicProcess;
  /** Signs the browser in as a practice account before the first page is opened. */
  as: (email: string) => Promise<string>;
}

/** A journey: its own clinic, and no error on the browser's console that nobody expected. */
export const test = base.extend<Journey>({
  now: [ordinaryMorning, { option: true }],
  clinicEnv: [{}, { option: true }],
  clinic: async ({ now, clinicEnv }, use) => {
    const clinic = await openClinic({ now, env: clinicEnv });
    await use(clinic);
    await clinic.stop();
  },
  baseURL: async ({ clinic }, use) => use(clinic.url),
  as: async ({ page, clinic }, use) => use((email) => signIn(page, clinic.url, email)),
  page: async ({ page }, use) => {
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isAnswerOfTheService(message.text()))
        troubles.push(message.text());
    });
    await use(page);
    if (troubles.length > 0) throw new Error(`The browser complained:\n${troubles.join('\n')}`);
  },
});

/** Chromium logs each refusal that the service answers; the journeys check those on the page. */
const isAnswerOfTheService = (text: string) => text.startsWith('Failed to load resource');
