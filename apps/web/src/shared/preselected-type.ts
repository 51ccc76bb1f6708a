import { createStore } from './store.ts';

/** The type that a login link asked for, on its way to the booking. */
export const preselectedType = createStore<'I' | 'D' | null>(null);
