export { PUT_KEYS_BACK, markKeys, whyKeysRefused } from './database-keys.store.ts';
export { registerPrivacy } from './export-data.ts';
export { retention, sweepSpent } from './retention.store.ts';
export { putKeyBack, rotateKeys } from './rotate-keys.store.ts';
