export { feesFile, typesFile } from './types-file.store.ts';
export { pharmaciesFile } from './pharmacies-file.store.ts';
export { providersFile } from './providers-file.store.ts';
export { scheduleFile } from './schedule-file.store.ts';
export { importTable } from './import-table.ts';
export type { Imported, Importing } from './import-table.ts';
export { cancelDay, dayToCancel } from './cancel-day.ts';
export { closeDay, isDoctor } from './closed-days.store.ts';
export type { CancelledDay } from './cancel-day.ts';
export {
  blockPatient,
  changePatient,
  accountToClose,
  closeAccount,
  findPatient,
  listPatients,
  unblockPatient,
} from './patients-desk.store.ts';
export type { DeskPatient, PatientChange } from './patients-desk.store.ts';
export { STATISTICS_COLUMNS, statistics } from './statistics.store.ts';
export { bookingFacts } from './obstacles.store.ts';
export type { BookingFacts } from './obstacles.store.ts';
