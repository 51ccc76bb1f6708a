import type { Appointment } from '../appointments/appointment.ts';
import type { AppointmentType } from '../booking/appointment-type.ts';
import { SPECIFIED_CODES, SPECIFIED_TYPES } from '../booking/specified-types.ts';
import type { KeptType } from '../booking/specified-types.ts';
import { slotCodeName } from '../booking/free-starts.ts';
import type { Doctor, DoctorStatus, PatientFacts } from '../booking/doctor-choice.ts';
import type { AccountFacts } from '../identity/access.ts';
import type { ConfirmFacts, CrashReport } from '../booking/questions.ts';
import { toInstant } from '../clinic-time.ts';
import type { MedicalProfile } from '../medical/medical-profile.ts';

/** The builders' today: Saturday 2026-11-21, 09:00 clinic time. */
export const NOW = toInstant('2026-11-21', '09:00');

/** The codes of the nine types of the specification. */
export const TYPE_CODES = SPECIFIED_TYPES.map(({ code }) => code);

/** One of the nine types of the specification. */
export function specifiedType(code: string): KeptType {
  const type = SPECIFIED_TYPES.find((each) => each.code === code);
  if (!type) throw new Error(`The specification has no type ${code}`);
  return type;
}

/** Whether a slot of that name may be booked for a type, by the codes of the specification. */
export const slotServes = (name: string, type: string): boolean =>
  SPECIFIED_CODES.some((code) => slotCodeName(code) === name && code.types.includes(type));

/** An appointment without a fee that enforces nothing: in person, unless another code is named. */
export function anAppointmentType(over: Partial<AppointmentType> = {}): AppointmentType {
  return {
    ...specifiedType(over.code ?? 'O'),
    enabled: true,
    enforceMrp: false,
    enforceNoPcp: false,
    chargeCents: 0,
    requiresDocuments: false,
    ...over,
  };
}

/** Amelia Stone, 101. */
export function aDoctor(over: Partial<Doctor> = {}): Doctor {
  return { id: '101', firstName: 'Amelia', lastName: 'Stone', ...over };
}

/** A doctor who takes everybody. */
export function aStatus(over: Partial<DoctorStatus> = {}): DoctorStatus {
  return {
    disabled: false,
    comment: '',
    hidden: false,
    familyOnly: false,
    noPcp: false,
    active: true,
    ...over,
  };
}

/** A covered patient of the clinic whom nothing restricts. */
export function aPatient(over: Partial<PatientFacts> = {}): PatientFacts {
  return {
    hasFamilyDoctor: false,
    hasActivePrimaryDoctor: true,
    blockedProviders: [],
    ...over,
  };
}

/** An open account that nothing blocks. */
export function anAccount(over: Partial<AccountFacts> = {}): AccountFacts {
  return {
    blocked: false,
    bookingBlocked: false,
    closedAt: null,
    visibility: ['appointment'],
    ...over,
  };
}

/** A booked appointment, Tue Dec 15 2026 13:00, nothing paid, that may be cancelled and moved. */
export function anAppointment(over: Partial<Appointment> = {}): Appointment {
  return {
    start: toInstant('2026-12-15', '13:00'),
    state: 'booked',
    bookingNumber: 'b1',
    isCancellable: true,
    isReschedulable: true,
    paidNow: 0,
    movedByClinic: false,
    ...over,
  };
}

/** A complete crash report of 2026-11-01. */
export function aCrashReport(over: Partial<CrashReport> = {}): CrashReport {
  return {
    crashYear: 2026,
    crashMonth: 11,
    crashDay: 1,
    contactPreference: 'IN-PERSON',
    symptom: 'Neck pain',
    experiencingList: ['notAbsent'],
    treatmentList: ['none'],
    medicationTaken: 'No',
    ...over,
  };
}

/** A complete immigration exam profile, whose passport holds until 2030. */
export function aMedicalProfile(over: Partial<MedicalProfile> = {}): MedicalProfile {
  return {
    passportNumber: 'AB123456',
    firstName: 'Casey',
    lastName: 'Morgan',
    address: '1200 Burrard Street',
    city: 'Vancouver',
    postal: 'V6Z 2C7',
    phone: '6045550142',
    gender: 'X',
    dob: { year: 1984, month: 5, day: 17 },
    countryOfBirth: 'GBR',
    issuingCountry: 'GBR',
    identityDocument: '01',
    preferredLanguage: '1201A',
    applicationDetails: 'WRK',
    hearAboutUs: 'A friend',
    dateOfIssue: { year: 2020, month: 3, day: 1 },
    dateOfExpiry: { year: 2030, month: 2, day: 28 },
    ...over,
  };
}

/** Facts of a free O appointment of which everything is asked and answered: the next step is to book. */
export function confirmFacts(over: Partial<ConfirmFacts> = {}): ConfirmFacts {
  return {
    form: 'standard',
    isReschedule: false,
    answersValid: true,
    chargeCents: 0,
    feeAccepted: false,
    documentsNeeded: false,
    uploads: null,
    icbcConfirmed: true,
    pharmacyPrompt: false,
    pharmacyAnswered: false,
    demographics: 'found',
    noticeNeeded: false,
    noticeUnderstood: false,
    detailsAgreed: true,
    limits: 'kept',
    stateChargeCents: 0,
    immigrationFormDone: false,
    ...over,
  };
}

export * from './names-in-bc.ts';
export * from './phones.ts';
export * from './typed-values.ts';
export * from './rewritten-links.ts';
export * from './common-names.ts';
