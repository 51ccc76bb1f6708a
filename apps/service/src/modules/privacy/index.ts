export { retention, sweepSpent } from './retention.store.ts';
export { rotateKeys } from './rotate-keys.ts';
export { registerPrivacy } from './routes.ts';
