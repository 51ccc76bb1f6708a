export { paymentAlarms, payments } from './payments.store.ts';
export type { PaymentPorts } from './ports.ts';
export { needsOperator, reconcileReport } from './reconcile-report.ts';
export { type Difference, type ReconcileReport, reconcile } from './reconcile.ts';
export { heldPayments, paymentPorts, registerPayments } from './routes.ts';
export { sweepPayments } from './sweep-payments.ts';
