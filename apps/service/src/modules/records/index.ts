export { builtInEmr, eraseRecord, setPrimaryProvider } from './built-in-emr.store.ts';
export { ACTIVE_PROVIDERS, PROVIDER_DAYS } from './parts.store.ts';
export { scheduleFile } from './schedule-file.store.ts';
export {
  closeDay,
  codesOn,
  expandSchedule,
  isDoctor,
  offeredMinutes,
  saveProviders,
} from './schedule.store.ts';
