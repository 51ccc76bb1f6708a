import { createStore, useStore } from '@clinic/app/store';

/** How close the sheet stands; 'compact' is a list for each provider. */
export const DENSITIES = ['comfortable', 'working', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

const KEY = 'desk.density';

function kept(): Density {
  try {
    const was = localStorage.getItem(KEY);
    return DENSITIES.find((each) => each === was) ?? 'comfortable';
  } catch {
    return 'comfortable';
  }
}

// Of the browser, as eyes and screen are.
const density = createStore(kept());

export const useDensity = () => useStore(density);

export function chooseDensity(next: Density): void {
  density.set(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // A browser that keeps nothing has it until the page is left.
  }
}
