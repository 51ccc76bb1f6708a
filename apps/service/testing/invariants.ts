export { violations } from '../src/database/invariants.store.ts';
