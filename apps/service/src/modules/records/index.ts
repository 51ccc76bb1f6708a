export {
  eraseRecord,
  findRecord,
  insertRecord,
  isDoctorActive,
  primaryDoctorOf,
  setPrimaryProvider,
  statusOf,
} from './patient-records.store.ts';
export {
  PROVIDERS,
  SLOT_CODES,
  TEMPLATES,
  closeDay,
  codesOn,
  expandSchedule,
  isDoctor,
  keepEmrSchedule,
  knownProviders,
  offeredMinutes,
  saveProviders,
  saveSlotCodes,
  scheduleFile,
} from './schedule.store.ts';
