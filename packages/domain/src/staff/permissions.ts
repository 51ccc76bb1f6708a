/** The roles of staff. One person may have several. */
export const STAFF_ROLES = ['receptionist', 'clinician', 'manager', 'auditor'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

const CLINICIAN = ['clinician'] as const;
const MANAGER = ['manager'] as const;
const DESK = ['receptionist', 'manager'] as const;
const CLINIC = ['receptionist', 'clinician', 'manager'] as const;

/** What may be done at the front desk, and by which roles. Each of its calls requires one of these. */
const ROLES_WITH = {
  /** To sign out, to lock and unlock the screen, and to see one's own session and passkeys. */
  ownSession: STAFF_ROLES,
  /** To add and remove one's own passkeys. */
  ownSignIn: STAFF_ROLES,
  /** To see the appointments of a day; without `everyProvider` only those of one's own patients. */
  daySheet: CLINIC,
  /** To see the days and appointments of all providers; a clinician sees only their own. */
  everyProvider: DESK,
  /** To see one's own patients of a day and a week, and to say that one is running late. */
  ownWeek: CLINICIAN,
  /** To see who comes to an appointment, how to reach them, and why they come. */
  openAppointment: CLINIC,
  /** To note a patient as arrived, in the room, no-show or completed. */
  appointmentStatus: CLINIC,
  /** To cancel an appointment on the clinic's behalf. */
  cancelAppointment: DESK,
  /** To look for a patient by name, birth date, phone or card number. */
  findPatient: ['receptionist', 'manager', 'auditor'],
  /** To book for a patient; without `everyProvider` only for one's own patients, in one's own time. */
  bookOwn: CLINIC,
  /** To move an appointment, and to make the fee of a payment link due at the clinic. */
  bookAppointment: DESK,
  /** To note that a fee was taken or refunded at the clinic. */
  takeFee: DESK,
  /** To see who works when, what is closed, and which appointments a closure would cancel. */
  seeSchedule: DESK,
  /** To close a provider's time, which cancels and refunds the appointments in it, and to reopen it. */
  closeTime: DESK,
  /** To do what harms many patients: slowly, told to every manager, and stoppable (`harm-limits.ts`). */
  harmMany: MANAGER,
  /** To see what harms many while it waits, and to stop it; and how the EMR stands to the service. */
  stopMany: STAFF_ROLES,
  /** To change working weeks and single days. */
  editSchedule: MANAGER,
  /** To see what was paid, and to compare it with the card company's books. */
  money: MANAGER,
  /** To see how the clinic is booked and used. */
  reports: MANAGER,
  /** To see and change the clinic's settings, and to announce maintenance. */
  setUp: MANAGER,
  /** To read what patients write to the clinic; without `everyProvider` only one's own patients. */
  readMessages: CLINIC,
  /** To answer, assign and close messages, to write notes on them, and to keep texts for answers. */
  answerMessages: CLINIC,
  /** To read what patients suggest. */
  readSuggestions: DESK,
  /** To see the record of a patient; without `everyProvider` only of one's own patients. */
  openPatient: CLINIC,
  /** To note numbers, alerts and wishes on the card of a patient whom one may open, and to strike them. */
  noteOnCard: CLINIC,
  /** To block a patient, to set what they are offered, and to set who is responsible for them. */
  changePatient: DESK,
  /** To accept or refuse the documents that patients send. */
  decideDocument: DESK,
  /** To correct a name, birth date, card or email once the patient's identity was checked. */
  correctPatient: DESK,
  /** To decide which email address counts, once a photo ID was seen, without waiting. */
  decideAddress: MANAGER,
  /** To open a record for a new patient, and to invite them to create an account. */
  addPatient: DESK,
  /** To merge two records of one person, and to undo it. */
  mergePatients: MANAGER,
  /** To close a patient's account permanently. */
  closeAccount: MANAGER,
  /** To invite colleagues, and to set their roles. */
  staff: MANAGER,
  refund: MANAGER,
  export: MANAGER,
  /** To change keys. */
  keys: MANAGER,
  /** To read the audit trail: who did or looked at what, and when. */
  auditTrail: ['manager', 'auditor'],
} as const satisfies Readonly<Record<string, readonly StaffRole[]>>;
export type Privilege = keyof typeof ROLES_WITH;
export const PRIVILEGES = Object.keys(ROLES_WITH) as readonly Privilege[];

/** Whether a role has a privilege. */
export const may = (role: StaffRole, privilege: Privilege): boolean =>
  ROLES_WITH[privilege].some((each) => each === role);

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
