import type { Browser, BrowserContext } from '@playwright/test';

import { chanceOf } from '../faults/chance.ts';
import type { ClinicProcess } from '../src/clinic-process.ts';
import { deskActs } from '../src/hands/desk-acts.ts';
import { peopleOf } from '../src/hands/desk-people.ts';
import { type DeskTruth, deskOf } from '../src/hands/desk-truth.ts';
import { tellByHand } from '../src/hands/story.ts';
import { watchPresses } from '../src/hands/watch.ts';
import { expect, listenForErrors, test } from '../src/journey.ts';
import { openSignedInAtDesk } from '../src/sign-in-at-desk.ts';

test.use({ isUnhurried: false, alone: true });

const STORIES_OF_CLINIC = 20;
const CLINICS = process.env['LONG'] ? 25 : 1;
const ACTS = 2;
const MORGAN = 'morgan@practice.example';

interface Told {
  readonly browser: Browser;
  readonly clinic: ClinicProcess;
  readonly clinicOf: number;
  /** What is wrong with the page. */
  readonly plant?: (context: BrowserContext) => Promise<unknown>;
}

/** The stories of one clinic, of a colleague who stays signed in. */
async function tellAll({ browser, clinic, clinicOf, plant }: Told): Promise<void> {
  const context = await browser.newContext({ baseURL: clinic.url, reducedMotion: 'reduce' });
  try {
    const failures = listenForErrors(context);
    await watchPresses(context, clinicOf);
    await plant?.(context);
    const path = '/desk/day/2026-11-21';
    const page = await openSignedInAtDesk(context, clinic.url, MORGAN, path);
    const people = await peopleOf(page, clinic);
    const desk = deskOf(page, { providers: [people.providerId], closingId: people.toCall.id });
    let truth: DeskTruth | undefined;
    for (let story = 0; story < STORIES_OF_CLINIC; story += 1) {
      const chance = chanceOf(`desk ${clinicOf * STORIES_OF_CLINIC + story}`, 417_220_031);
      const since = performance.now();
      truth = await tellByHand({
        page,
        chance,
        acts: deskActs(desk, people),
        read: desk.read,
        settle: desk.settle,
        length: ACTS,
        before: truth,
      });
      process.stdout.write(`story ${story}: ${Math.round(performance.now() - since)} ms\n`);
    }
    expect(failures).toEqual([]);
  } finally {
    await context.close();
  }
}

for (let clinicOf = 0; clinicOf < CLINICS; clinicOf += 1)
  // Shows: S-18
  test(`${STORIES_OF_CLINIC} stories of hands at the front desk: only what was asked for is done, and all of it (${clinicOf})`, ({
    browser,
    clinic,
  }) => tellAll({ browser, clinic, clinicOf }));

test('hands find out a front desk on which an answer takes the focus', async ({
  browser,
  clinic,
}) => {
  const plant = (context: BrowserContext) => context.addInitScript(takeFocusOnAnswers);
  const told = tellAll({ browser, clinic, clinicOf: 0, plant });
  await expect(told).rejects.toThrow(/Not asked for|Lost/);
});

function takeFocusOnAnswers(): void {
  const ask = window.fetch.bind(window);
  window.fetch = async (...request) => {
    const answer = await ask(...request);
    // Once it is drawn.
    setTimeout(() =>
      document.querySelector<HTMLElement>('dialog[open] button, main button')?.focus(),
    );
    return answer;
  };
}
