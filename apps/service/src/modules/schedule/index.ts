export { feesFile, providersFile, typesFile } from './files.store.ts';
export { APPOINTMENT_TYPES, PROVIDER_POLICIES, feeOn } from './parts.store.ts';
export { registerSchedule } from './routes.ts';
export { watchSlots } from './slot-watch.ts';
export { type TakenTime, type TypeWithFee, feesOn, typesFor } from './store.ts';
