import { test as base, type BrowserContext } from '@playwright/test';

import { type Caller, callerAs } from './caller.ts';
import { type ClinicProcess, openClinic } from './clinic-process.ts';
import { ordinaryMorning } from './moments.ts';
import { ChooseType } from './pages/choose-type.ts';
import { signIn } from './sign-in.ts';

export { expect } from '@playwright/test';

interface Journey {
  /** The instant at which this journey's clinic opens. */
  now: string;
  /** Environment of the clinic beside the usual. */
  clinicEnv: Record<string, string>;
  /** True where patients only look: such journeys share one clinic, opened at `ordinaryMorning`. */
  onlyLooks: boolean;
  /** A practice clinic for this journey alone. */
  clinic: ClinicProcess;
  /** Signs the browser in as a practice account before the first page is opened. */
  as: (email: string) => Promise<string>;
  /** The same, and the patient is on home. */
  atHome: (email: string) => Promise<ChooseType>;
  /** Another patient, by the calls. */
  caller: (email: string) => Promise<Caller>;
}

interface House {
  /** The clinic that journeys share that only look. */
  sharedClinic: () => Promise<ClinicProcess>;
}

/** A journey: its own clinic, and no error on the browser's console that nobody expected. */
export const test = base.extend<Journey, House>({
  now: [ordinaryMorning, { option: true }],
  clinicEnv: [{}, { option: true }],
  onlyLooks: [false, { option: true }],
  sharedClinic: [
    async ({ browserName: _browser }, give) => {
      let clinic: Promise<ClinicProcess> | undefined;
      await give(() => (clinic ??= openClinic({ now: ordinaryMorning })));
      await (await clinic)?.stop();
    },
    { scope: 'worker' },
  ],
  clinic: async ({ now, clinicEnv, onlyLooks, sharedClinic }, give) => {
    if (onlyLooks) return give(await sharedClinic());
    const clinic = await openClinic({ now, env: clinicEnv });
    await give(clinic);
    await clinic.stop();
  },
  baseURL: async ({ clinic }, give) => give(clinic.url),
  context: async ({ context }, give) => {
    const troubles = listenForTrouble(context);
    await give(context);
    if (troubles.length > 0) throw new Error(`The browser complained:\n${troubles.join('\n')}`);
  },
  as: async ({ context, clinic }, give) => give((email) => signIn(context, clinic.url, email)),
  atHome: async ({ as, page }, give) =>
    give(async (email) => {
      await as(email);
      await page.goto('/');
      return ChooseType.arrive(page);
    }),
  caller: async ({ clinic }, give) => give((email) => callerAs(clinic.url, email)),
});

/** What any page of a browser complains of: scripts that broke, violated content policies. */
export function listenForTrouble(context: BrowserContext): string[] {
  const troubles: string[] = [];
  context.on('weberror', (error) => troubles.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && !isAnswerOfTheService(message.text()))
      troubles.push(message.text());
  });
  return troubles;
}

/** Chromium logs each refusal and each socket that was cut; the journeys check those on the page. */
const isAnswerOfTheService = (text: string) =>
  /^(Failed to load resource|WebSocket connection to '\S+' failed)/.test(text);
