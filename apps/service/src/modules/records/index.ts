export { builtInEmr, eraseRecord, setPrimaryProvider } from './built-in-emr.store.ts';
export {
  PROVIDERS,
  SLOT_CODES,
  TEMPLATES,
  closeDay,
  codesOn,
  expandSchedule,
  isDoctor,
  knownProviders,
  offeredMinutes,
  saveProviders,
  saveSlotCodes,
  scheduleFile,
} from './schedule.store.ts';
