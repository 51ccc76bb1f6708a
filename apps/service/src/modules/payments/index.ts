export { heldPayments, paymentPorts, registerPayments } from './routes.ts';
export { paymentAlarms, payments } from './payments.store.ts';
export type { PaymentPorts } from './ports.ts';
export { reconcile } from './reconcile.ts';
export { needsOperator, reconcileReport } from './reconcile-report.ts';
export type { Difference, ReconcileReport } from './reconcile.ts';
export { sweepPayments } from './sweep-payments.ts';
