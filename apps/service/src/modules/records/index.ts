export { builtInEmr, eraseRecord, setPrimaryProvider } from './built-in-emr.store.ts';
export {
  PROVIDERS,
  TEMPLATES,
  closeDay,
  codesOn,
  expandSchedule,
  isDoctor,
  offeredMinutes,
  saveProviders,
  scheduleFile,
} from './schedule.store.ts';
