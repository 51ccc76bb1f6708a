/** What somebody of the clinic's staff is. One person may be several. */
export const STAFF_ROLES = ['receptionist', 'clinician', 'manager', 'auditor'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** What may be done at the front desk. Each of its calls names one. */
export const PRIVILEGES = [
  /** To sign out, to lock and open the screen, and to see who one is. */
  'ownSession',
  /** To change what one signs in with. */
  'ownSignIn',
  /** The appointments of a day; without `everyProvider` those of one's own patients. */
  'daySheet',
  /** The days and appointments of all providers, not of the one alone that a clinician is. */
  'everyProvider',
  /** Who comes to an appointment, how to reach them, and why they come. */
  'openAppointment',
  /** Arrived, in the room, no-show, completed. */
  'appointmentStatus',
  /** To cancel an appointment for the clinic. */
  'cancelAppointment',
  /** To look for a patient by name, birth date, phone or card number. */
  'findPatient',
  /** To book for a patient, and to move an appointment. */
  'bookAppointment',
  /** To note that a fee was taken at the clinic, or was given back there. */
  'takeFee',
  /** Who works when, what is closed, and what closing would give up. */
  'seeSchedule',
  /** To close time of providers, which cancels what is booked in it and gives fees back, and to open it again. */
  'closeTime',
  /** To change working weeks and single days. */
  'editSchedule',
  /** To see what was paid, and to compare it with the card company's books. */
  'money',
  /** To see how the clinic is booked and used. */
  'reports',
  /** To see and change what the clinic is set up by, and to announce maintenance. */
  'setUp',
  /** To read what patients write to the clinic; without `everyProvider` one's own patients alone. */
  'readMessages',
  /** To answer, assign and close messages, to write notes beside them, and to keep texts for answers. */
  'answerMessages',
  /** To read what patients suggest. */
  'readSuggestions',
  /** The record of a patient; without `everyProvider` of one's own patients alone. */
  'openPatient',
  /** To block a patient, and to say what they are offered and who is responsible for them. */
  'changePatient',
  /** To accept or refuse the documents that patients send. */
  'decideDocument',
  /** To put a name, birth date, card or email right once it is known who asks. */
  'correctPatient',
  /** To open a record for somebody new, and to invite them to an account. */
  'addPatient',
  /** To merge two records of one person, and to undo it. */
  'mergePatients',
  /** To close a patient's account for good. */
  'closeAccount',
  /** To invite colleagues, and to say what they are. */
  'staff',
  'refund',
  'export',
  /** To change keys. */
  'keys',
  /** To read what was done and looked at, by whom and when. */
  'auditTrail',
] as const;
export type Privilege = (typeof PRIVILEGES)[number];

const AT_THE_DESK = [
  'ownSession',
  'ownSignIn',
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
    'daySheet',
    'openAppointment',
    'appointmentStatus',
    'openPatient',
    'readMessages',
    'answerMessages',
  ],
  manager: [
    ...AT_THE_DESK,
    'editSchedule',
    'mergePatients',
    'closeAccount',
    'money',
    'reports',
    'setUp',
    'staff',
    'refund',
    'export',
    'keys',
    'auditTrail',
  ],
  auditor: ['ownSession', 'ownSignIn', 'findPatient', 'auditTrail'],
};

/** Whether a role has a privilege: the one table of what staff may do. */
export const may = (role: StaffRole, privilege: Privilege): boolean =>
  PRIVILEGES_OF[role].includes(privilege);

/** Whether one of somebody's roles has it. */
export const mayAny = (roles: readonly StaffRole[], privilege: Privilege): boolean =>
  roles.some((role) => may(role, privilege));

export const isStaffRole = (text: string): text is StaffRole =>
  STAFF_ROLES.some((role) => role === text);

/** What a session alone does not open: a second factor of the last minutes must have been shown. */
const AFTER_RECENT_FACTOR: ReadonlySet<Privilege> = new Set([
  'ownSignIn',
  'closeTime',
  'staff',
  'refund',
  'export',
  'keys',
]);

export const needsRecentFactor = (privilege: Privilege): boolean =>
  AFTER_RECENT_FACTOR.has(privilege);
