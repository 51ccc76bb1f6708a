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
export {
  LAST_PAYMENT,
  erasePayments,
  ownPayments,
  paymentAlarms,
  payments,
  spentGatewayEvents,
} from './store.ts';
