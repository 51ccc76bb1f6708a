export { consentsOf } from './consents.store.ts';
export { registerPrivacy } from './routes.ts';
export { retention } from './retention.ts';
export type { RetentionReport } from './retention.ts';
export { rotateKeys } from './rotate-keys.ts';
export type { RotationEnd } from './rotate-keys.ts';
export { sealAudit } from './seal-audit.ts';
export { sweepSpent } from './sweep-spent.store.ts';
export { verifyAudit } from './verify-audit.ts';
