export {
  codesFile,
  feesFile,
  keptPolicies,
  pacesFile,
  providersFile,
  typesFile,
} from './import-tables.store.ts';
export { stretchesOn } from './schedule-response.ts';
export {
  type FreeTimesPorts,
  freeTimes,
  freeTimesOfEach,
  thirdNextTimes,
  walkInTimes,
} from './free-times.ts';
export { doctorsOpenTo } from './earliest-slot.ts';
export { registerSchedule } from './routes.ts';
export { watchSlots } from './slot-watch.ts';
export {
  PACES,
  PROVIDER_POLICIES,
  hideProviders,
  listProviders,
  locationInEmr,
  readLengths,
} from './store.ts';
export {
  APPOINTMENT_TYPES,
  codesOfInsured,
  knownTypes,
  nameInEmr,
  typesFor,
  typesNamedTo,
  typesOffered,
} from './types.store.ts';
export { feeOn, feesOn } from './fees.store.ts';
export type { TakenTime } from './store.ts';
export type { TypeWithFee } from './types.store.ts';
