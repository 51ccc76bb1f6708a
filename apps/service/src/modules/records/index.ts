export {
  RECORDS,
  eraseEmrRecord,
  eraseRecord,
  findRecord,
  insertRecord,
  isDoctorActive,
  openedRecords,
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
