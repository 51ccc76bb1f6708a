export { needsOperator, reconcile, reconcileReport } from './reconcile.ts';
export { heldPayments, registerPayments } from './routes.ts';
export { paymentPorts, sweepPayments } from './settle.ts';
export {
  LAST_PAYMENT,
  erasePayments,
  ownPayments,
  paymentAlarms,
  spentGatewayEvents,
} from './store.ts';
export { MONEY_KEPT, MONEY_MOVED, RECEIPTS } from './parts.store.ts';
