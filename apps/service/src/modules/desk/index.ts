export { feesFile, typesFile } from './import-types.ts';
export { pharmaciesFile } from './import-pharmacies.ts';
export { providersFile } from './import-providers.ts';
export { scheduleFile } from './import-schedule.ts';
export { importTable } from './import-table.ts';
export type { Imported, Importing } from './import-table.ts';
