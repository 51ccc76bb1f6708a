export { feesFile, typesFile } from './import-types.ts';
export { pharmaciesFile } from './import-pharmacies.ts';
export { providersFile } from './import-providers.ts';
export { scheduleFile } from './import-schedule.ts';
export { importTable } from './import-table.ts';
export type { Imported, Importing } from './import-table.ts';
export { cancelDay, closeDay } from './cancel-day.ts';
export {
  blockPatient,
  changePatient,
  closeAccount,
  findPatient,
  listPatients,
  unblockPatient,
} from './patients-desk.ts';
export type { DeskPatient, PatientChange } from './patients-desk.ts';
export { STATISTICS_COLUMNS, statistics } from './statistics.ts';
