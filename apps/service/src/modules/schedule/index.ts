export {
  codesFile,
  feesFile,
  keptPolicies,
  pacesFile,
  providersFile,
  typesFile,
} from './files.store.ts';
export { stretchesOn } from './answer.ts';
export {
  type FreeTimesPorts,
  freeTimes,
  freeTimesOfEach,
  freeTimesOfRecord,
  thirdNextTimes,
  walkInTimes,
} from './free-times.ts';
export { doctorsOpenTo } from './earliest-slot.ts';
export { registerSchedule } from './routes.ts';
export { watchSlots } from './slot-watch.ts';
export {
  APPOINTMENT_TYPES,
  PACES,
  PROVIDER_POLICIES,
  codesOfInsured,
  feeOn,
  feesOn,
  hideProviders,
  listProviders,
  knownTypes,
  locationInEmr,
  nameInEmr,
  readLengths,
  typesFor,
  typesOffered,
} from './store.ts';
export type { TakenTime, TypeWithFee } from './store.ts';
