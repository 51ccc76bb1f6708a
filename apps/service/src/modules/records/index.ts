export {
  RECORDS,
  correctRecord,
  eraseEmrRecord,
  eraseRecord,
  findRecord,
  insertRecord,
  isCardOfRecord,
  isDoctorActive,
  openedRecords,
  ownRecord,
  primaryDoctorIfKnown,
  primaryDoctorOf,
  setPrimaryProvider,
  statusOf,
} from './patient-records.store.ts';
export { keepConnection, readConnection } from './emr-connection.store.ts';
export { keepEmrSchedule } from './emr-schedule.store.ts';
export {
  PROVIDERS,
  SLOT_CODES,
  TEMPLATES,
  type ProviderTime,
  closeSchedule,
  codesOn,
  expandSchedule,
  isDoctor,
  keptProviders,
  keptSlotCodes,
  knownProviders,
  offeredMinutes,
  saveProviders,
  saveSlotCodes,
  scheduleFile,
} from './schedule.store.ts';
export { type WorkingWeek, codesWithWeek, weekAsFile, weekOn } from './week.store.ts';
