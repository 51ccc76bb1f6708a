import type { Browser, BrowserContext } from '@playwright/test';

import { chanceOf } from '../faults/chance.ts';
import { patientActs } from '../src/hands/patient-acts.ts';
import { patientTruth } from '../src/hands/patient-truth.ts';
import { tellByHand } from '../src/hands/story.ts';
import { watchPresses } from '../src/hands/watch.ts';
import { expect, listenForErrors, test, testAlone } from '../src/journey.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { accessToken, signIn } from '../src/sign-in.ts';
import { unhurried } from '../src/unhurried.ts';

test.use({ isUnhurried: false });
testAlone.use({ isUnhurried: false });

type Plant = (context: BrowserContext) => Promise<unknown>;
interface Told {
  readonly browser: Browser;
  readonly url: string;
  readonly email: string;
  readonly story: number;
  /** What is wrong with the page. */
  readonly plant?: Plant;
}

const STORIES = process.env['LONG'] ? 300 : 10;
/** The service counts what one address asks of it. */
const STORIES_OF_CLINIC = 10;
const PATIENTS = 5;
const WISHES = 5;

/** One story of a patient, from home on, in a browser of their own. */
async function tellOne({ browser, url, email, story, plant }: Told): Promise<void> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' });
  try {
    const failures = listenForErrors(context);
    await watchPresses(context, story);
    await plant?.(context);
    await signIn(context, url, email);
    const page = await context.newPage();
    await page.goto('/');
    await ChooseType.arrive(page);
    // Whoever reads is signed in for themselves, as the patient may sign out.
    const read = patientTruth(url, email, await accessToken(url, email));
    const chance = chanceOf(`story ${story}`, 601_114_833);
    await tellByHand({ page, chance, acts: patientActs(email), read, length: WISHES });
    expect(failures).toEqual([]);
  } catch (error) {
    throw new Error(`Story ${story}\n${String(error)}`, { cause: error });
  } finally {
    await context.close();
  }
}

for (let first = 0; first < STORIES; first += STORIES_OF_CLINIC) {
  const last = first + STORIES_OF_CLINIC - 1;
  const tell = first === 0 ? test : testAlone;
  // Shows: R-30, S-18
  tell(
    `patients' hands, stories ${first} to ${last}: what was asked for is done, and nothing else`,
    async ({ browser, clinic, take }) => {
      for (let story = first; story <= last; story += 1) {
        const email = `new${1 + (story % PATIENTS)}@practice.example`;
        take(email);
        await tellOne({ browser, url: clinic.url, email, story });
      }
    },
  );
}

const planted: Readonly<Record<string, Plant>> = {
  'on which presses act at once': unhurried,
  'on which a held key presses again and again': (context) =>
    context.addInitScript(() => {
      Object.defineProperty(KeyboardEvent.prototype, 'repeat', { get: () => false });
    }),
};

for (const [index, [what, plant]] of Object.entries(planted).entries())
  test(`hands find out a page ${what}`, async ({ browser, clinic, take }) => {
    const email = `new${PATIENTS + 1 + index}@practice.example`;
    take(email);
    const tell = async () => {
      for (let story = 0; story < 3; story += 1)
        await tellOne({ browser, url: clinic.url, email, story, plant });
    };
    await expect(tell()).rejects.toThrow('Not asked for');
  });
