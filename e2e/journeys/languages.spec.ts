import type { Page } from '@playwright/test';
import { PSEUDO, PSEUDO_MIRRORED } from '@clinic/texts/pseudo';

import { expectAccessible, wordsLost } from '../src/accessible.ts';
import { flows, lapsingFlows } from '../src/flows/all-flows.ts';
import { takeFlows } from '../src/flows/flow.ts';
import { expect, testAlone } from '../src/journey.ts';

testAlone.describe.configure({ mode: 'parallel' });

const subjects = Object.entries({ ...flows, 'a hold that ends': lapsingFlows });

/** The first is longer than any language, and shows which words no translator can reach. */
const locales = process.env['LONG'] === '1' ? [PSEUDO, PSEUDO_MIRRORED, 'fr'] : [PSEUDO];

for (const locale of locales)
  for (const [subject, flowsOfSubject] of subjects)
    // Shows: R-99
    testAlone(
      `${subject}: every screen is read in ${locale}, and no word is cut off`,
      async ({ browser, clinic }) => {
        // One subject has up to thirty screens, each of which is laid out anew twice.
        testAlone.slow();
        const lost: string[] = [];
        const look = async (page: Page, screen: string) => {
          for (const words of await wordsLost(page)) lost.push(`${screen}: ${words}`);
          if (locale === 'fr') await expectAccessible(page);
        };
        const options = { viewport: { width: 1280, height: 900 } };
        const walk = { browser, clinic, locale, options, look, atOnce: 1 };
        expect([await takeFlows(flowsOfSubject, walk), lost]).toEqual([[], []]);
      },
    );
