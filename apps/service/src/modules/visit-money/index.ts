export { keepMoney, moveMoney, receiptOf } from './visit-money.store.ts';
export type { Receipt } from './visit-money.store.ts';
