import { chanceOf } from '../faults/chance.ts';
import { deskActs } from '../src/hands/desk-acts.ts';
import { deskOf } from '../src/hands/desk-truth.ts';
import { tellByHand } from '../src/hands/story.ts';
import { watchPresses } from '../src/hands/watch.ts';
import { expect, listenForErrors, test } from '../src/journey.ts';
import { openSignedInAtDesk } from '../src/sign-in-at-desk.ts';

test.use({ isUnhurried: false });

const STORIES_OF_CLINIC = 10;
const CLINICS = process.env['LONG'] ? 30 : 1;
const ACTS = process.env['LONG'] ? 4 : 3;

for (let clinicOf = 0; clinicOf < CLINICS; clinicOf += 1)
  test.describe(`clinic ${clinicOf}`, () => {
    test.use({ alone: true });
    // Shows: S-18
    test(`${STORIES_OF_CLINIC} stories of hands at the front desk: only what was asked for is done, and all of it (${clinicOf})`, async ({
      browser,
      clinic,
    }) => {
      const context = await browser.newContext({ baseURL: clinic.url, reducedMotion: 'reduce' });
      const failures = listenForErrors(context);
      await watchPresses(context);
      const path = '/desk/day/2026-11-21';
      const page = await openSignedInAtDesk(context, clinic.url, 'morgan@practice.example', path);
      const people = {
        patients: {
          'newcomer ari': { name: 'Newcomer, Ari', email: 'new1@practice.example' },
          'newcomer bea': { name: 'Newcomer, Bea', email: 'new2@practice.example' },
        },
        blocked: { words: 'newcomer cem', name: 'Cem Newcomer' },
        providerId: '101',
      };
      const desk = deskOf(page, ['101']);
      for (let story = 0; story < STORIES_OF_CLINIC; story += 1) {
        const chance = chanceOf(`desk ${clinicOf * STORIES_OF_CLINIC + story}`, 417_220_031);
        const since = performance.now();
        await tellByHand({
          page,
          chance,
          acts: deskActs(desk, people),
          read: desk.read,
          length: ACTS,
        });
        process.stdout.write(`story ${story}: ${Math.round(performance.now() - since)} ms\n`);
      }
      await context.close();
      expect(failures).toEqual([]);
    });
  });
