/** In place of TanStack Query's part for queries that suspend: no page has one, and every page would load it. */
export const ensureSuspenseTimers = (): void => {};
export const shouldSuspend = (): boolean => false;
export const fetchOptimistic = (): void => {};
export const defaultThrowOnError = shouldSuspend;
