import { describe, expect, test } from 'vitest';
import {
  PRIVILEGES,
  type Privilege,
  STAFF_ROLES,
  isStaffRole,
  may,
  mayAny,
  needsRecentFactor,
} from './permissions.ts';

const TABLE: Readonly<Record<Privilege, string>> = {
  ownSession: 'receptionist clinician manager auditor',
  ownSignIn: 'receptionist clinician manager auditor',
  daySheet: 'receptionist clinician manager',
  everyProvider: 'receptionist manager',
  ownWeek: 'clinician',
  openAppointment: 'receptionist clinician manager',
  appointmentStatus: 'receptionist clinician manager',
  cancelAppointment: 'receptionist manager',
  findPatient: 'receptionist manager auditor',
  bookOwn: 'receptionist clinician manager',
  bookAppointment: 'receptionist manager',
  takeFee: 'receptionist manager',
  money: 'manager',
  reports: 'manager',
  setUp: 'manager',
  seeSchedule: 'receptionist manager',
  closeTime: 'receptionist manager',
  harmMany: 'manager',
  stopMany: 'receptionist clinician manager auditor',
  editSchedule: 'manager',
  readMessages: 'receptionist clinician manager',
  answerMessages: 'receptionist clinician manager',
  readSuggestions: 'receptionist manager',
  openPatient: 'receptionist clinician manager',
  noteOnCard: 'receptionist clinician manager',
  changePatient: 'receptionist manager',
  decideDocument: 'receptionist manager',
  correctPatient: 'receptionist manager',
  addPatient: 'receptionist manager',
  mergePatients: 'manager',
  closeAccount: 'manager',
  decideAddress: 'manager',
  staff: 'manager',
  refund: 'manager',
  export: 'manager',
  keys: 'manager',
  auditTrail: 'manager auditor',
};

describe('What staff may do (S-18)', () => {
  test.each(PRIVILEGES)('%s belongs to the roles of the table and to no other', (privilege) => {
    const allowed = STAFF_ROLES.filter((role) => may(role, privilege));
    expect(allowed.join(' ')).toBe(TABLE[privilege]);
  });

  test('an auditor reads the trail, stops what waits, and changes nothing but how they sign in', () => {
    const allowed = PRIVILEGES.filter((privilege) => may('auditor', privilege));
    expect(allowed).toEqual(['ownSession', 'ownSignIn', 'findPatient', 'stopMany', 'auditTrail']);
  });

  test('of several roles each counts, and none allows nothing', () => {
    expect(mayAny(['clinician', 'auditor'], 'auditTrail')).toBe(true);
    expect(mayAny(['clinician', 'auditor'], 'cancelAppointment')).toBe(false);
    expect(mayAny([], 'ownSession')).toBe(false);
  });

  test('the own sign-in, closing time, refunds, exports, colleagues and keys ask for a factor of the last minutes', () => {
    const deciding = ['closeTime', 'decideAddress', 'staff', 'refund', 'export', 'keys'];
    const needs = ['ownSignIn', ...deciding];
    expect(PRIVILEGES.filter(needsRecentFactor)).toEqual(needs);
  });

  test('a role is one of four words', () => {
    expect(isStaffRole('manager')).toBe(true);
    expect(isStaffRole('patient')).toBe(false);
    expect(isStaffRole('constructor')).toBe(false);
  });
});
