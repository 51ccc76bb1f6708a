export {
  type ClosingPreview,
  type JudgeClosing,
  closeTime,
  previewClosing,
  givenUpByClosing,
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
  type InClosedTime,
  closedBy,
  closingEntries,
  closingById,
  givenUpIn,
  isClosingAsked,
  newestClosings,
} from './store.ts';
