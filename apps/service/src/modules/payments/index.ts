export { GatewayError, tryCall } from './gateway.ts';
export { needsOperator, reconcile, reconcileIfDue, reconcileReport } from './reconcile.ts';
export { refundFee } from './ask-refund.ts';
export { heldPayments, registerPayments } from './routes.ts';
export { paymentPorts, sweepPayments } from './advance-payment.ts';
export {
  DESK_PAYMENTS,
  EVER_PAID,
  LAST_PAYMENT,
  MONEY_KEPT,
  MONEY_MOVED,
  MONEY_RESTORED,
  PAID_NOW,
  PAYMENTS,
  RECEIPTS,
  erasePayments,
  ownPayments,
  paymentAlarms,
  paymentFigures,
  spentGatewayEvents,
  webhookStanding,
} from './store.ts';
