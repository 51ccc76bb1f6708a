export { registerAgreements } from './agreement-routes.ts';
export { consentsOf } from './consents.store.ts';
export { type RetentionReport, retention } from './retention.ts';
export { type RotationEnd, rotateKeys } from './rotate-keys.ts';
export { registerPrivacy } from './routes.ts';
export { sealAudit } from './seal-audit.ts';
export { sweepSpent } from './sweep-spent.store.ts';
export { verifyAudit } from './verify-audit.ts';
