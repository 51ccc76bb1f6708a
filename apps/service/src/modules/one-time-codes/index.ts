export {
  type CodeRow,
  type Purpose,
  countTry,
  endCode,
  findCode,
  issueCode,
  latestCode,
  takeCode,
} from './one-time-codes.store.ts';
export { CODE_VALID_FOR, RESET_TRIES, confirmToken, resetCode, readResetCode } from './secrets.ts';
