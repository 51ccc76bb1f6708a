import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from '@playwright/test';

import type { Chance } from '../../faults/chance.ts';
import { actNames, acts, type ActName } from './acts.ts';
import { seenOn, untrueOn } from './claims.ts';
import type { Asked } from './truth.ts';

/** A page of the patient, by its name in the story. */
export type Pages = Readonly<Record<string, Page>>;

/** What one page did is on every other within so many milliseconds. */
const WITHIN_MS = 2_000;
/** A busy machine is given more before it counts as untrue. */
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 50;
/** The service is asked less often than the pages are looked at: it counts the calls of a patient. */
const ASK_EVERY_MS = 1_000;

/** Milliseconds until no page says anything untrue. Throws with what is untrue. */
export async function untilTrue(pages: Pages, asked: Asked, within = PATIENCE_MS): Promise<number> {
  const since = performance.now();
  let truth = await asked.truth();
  let askedAt = since;
  for (;;) {
    if (performance.now() - askedAt > ASK_EVERY_MS) {
      askedAt = performance.now();
      truth = await asked.truth();
    }
    const wrong: string[] = [];
    for (const [name, page] of Object.entries(pages)) {
      const seen = await seenOn(page);
      for (const each of untrueOn(seen, truth)) wrong.push(`${name} ('${seen.heading}') ${each}`);
    }
    const took = performance.now() - since;
    if (wrong.length === 0) return took;
    if (took > within)
      throw new Error(`After ${within} ms:\n${wrong.join('\n')}\n${JSON.stringify(truth)}`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Tells one story of 4 to 8 acts; gives how long each took to reach every page. */
export async function tellStory(pages: Pages, asked: Asked, chance: Chance): Promise<number[]> {
  const told: string[] = [];
  const took: number[] = [];
  const names = Object.keys(pages);
  const length = 4 + Math.floor(chance.next() * 5);
  try {
    await asked.tidy();
    for (let tries = 0; took.length < length && tries < 60; tries += 1) {
      const name = chance.pick(names);
      const act: ActName = chance.pick(actNames);
      const page = pages[name];
      if (page === undefined || !(await acts[act](page, chance))) continue;
      told.push(`${name} ${act}`);
      took.push(await untilTrue(pages, asked));
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${told.join('\n')}\n${why}`, { cause: error });
  }
  return took;
}

export const slowerThanAllowed = (took: readonly number[]) =>
  took.filter((each) => each > WITHIN_MS).length;
