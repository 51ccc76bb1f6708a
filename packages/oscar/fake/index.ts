export type { AppointmentRow, DemographicRow, Memory } from './memory.ts';
export { ownAuthority } from './own-authority.ts';
export { type ProfileName, profiles } from './profiles.ts';
export { credentials, dateAfter } from './seed.ts';
export {
  type FakeOptions,
  type FakeOscar,
  type Fault,
  type Incoming,
  type WriteFault,
  startFakeOscar,
} from './server.ts';
export {
  actAtRandom,
  blockByStaff,
  bookByStaff,
  cutByStaff,
  daySheetOf,
  deleteByStaff,
  moveByStaff,
  pasteByStaff,
  saveByStaff,
} from './staff.ts';
