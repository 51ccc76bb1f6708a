import { test as base, type BrowserContext } from '@playwright/test';

import { type Caller, callerAs } from './caller.ts';
import { openClinicBehindNginx } from './clinic-behind-nginx.ts';
import { type ClinicOptions, type ClinicProcess, openClinic } from './clinic-process.ts';
import { ordinaryMorning } from './moments.ts';
import { ChooseType } from './pages/choose-type.ts';
import { recordingCalls } from './record-calls.ts';
import { signIn } from './sign-in.ts';
import { noteProcesses, noting } from './touched.ts';
import { ofUnhurried } from './unhurried.ts';

export { expect } from '@playwright/test';

/** `npm run topology -- test` has its journeys run on a whole installation. */
const openHere = process.env['TEST_CLINIC'] === 'behind-nginx' ? openClinicBehindNginx : openClinic;

function open(options: ClinicOptions): Promise<ClinicProcess> {
  noteProcesses();
  return openHere(options);
}

interface Journey {
  /** The instant at which this journey's clinic opens. */
  now: string;
  /** Environment of the clinic beside the usual. */
  clinicEnv: Record<string, string>;
  /** True where the clinic is this journey's alone. */
  alone: boolean;
  /** True where patients only look: they may be patients of other journeys too. */
  onlyLooks: boolean;
  /** A practice clinic, for the journeys of a file, or for this one where it must be alone. */
  clinic: ClinicProcess;
  /** Says that a practice account is this journey's, and fails where it is another's. */
  take: (email: string) => void;
  /** Signs the browser in as a practice account before the first page is opened. */
  as: (email: string) => Promise<string>;
  /** The same, and the patient is on home. */
  atHome: (email: string) => Promise<ChooseType>;
  /** Another patient, by the calls. */
  caller: (email: string) => Promise<Caller>;
}

/** A clinic that the journeys of a file share, and which of them has which patient. */
interface ClinicOfFile {
  /** The file, and the environment that its journeys ask for. */
  readonly of: string;
  readonly clinic: ClinicProcess;
  readonly patients: Map<string, string>;
}

interface House {
  /** False where what is pressed comes when it comes, for journeys about that. */
  isUnhurried: boolean;
  /** The clinic of a file: one at a time, as a worker takes one file after the other. */
  clinicOf: (file: string, env: Record<string, string>) => Promise<ClinicOfFile>;
}

/**
 * A journey: patients of its own in the clinic of its file, or a clinic of its own, and no error on
 * the browser's console that nobody expected.
 */
export const test = base.extend<Journey, House>({
  now: [ordinaryMorning, { option: true }],
  clinicEnv: [{}, { option: true }],
  alone: [false, { option: true }],
  onlyLooks: [false, { option: true }],
  isUnhurried: [true, { option: true, scope: 'worker' }],
  browser: [
    ({ browser, isUnhurried }, give) =>
      give(noting(recordingCalls(isUnhurried ? ofUnhurried(browser) : browser))),
    { scope: 'worker' },
  ],
  clinicOf: [
    async ({ browserName: _browser }, give) => {
      let last: ClinicOfFile | undefined;
      await give(async (file, env) => {
        const of = JSON.stringify([file, env]);
        if (last?.of === of) return last;
        await last?.clinic.stop();
        last = undefined;
        const clinic = await open({ now: ordinaryMorning, env });
        return (last = { of, clinic, patients: new Map() });
      });
      await last?.clinic.stop();
    },
    { scope: 'worker' },
  ],
  clinic: async ({ now, clinicEnv, alone, clinicOf }, give, { file }) => {
    if (!alone && now === ordinaryMorning) {
      const { clinic } = await clinicOf(file, clinicEnv);
      return give({ ...clinic, advance: refuseToAdvance });
    }
    const clinic = await open({ now, env: clinicEnv });
    await give(clinic);
    await clinic.stop();
  },
  take: async ({ now, clinicEnv, alone, onlyLooks, clinicOf }, give, { file, title }) => {
    if (alone || now !== ordinaryMorning) return give(() => {});
    const { patients } = await clinicOf(file, clinicEnv);
    await give((email) => {
      const other = patients.get(email) ?? title;
      if (other !== title) throw new Error(`${email} is the patient of '${other}'.`);
      if (!onlyLooks) patients.set(email, title);
    });
  },
  baseURL: async ({ clinic }, give) => give(clinic.url),
  context: async ({ context }, give) => {
    const failures = listenForErrors(context);
    await give(context);
    if (failures.length > 0) throw new Error(`The browser complained:\n${failures.join('\n')}`);
  },
  as: async ({ context, clinic, take }, give) =>
    give((email) => {
      take(email);
      return signIn(context, clinic.url, email);
    }),
  atHome: async ({ as, page }, give) =>
    give(async (email) => {
      await as(email);
      await page.goto('/');
      return ChooseType.arrive(page);
    }),
  caller: async ({ clinic, take }, give) =>
    give((email) => {
      take(email);
      return callerAs(clinic.url, email);
    }),
});

/** A journey that moves the clinic's clock, or needs a patient of another journey of its file. */
export const testAlone = test.extend({ alone: true });

const refuseToAdvance = () =>
  Promise.reject(new Error('A journey that moves the clock has to be alone.'));

/** What any page of a browser complains of: scripts that broke, violated content policies. */
export function listenForErrors(context: BrowserContext): string[] {
  const failures: string[] = [];
  context.on('weberror', (error) => failures.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && !isAnswerOfTheService(message.text()))
      failures.push(message.text());
  });
  return failures;
}

/** Chromium logs each refusal and each socket that was cut; the journeys check those on the page. */
const isAnswerOfTheService = (text: string) =>
  /^(Failed to load resource|WebSocket connection to '\S+' failed)/.test(text);
