import { keptChoice } from '../../shared/kept-choice.ts';

/** How close the sheet stands; 'compact' is a list for each provider. */
export const DENSITIES = ['comfortable', 'working', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

export const { use: useDensity, choose: chooseDensity } = keptChoice<Density>('desk.density', {
  read: (kept) => DENSITIES.find((each) => each === kept) ?? 'comfortable',
  write: (density) => density,
});
