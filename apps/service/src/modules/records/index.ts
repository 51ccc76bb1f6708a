export { builtInEmr, eraseRecord, setPrimaryProvider } from './built-in-emr.store.ts';
export {
  ACTIVE_PROVIDERS,
  PROVIDERS,
  PROVIDER_DAYS,
  TEMPLATES,
  closeDay,
  codesOn,
  expandSchedule,
  isDoctor,
  offeredMinutes,
  saveProviders,
  scheduleFile,
} from './schedule.store.ts';
