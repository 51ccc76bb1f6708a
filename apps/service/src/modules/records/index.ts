export {
  RECORDS,
  type RecordWhoBooks,
  correctRecord,
  eligibilityOfRecord,
  eraseEmrRecord,
  eraseRecord,
  findRecord,
  insertRecord,
  isCardOfRecord,
  isDoctorActive,
  lockRecord,
  openedRecords,
  ownRecord,
  primaryDoctorIfKnown,
  primaryDoctorOf,
  recordWhoBooks,
  setPrimaryProvider,
  statusOf,
} from './patient-records.store.ts';
export { EMR_ADDITIONS, addToEmr, additionsToSeeTo } from './emr-additions.store.ts';
export { keepConnection, readConnection } from './emr-connection.store.ts';
export {
  UNDO_FOR,
  endMerge,
  keepMerge,
  lockMerge,
  mergedRecords,
  mergesInto,
  standingRecord,
} from './merges.store.ts';
export type { MovedAppointment } from './schema.ts';
export { keepEmrSchedule } from './emr-schedule.store.ts';
export {
  type ClosedTime,
  type DayOfProvider,
  type ProviderTime,
  type SingleDay,
  closeSchedule,
  daysSaidFrom,
  reopenSchedule,
  saySingleDay,
  singleDay,
} from './closed-time.store.ts';
export {
  PROVIDERS,
  SLOT_CODES,
  TEMPLATES,
  codesOn,
  expandSchedule,
  isDoctor,
  keptProviders,
  keptSlotCodes,
  lockSchedule,
  knownProviders,
  offeredMinutes,
  saveProviders,
  saveSlotCodes,
  scheduleFile,
} from './schedule.store.ts';
export { type WorkingWeek, codesWithWeek, weekAsFile, weekOn } from './week.store.ts';
