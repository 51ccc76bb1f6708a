import { type Locale, type Values, addPart, translate } from '@clinic/texts';
import { toldByPages } from './told-by-pages.ts';

/**
 * What patients read for each refusal code. Texts of the specification are letter for letter, misspellings
 * included (principle 3 of the rulings); a correction here corrects the text everywhere.
 */
export const refusals = {
  ...toldByPages,

  // any call
  invalidInput: 'Please check the highlighted fields and try again.',
  unknownField: 'This field is not known here.',
  invalidField: 'This value is not valid.',
  textTooLong: 'Please enter at most {most} characters.',
  notFound: 'We could not find what you asked for.',
  methodNotAllowed: 'This cannot be done here.',
  tooLarge: 'This is too large to send.',
  wrongMediaType: 'This kind of content is not accepted here.',
  tooManyFiles: 'You can only attach maximum of 3 files',
  noFileChosen: 'Pleae choose your file to upload',
  imageNotReadable: 'Please upload another type of image such as JPEG, JPG or PNG',
  fileNotAccepted:
    "We can't accept this file. Please choose a picture (JPEG or PNG) or a PDF without a password.",
  tooManyRequests: 'There were too many attempts. Please wait {wait}, then try again.',
  waitSeconds: '{n, plural, one {# second} other {# seconds}}',
  waitMinutes: '{n, plural, one {# minute} other {# minutes}}',
  waitHours: '{n, plural, one {# hour} other {# hours}}',
  bug: 'Something went wrong on our side. Please try again, or contact the clinic.',
  serviceBusy: 'The clinic is answering slowly right now. Please try again in a moment.',
  clinicBusy:
    'Many people are booking at this moment, and nothing was changed. Please try again in a moment.',
  clinicUnreachable:
    'We cannot reach the clinic’s system right now, and nothing was changed. Please try again later or call the clinic.',
  clinicRefuses:
    'The clinic’s system did not accept this, and nothing was changed. Please call the clinic.',

  // sessions
  tokenNotValid: 'Please log in again.',
  signedIn: 'You are logged in.',
  wrongCredentials:
    'The email or password is incorrect. If you have just signed up, open the link in our email first.',
  accountBlocked: 'This account is closed for online booking. Please contact the clinic.',
  notVisible: 'Online booking is not open for this account. Please contact the clinic.',
  captchaFailed: 'Please validate you are not a bot.',
  captchaUnavailable: "We couldn't check that you're not a bot. Please try again in a moment.",
  captchaNeeded:
    "On this computer the page first has to check that you're not a bot. Please reload it, then sign in again.",
  notYourData: 'These details do not belong to your account.',

  // accounts
  registered:
    'Please confirm your email address: follow the link in the message we sent you. It is valid for 6 hours.',
  registrationRefused: 'Registration failed, Please check your input and try again.',
  cardKnown:
    'This account cannot be opened online. The clinic’s front desk has been told. Please contact the clinic.',
  invitedCardKnown: 'This account cannot be opened online. Please contact the clinic.',
  recordUnclear:
    'The clinic’s front desk looks at your account before you can book online. It has been told, and emails you as soon as you can. If it is urgent, please call the clinic.',
  emailConfirmedWaits:
    'Your email address is confirmed, and you can log in now. The clinic’s front desk looks at your account before you can book online. It has been told, and emails you as soon as you can. If it is urgent, please call the clinic.',
  emailConfirmed: 'Your email address is confirmed. You can log in now.',
  confirmationSent: "If we mailed a link to this address that is still valid, we've sent it again.",
  linkNotValid: 'This link is no longer valid. Please sign up again.',
  linkUsed: 'The account of this email address is open already. You can log in.',
  signUpPasswordWrong:
    "This is not the password chosen in the sign-up form. After five wrong attempts you'll have to sign up again.",
  signUpEnded:
    'The password was wrong too many times, so this sign-up has ended. Please sign up again.',
  accountLinkOver:
    'This link is no longer valid. If you have used it already, please log in. Otherwise please ask the clinic for a new one.',
  accountLinkRefused:
    'These details do not fit. After five wrong attempts you will have to ask the clinic for a new link.',
  accountWatched:
    'To protect your account this is not possible for 72 hours after the clinic changed its email address, or its password was set with a code. If you need it sooner, please call the clinic.',
  recoveryOff: 'No code can be sent for this account at present. Please call the clinic.',
  addressAnswered:
    'This link is no longer valid. If anything is not right, please call the clinic.',
  consentMissing: 'Please read this and agree to it.',
  identityConfirmed: 'We found your account.',
  recoveryRefused: 'Failed validating your information.',
  resetCodeSent: "We've sent a code to your email address. It is valid for 15 minutes.",
  resetRefused: 'This code is incorrect or no longer valid. Please check it or ask for a new one.',
  passwordReset: 'Your password has been changed. Please log in with the new one.',
  passwordWrong: 'This is not your current password.',
  passwordChanged: "Your password has been changed. You've been logged out everywhere else.",
  dashboardClosed: 'Login from the dashboard is not available.',
  dashboardRefused: 'This request is not signed by the dashboard, or was used before.',

  // schedule
  dateNotValid: 'This date is not valid.',
  rangeReversed: 'The first day must not come after the last day.',
  rangeTooLong: 'Please ask for six days at most.',
  periodTooLong: 'Please ask for {n} days at most.',
  whyMissing: 'Please write the reason.',
  notInTheList: 'Please choose from the list.',

  // booking
  typeNotOffered:
    'This appointment type is not available to you online. Please contact the clinic.',
  slotTaken: 'Someone else just took this time. Please choose another.',
  timeAlreadyYours: 'You have already booked this time: see My Appointments.',
  slotNotOffered: 'This time is not offered for this appointment type. Please choose another.',
  slotTooSoon: 'This time is too soon to book online. Please choose a later one.',
  slotTooLate: 'This day is too far ahead to book online yet. Please choose an earlier one.',
  doctorNotAvailable: 'This doctor cannot be booked online. Please choose another.',
  primaryDoctorUnknown:
    "We couldn't check your family doctor at our clinic just now. Please try again in a moment.",
  holdGone: 'This time is no longer held for you. Please choose a time again.',
  paymentRequired: 'A fee applies to this appointment. Please pay it to book.',
  linkStands:
    'The clinic holds a time for you that waits for its fee. Please pay the fee, or give that time back, before you choose another.',
  linkTooSoon: 'This time begins too soon to be paid by a link.',
  linkNotOffered: 'This patient cannot be sent a payment link.',
  nothingToPay: 'No fee applies to this appointment. Please book it without paying.',

  // payment
  amountDiffers:
    'The fee for this appointment is {fee}. You have not been charged. Please check it and pay again.',
  cardDeclined: '{message}',
  cardNotTaken: 'Payment processing failed',
  paymentUnderWay:
    'Your payment for the time you hold is still under way. Please finish it, or try again in a moment.',
  paymentNotFound: "We couldn't find this payment. Please call the clinic before you pay again.",
  paymentUnknown:
    "We don't know yet whether your payment went through. Please check My Appointments in a few minutes: you won't be charged twice.",
  paymentsUnavailable:
    "We can't reach the card payment service right now. You have not been charged, and your time is still held. Please try again in a moment.",
  bankApprovalNeeded: 'Your bank asks you to approve this payment.',
  paymentPending: 'Your bank has not confirmed this payment yet. Please try again in a moment.',
  notCharged:
    'This time could not be booked, and you have not been charged. Please choose a time again.',
  paymentGivenBack: 'This time could not be booked. Your payment is being refunded in full.',
  paymentReceived: 'Your payment was received and your appointment is booked.',
  reasonMissing: 'Please enter {label}',
  reasonTooShort: 'The minimum length of {label} is {n}',
  reasonTooLong: 'The maximum length of {label} is {n}',
  documentsUploaded: 'Your files were uploaded.',
  documentsMissing: 'Please upload your health card and picture ID first.',
  recordMissing:
    'The clinic has no record of you yet, so nothing was booked or charged. Please answer the question about your family doctor, then book again.',
  clinicConfirming:
    'The clinic is confirming your appointment. Please check My Appointments in a few minutes before you book again.',
  rescheduleUnclear: 'Please choose the appointment to reschedule in My Appointments first.',
  notCancellable: 'This appointment can no longer be cancelled online.',
  cancelled: 'Your appointment is cancelled.',
  cancelSent:
    'Your cancellation is sent to the clinic as soon as the clinic can be reached. You will get an email then.',
  changedByClinic:
    'The clinic has changed this appointment in the meantime: My Appointments shows how it stands now.',
  bookingChanged:
    'This appointment has changed in the meantime: My Appointments shows how it stands now.',
  requestReused: 'This request was already used for another appointment. Please start again.',
  booked: 'Your appointment is booked.',
  rescheduled: 'Your appointment is rescheduled.',

  // messages
  messageEmpty: 'Please write your message first.',
  messageAnswered:
    'The clinic has already replied to this message, so it can no longer be changed. You can reply instead.',

  // forms of booking
  agreementOutdated:
    'This text has changed since you opened the page. Please read the new one and agree to it. If you do not see a new one, reload the page.',
  medicalProfileMissing: 'Please fill in the immigration exam form first.',
  medicalProfileKept: 'Your immigration exam form has been saved.',
  familyDoctorUnclear: 'Please answer yes or no to the question about your family doctor.',
  passportNumberInvalid: 'Please enter the passport number as 5 to 20 letters and digits.',
  profileFieldEmpty: 'Highlighted field cannot be empty',
  phoneNotDigits: 'Please enter the phone number using digits only.',
  phoneNoNumber:
    'This cannot be a phone number. For a country other than Canada and the United States, begin with its code.',
  passportExpired: 'Date of expiry must be equal to or after today',
  passportExpiryTooLate: 'Please choose one of the expiry years offered.',
  passportIssueOutOfRange: 'Date of issue must be between {from} and today',
  passportIssueNotBefore: 'Date of issue must be before the date of expiry',
  suggestionEmpty:
    'Please enter text in the text box below to explain the suggestion you have for us. Then click the Submit button. Thanks.',
  pharmacyChosen: 'This is now your preferred pharmacy.',

  // the front desk
  deskSignedOut: 'Please sign in to the front desk.',
  deskLocked: 'The screen is locked.',
  deskSignInRefused:
    'The email, the password, or the code or passkey is incorrect. A code works once: wait for the next one.',
  deskUnlockRefused: 'This is neither your password nor a new code of yours.',
  passkeyRefused: 'This passkey was not accepted. Please use another one of yours, or a code.',
  passkeyNotAdded: 'This passkey could not be added. Please try again.',
  passkeyKnown: 'This passkey was added before.',
  passkeysFull: 'You have {n} passkeys. Please remove one first.',
  passkeysNotOffered:
    'Passkeys work only where the address of this page is a name. Please use a code.',
  notOurPage: 'This can only be done on a page of the clinic.',
  notAllowed: 'Your role does not include this. Please ask a manager.',
  factorNeeded: 'Please show a new code or a passkey first.',
  invitationNotValid: 'This invitation is no longer valid. Please ask a manager for a new one.',
  codeRefused: 'This code is incorrect. Please enter the one that your app shows now.',
  lookReasonMissing: 'Please say why you look at this patient.',
  appointmentChanged:
    'This appointment has changed in the meantime. The day shows how it stands now.',
  noShowStands:
    'This time is taken by now, so “Did not come” stands. Please book another time for the patient.',
  undoTooLate:
    'It is too late to undo this: its 30 seconds are over, or an email has gone out. It stands as it was done.',
  undoTimeTaken: 'This cannot be undone: the time is taken by now. It stands as it was done.',
  undoTimeClosed:
    'This cannot be undone: the time has been closed since. It stands as it was done.',
  undoBookedSince:
    'This cannot be undone: the patient has booked something since. It stands as it was done.',
  attendanceInEmr: 'Please note this in the EMR: it is shown here soon after.',
  closingNotAhead: 'Please choose a time that ends later than it begins, and later than now.',
  closingTooLong: 'Please close a year at most.',
  weekEmpty: 'A week needs some working time. To close all of it, close its days.',
  weekBegun: 'A week can begin today at the earliest.',
  weekCodeUnknown: 'The week has a code that the clinic does not know.',
  dayOver: 'This day is over.',
  dayCodeUnknown: 'The day has a code that the clinic does not know.',
  accountClosed: 'This account is closed.',
  addressFrozen:
    'The change of this email address was stopped from the old mailbox. A manager who has seen a photo ID decides first.',
  noAddressWaits: 'No change of this email address waits any more. Please reload the page.',
  managerDecides:
    'The email address of this account is being or was changed, or its password set with a code, within the last 72 hours. Until then only a manager who has seen a photo ID changes who it belongs to.',
  addressUnsettled:
    'The email address of this account is being or was changed, its password set with a code, or the account closed, within the last 72 hours. Nothing is joined with it, nor opened in its place, until {until}.',
  changedInEmr: 'Please change this in the EMR: it is shown here soon after.',
  patientNotChanged: '{why}',
  eligibilityUnknown: '{eligibility} is no eligibility; it is one of E, NR, R, NE.',
  typeUnknown: '{type} is no appointment type.',
  providerUnknown: 'No provider has the id {id}.',
  patientWithoutRecord: 'The patient has no record.',
  bookedForYou: 'We have booked {type} for you on {when} with {provider}.',
  emailTaken: 'This email address belongs to another account.',
  emailSame: 'This is the address of the account already.',
  recordOpened:
    'A record was opened from this form before, with other details. Find the patient by name: it can be corrected there.',
  bornOtherwise:
    'The chart has another birth date than the account. Correct the one that is wrong first.',
  chartOfAnother:
    'This chart is another account’s. Where both are of one person, close the account that is not used, or merge the charts in the EMR.',
  noSuchChart: 'The EMR has no chart {chart}.',
  managerChoosesChart: 'The account has a chart already. Only a manager gives it another.',
  hasOtherChart: 'The account has record {chart} of the EMR already.',
  cardTaken: 'This card belongs to another patient of the clinic.',
  likelyKnown:
    'Somebody with such a name and this birth date is known already. Please look whether it is the same person.',
  chartGone: 'The EMR has no such chart any more. Please search again.',
  chartNotActive:
    'The chart is marked as inactive or deceased in the EMR. Change that there before you book for this patient.',
  chartNotDated:
    'The chart has no birth date in the EMR. Enter it there before you book for this patient.',
  hasAccount: 'This patient has an account already.',
  bothHaveAccounts: 'Both have, or had, an account. Two accounts cannot be merged.',
  sameRecord: 'This is the same record. Please choose another.',
  mergeOver: 'This merge cannot be undone, or not any more.',
  addInEmr:
    'Please open the record in the EMR. Patients sign up themselves, and are found by their card.',
  staffExists: 'There is an account with this email address already.',
  clinicianWithoutProvider: 'Please say which provider the clinician is.',
  ownStaffAccount: 'This is your own account. Please ask another manager, or the operator.',
  staffClosed: 'This account is closed.',
  harmsMany: 'This would reach very many patients. A manager has to do it; nothing was changed.',
  stopOver: 'This can no longer be stopped.',
  exportWaits:
    'This file shows more than {n} people, so it waits until {time}. Every manager is told, and until then everybody at the front desk can stop it. Save it again from {time} on.',
  exportStopped: '{who} stopped this file.',
  closingOver: 'This time is over: nothing of it can be opened again.',
  notRefundable: 'This payment cannot be given back as it stands now.',
  feeMoving:
    'The EMR is still confirming the new time of this appointment, and its fee moves with it. Nothing was changed. Please do this again once the EMR has answered.',
  noCardPayments: 'No card payments are set up here.',
  cardCompanyUnreachable:
    'The card company could not be reached. Please compare again in a few minutes.',
  keptInEmr: 'The EMR keeps this: please change it there.',
  previewOutdated: 'The clinic has changed since this preview. Please look at the new one.',
  messageChanged:
    'Something was written here in the meantime: it is shown now. Your text is still in its place.',
  changedMeanwhile:
    'Somebody changed this in the meantime. What you entered is still in its place.',
  fieldChangedMeanwhile: 'This was changed in the meantime.',
  textEmpty: 'Please write both a title and a text, or neither.',
  englishMissing: 'Please write the English text: it is the one that holds.',
  placeholderUnknown:
    '{found} stands for nothing here. Please use only the placeholders that are named above, in their braces.',
  placeholderMissing: 'Please name {needed}: patients have to read it.',
  documentRefusedAlready:
    'This document was refused before, and stays so. The patient reads: {reason}',
  colleagueCannotRead: 'This colleague cannot see the messages of this patient.',
  trailTooLong: 'There are more than {n} entries. Please choose a shorter time.',

  // These fill {label}, by appointment type.
  labelReason: 'the reason for your appointment',
  labelClaimNumber: 'injury claim number',
  labelLicenceNumber: 'driver licence number',

  // Who is responsible for a patient, where no provider of the clinic is.
  familyDoctorElsewhere: 'Family doctor elsewhere',
  noFamilyDoctor: 'No family doctor',
} as const;

export type TextCode = keyof typeof refusals;

/** The codes of an error envelope. Each has a text above. */
export const refusalCodes = Object.keys(refusals) as [TextCode, ...TextCode[]];

addPart('refusal', refusals, 'refusal.');

export const text = (locale: Locale, code: TextCode, values?: Values): string =>
  translate(locale, `refusal.${code}`, values);

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A wait in words, rounded up: '8 seconds', '15 minutes', '20 hours'. */
export function waitText(locale: Locale, seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 2 * MINUTE) return text(locale, 'waitSeconds', { n: whole });
  if (whole < 2 * HOUR) return text(locale, 'waitMinutes', { n: Math.ceil(whole / MINUTE) });
  return text(locale, 'waitHours', { n: Math.ceil(whole / HOUR) });
}
