import { expect, type Page } from '@playwright/test';

import type { Chance } from '../../faults/chance.ts';
import { handsAt, type Hands } from './hands.ts';

/** Where a story happens. */
export interface Scene {
  readonly page: Page;
  readonly hands: Hands;
  readonly chance: Chance;
  /** Who is signed in at the front desk. */
  readonly email?: string | undefined;
}

/** Something that a person wants: what the service must say afterwards, of what it says before; null where it cannot be wanted. */
export type Act<Truth> = (scene: Scene, before: Truth) => Promise<Truth | null>;

interface Story<Truth> {
  readonly page: Page;
  readonly chance: Chance;
  readonly email?: string;
  readonly acts: Readonly<Record<string, Act<Truth>>>;
  /** What the service says: all that hands could have changed. */
  readonly read: () => Promise<Truth>;
  /** Has time pass at the service, until all that was asked for is done. */
  readonly settle?: () => Promise<void>;
  readonly length: number;
  /** What the service said at the end of the story before, where nobody did anything since. */
  readonly before?: Truth | undefined;
}

/**
 * Tells a story, and gives what the service says at its end. Fails with what was done that nobody asked for, or asked
 * for and not done.
 */
export async function tellByHand<Truth>(story: Story<Truth>): Promise<Truth> {
  const { page, chance, email, acts, read, settle, length } = story;
  const hands = await handsAt(page, chance.fork('hands'));
  const told: string[] = [];
  let truth = story.before ?? (await read());
  try {
    for (let tries = 0, done = 0; done < length && tries < 40; tries += 1) {
      const name = chance.pick(Object.keys(acts));
      told.push(name);
      const asked = await acts[name]?.({ page, hands, chance, email }, truth);
      if (asked === undefined || asked === null) {
        told.pop();
        continue;
      }
      done += 1;
      if (chance.happens(0.5)) await hands.fumble();
      await settle?.();
      await expect(async () => {
        const now: unknown = await read();
        expect(now).toEqual(asked);
      }).toPass({ timeout: 40_000, intervals: [0, 200, 400, 800] });
      truth = asked;
    }
    return truth;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const did = hands.told.slice(-30).join('\n  ');
    throw new Error(`${told.join('\n')}\n${why}\nThe hands:\n  ${did}`, { cause: error });
  } finally {
    await hands.rest();
  }
}
