export {
  type AccountLetter,
  enqueueAccountLetter,
  handleAccountLetters,
} from './send-account-letter.ts';
