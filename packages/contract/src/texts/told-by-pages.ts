import { type Locale, type Values, addPart, translate } from '@clinic/texts';

/** The refusals that a page tells by itself, before a call or without one: browsers load no others. */
export const toldByPages = {
  recordsOffline:
    'Our appointment booking website is currently undergoing maintenance. We apologize for the inconvenience. Please login later in order to book an appointment with one of our doctors.',
  bookingBlocked:
    'You are blocked from booking an appointment using this service. If you wish to see a doctor, please come in person to the medical clinic.',
  doctorFamilyOnly: 'This doctor only sees patients who have an active doctor at our clinic',
  doctorNoPcp: "This doctor doesn't accept patients with own family doctor",
  oneEachDay: 'You can only book one appointment each day',
  twoUpcoming: 'You can only book maximum of two upcomming appointments',
  crashDateInvalid: 'Date of crash is not valid',
  contactPreferenceMissing: 'Please select how you want to be seen by the doctor',
  symptomLength: 'Please describe your symptoms in {minimum} to {maximum} characters',
  experiencingMissing: 'Please choose at least one thing you are experiencing',
  treatmentMissing: 'Please choose at least one treatment',
  otherTreatmentLength: 'Please describe the other treatment in {minimum} to {maximum} characters',
  medicationMissing: 'Please say whether you are taking medication',
  medicationLength: 'Please describe your medication in {minimum} to {maximum} characters',
  jsonBroken: 'This JSON file is damaged or incomplete.',
  noTable: 'This text is neither JSON nor a table (CSV).',
  tableFormula: 'This table contains formulas. Please save it with values only.',
  notUtf8: 'This text is not in UTF-8. Please save it again as UTF-8.',
  pdfBroken: 'This PDF is damaged or incomplete.',
  pdfLocked: 'This PDF has a password. Please choose one without a password.',
  notReschedulable: 'This appointment can no longer be rescheduled online.',
} as const;

addPart('told', toldByPages, 'refusal.');

/** As `text` of all refusals. */
export const text = (locale: Locale, code: keyof typeof toldByPages, values?: Values): string =>
  translate(locale, `refusal.${code}`, values);
