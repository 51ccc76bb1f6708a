export type { StandingHold, TakenTime } from './answer.ts';
export { feesFile, providersFile, typesFile } from './files.store.ts';
export { registerSchedule } from './routes.ts';
export { watchSlots } from './slot-watch.ts';
export { type TypeWithFee, feesOn, typesFor } from './store.ts';
