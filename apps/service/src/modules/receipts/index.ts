export { type Receipt, keepMoney, moveMoney, receiptOf } from './receipts.store.ts';
