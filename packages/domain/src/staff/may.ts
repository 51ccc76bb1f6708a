/** The roles of staff. One person may have several. */
export const STAFF_ROLES = ['receptionist', 'clinician', 'manager', 'auditor'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** What may be done at the front desk. Each of its calls requires one of these. */
export const PRIVILEGES = [
  /** To sign out, to lock and unlock the screen, and to see one's own session and passkeys. */
  'ownSession',
  /** To add and remove one's own passkeys. */
  'ownSignIn',
  /** To see the appointments of a day; without `everyProvider` only those of one's own patients. */
  'daySheet',
  /** To see the days and appointments of all providers; a clinician sees only their own. */
  'everyProvider',
  /** To see who comes to an appointment, how to reach them, and why they come. */
  'openAppointment',
  /** To note a patient as arrived, in the room, no-show or completed. */
  'appointmentStatus',
  /** To cancel an appointment on the clinic's behalf. */
  'cancelAppointment',
  /** To look for a patient by name, birth date, phone or card number. */
  'findPatient',
  /** To book for a patient, and to move an appointment. */
  'bookAppointment',
  /** To note that a fee was taken or refunded at the clinic. */
  'takeFee',
  /** To see who works when, what is closed, and which appointments a closure would cancel. */
  'seeSchedule',
  /** To close a provider's time, which cancels and refunds the appointments in it, and to reopen it. */
  'closeTime',
  /** To do what harms many patients: slowly, told to every manager, and stoppable (`many.ts`). */
  'harmMany',
  /** To see what harms many while it waits, and to stop it; and how the EMR stands to the service. */
  'stopMany',
  /** To change working weeks and single days. */
  'editSchedule',
  /** To see what was paid, and to compare it with the card company's books. */
  'money',
  /** To see how the clinic is booked and used. */
  'reports',
  /** To see and change the clinic's settings, and to announce maintenance. */
  'setUp',
  /** To read what patients write to the clinic; without `everyProvider` only one's own patients. */
  'readMessages',
  /** To answer, assign and close messages, to write notes on them, and to keep texts for answers. */
  'answerMessages',
  /** To read what patients suggest. */
  'readSuggestions',
  /** To see the record of a patient; without `everyProvider` only of one's own patients. */
  'openPatient',
  /** To block a patient, to set what they are offered, and to set who is responsible for them. */
  'changePatient',
  /** To accept or refuse the documents that patients send. */
  'decideDocument',
  /** To correct a name, birth date, card or email once the patient's identity was checked. */
  'correctPatient',
  /** To decide which email address counts, once a photo ID was seen, without waiting. */
  'decideAddress',
  /** To open a record for a new patient, and to invite them to create an account. */
  'addPatient',
  /** To merge two records of one person, and to undo it. */
  'mergePatients',
  /** To close a patient's account permanently. */
  'closeAccount',
  /** To invite colleagues, and to set their roles. */
  'staff',
  'refund',
  'export',
  /** To change keys. */
  'keys',
  /** To read the audit trail: who did or looked at what, and when. */
  'auditTrail',
] as const;
export type Privilege = (typeof PRIVILEGES)[number];

const AT_THE_DESK = [
  'ownSession',
  'ownSignIn',
  'stopMany',
  'daySheet',
  'everyProvider',
  'openAppointment',
  'appointmentStatus',
  'cancelAppointment',
  'findPatient',
  'bookAppointment',
  'takeFee',
  'seeSchedule',
  'closeTime',
  'readMessages',
  'answerMessages',
  'readSuggestions',
  'openPatient',
  'changePatient',
  'decideDocument',
  'correctPatient',
  'addPatient',
] as const satisfies readonly Privilege[];

const PRIVILEGES_OF: Readonly<Record<StaffRole, readonly Privilege[]>> = {
  receptionist: AT_THE_DESK,
  clinician: [
    'ownSession',
    'ownSignIn',
    'stopMany',
    'daySheet',
    'openAppointment',
    'appointmentStatus',
    'openPatient',
    'readMessages',
    'answerMessages',
  ],
  manager: [
    ...AT_THE_DESK,
    'harmMany',
    'editSchedule',
    'mergePatients',
    'closeAccount',
    'decideAddress',
    'money',
    'reports',
    'setUp',
    'staff',
    'refund',
    'export',
    'keys',
    'auditTrail',
  ],
  auditor: ['ownSession', 'ownSignIn', 'stopMany', 'findPatient', 'auditTrail'],
};

/** Whether a role has a privilege. */
export const may = (role: StaffRole, privilege: Privilege): boolean =>
  PRIVILEGES_OF[role].includes(privilege);

/** Whether any of the roles has the privilege. */
export const mayAny = (roles: readonly StaffRole[], privilege: Privilege): boolean =>
  roles.some((role) => may(role, privilege));

export const isStaffRole = (text: string): text is StaffRole =>
  STAFF_ROLES.some((role) => role === text);

/** Privileges that also need a second factor shown within the last minutes. */
const AFTER_RECENT_FACTOR: ReadonlySet<Privilege> = new Set([
  'ownSignIn',
  'closeTime',
  'decideAddress',
  'staff',
  'refund',
  'export',
  'keys',
]);

export const needsRecentFactor = (privilege: Privilege): boolean =>
  AFTER_RECENT_FACTOR.has(privilege);
