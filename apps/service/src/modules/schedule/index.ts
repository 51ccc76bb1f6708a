export { closeDay, isDoctor } from './closed-days.store.ts';
export { providersFile } from './providers-file.store.ts';
export { registerSchedule, watchSlots } from './routes.ts';
export { scheduleFile } from './schedule-file.store.ts';
export { feesFile, typesFile } from './types-file.store.ts';
