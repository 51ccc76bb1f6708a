export { builtInEmr, eraseRecord, setPrimaryProvider } from './built-in-emr.store.ts';
export {
  ACTIVE_PROVIDERS,
  PROVIDER_DAYS,
  closeDay,
  codesOn,
  expandSchedule,
  isDoctor,
  offeredMinutes,
  saveProviders,
  scheduleFile,
} from './schedule.store.ts';
