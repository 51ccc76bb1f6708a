export { violations } from '../src/database/invariants.ts';
