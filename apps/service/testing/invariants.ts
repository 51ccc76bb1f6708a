export { violations } from '../src/platform/invariants.ts';
