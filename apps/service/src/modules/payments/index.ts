export type { PaymentPorts } from './ports.ts';
export {
  type Difference,
  type ReconcileReport,
  needsOperator,
  reconcile,
  reconcileReport,
} from './reconcile.ts';
export { heldPayments, paymentPorts, registerPayments } from './routes.ts';
export { sweepPayments } from './settle.ts';
export { paymentAlarms, payments } from './store.ts';
