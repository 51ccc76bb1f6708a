import { z } from 'zod';
import { call } from './call.ts';
import { personName, text } from './api-types.ts';

/** A plain date as its three parts, as the form holds them. */
const dateParts = z.strictObject({
  year: z.int().min(0).max(9999),
  month: z.int().min(0).max(99),
  day: z.int().min(0).max(99),
});

/** §3 Immigration medical profile. Lengths are caps of the API; the rules of §5 stand in the domain. */
export const medicalProfile = z.strictObject({
  passportNumber: text(40),
  firstName: personName(100),
  lastName: personName(100),
  address: text(200),
  city: text(100),
  postal: text(20),
  phone: text(30),
  gender: z.enum(['M', 'F', 'X', '']),
  dob: dateParts,
  /** ISO 3166 alpha-3 or an ICAO extra. */
  countryOfBirth: text(3),
  issuingCountry: text(3),
  /** '01' unless said otherwise. */
  identityDocument: text(10),
  /** '1201A' unless said otherwise. */
  preferredLanguage: text(10),
  /** Visa option: FML, STD, VST or WRK. */
  applicationDetails: z.enum(['FML', 'STD', 'VST', 'WRK', '']),
  hearAboutUs: text(200),
  dateOfIssue: dateParts,
  dateOfExpiry: dateParts,
});

const answer = z.object({
  success: z.literal(true),
  /** Null until a profile was kept. */
  extras: z.object({ message: z.string(), profile: medicalProfile.nullable() }),
});

export const saveMedicalProfile = call('saveMedicalProfile', {
  summary: 'Keep the immigration exam profile, sealed; the answer is the profile as kept.',
  section: '§3, §5 Immigration form, §7, R-82',
  limit: 'changes',
  idempotency: 'natural',
  body: z.strictObject({ eMedProfile: medicalProfile }),
  answer,
});

export const readMedicalProfile = call('readMedicalProfile', {
  summary: 'The profile kept last time, to fill the form with.',
  section: '§3, §7 (ours)',
  limit: 'reads',
  idempotency: 'natural',
  answer,
});
