export { noteCall, takeCallBack } from './calls.ts';
export { type ClosingCall, callsOfClosing, ownCalls } from './calls.store.ts';
export {
  type ClosingPreview,
  type JudgeClosing,
  closeTime,
  previewClosing,
  givenUpByClosing,
  isClosed,
  lockDay,
  reopenTime,
  setDay,
  singleDayOf,
  singleDaysFrom,
  workOnClosing,
} from './closing.ts';
export {
  type Closing,
  type GivenUp,
  IN_CLOSED_TIME,
  type InClosedTime,
  closedBetween,
  closedBy,
  closingEntries,
  closingById,
  eraseClosingEntries,
  eraseClosingEntriesOfRecord,
  givenUpIn,
  isClosingAsked,
  newestClosings,
  rebookedSince,
} from './store.ts';
