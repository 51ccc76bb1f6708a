export {
  type Availability,
  announceMaintenance,
  availabilityNow,
  endMaintenance,
  maintenanceForm,
  watchAvailability,
} from './availability.ts';
export { type OutsideSchedule, outsideSchedule, saveDay, saveWeek } from './outside-schedule.ts';
export { registerOperations } from './routes.ts';
export { bookingsByDoor, demand, leadTimes, periodsOf } from './reports.store.ts';
export { statistics, statisticsFile } from './statistics.store.ts';
export { type ClinicTable, clinicTables, hasEmr, refuseKeptInEmr, tableNamed } from './tables.ts';
export { type ToldSince, toldSince } from './patients-to-call.store.ts';
