export {
  type PendingSignUp,
  type SignUpForm,
  SIGN_UP_TRIES,
  countPasswordTry,
  endFormsOf,
  forgetPasswordTries,
  insertForm,
  lockFormsOf,
  newestFormOf,
  pendingSignUps,
  signUpForm,
  waitingFormsBeside,
} from './pending-sign-ups.store.ts';
