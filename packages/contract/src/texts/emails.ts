import { type Values, fill } from './fill.ts';

/** What the service's emails say: no reason, no diagnosis. */
export const emails = {
  // every email
  subject: '{subject} - {clinicName}',
  map: 'Show the clinic on a map',
  phone: 'Phone {phone}',
  email: 'E-mail {email} (not for medical advice)',
  pacificTime: '{time} Pacific time',

  // an appointment
  bookedSubject: 'Your appointment is booked',
  rescheduledSubject: 'Your appointment is rescheduled',
  cancelledSubject: 'Your appointment is cancelled',
  booked: 'Your appointment is booked:',
  rescheduled: 'Your appointment has a new time:',
  cancelled: 'Your appointment has been cancelled:',
  withDoctor: '{when}, with {doctor}',
  movedFrom: 'It was: {when}',
  comeToClinic: 'Please arrive 15 minutes early and bring a photo ID and your care card.',
  weCall: 'Our provider will call you.',
  paid: 'Payment received: {amount} on {when}',
  reference: 'Reference: {reference}',
  seeAppointments: 'See My Appointments',
  cancelledByClinic: 'The clinic had to cancel your appointment, and we are sorry for it:',
  refundedInFull: 'The fee of {fee} that you paid for it is given back to your card in full.',
  bookAgain: 'Book another time',
  calendarSummary: 'Appointment at {clinicName}',
  byPhone: 'By phone',

  // money
  refundSubject: 'Your payment is given back',
  refund: 'We have given {amount} back to the card that you paid with.',
  refundWhen: 'It reaches your card within 5 to 10 days.',

  // messages
  answeredSubject: 'The clinic has answered your message',
  answered: 'The clinic has answered your message.',
  answeredWhere: 'Log in to read it under My Account',

  // an account
  confirmSubject: 'Please confirm your e-mail address',
  confirm: 'Thank you for signing up. Please confirm your e-mail address.',
  confirmHere: 'Confirm your e-mail address',
  confirmSeveral:
    'This e-mail address was entered in {count} sign-up forms. Please use only the link of the form that you filled in:',
  confirmOne: 'Filled in on {when}:',
  confirmValid: 'The link is valid until {until}.',
  confirmPassword: 'The page behind it asks for the password that you chose in the form.',
  confirmNotYou:
    'If you did not sign up, you need not do anything: no account is opened without that password.',
  existsSubject: 'You have an account already',
  exists:
    'Somebody, probably you, asked to sign up with this e-mail address. It has an account with us already, and no other was opened.',
  existsLogin: 'Log in, or set a new password with Forgot Password',
  existsNotYou: 'If it was not you, you need not do anything.',
  resetSubject: 'Your code to reset the password',
  reset: 'Your code to reset the password is:',
  resetValid: 'It is valid for 15 minutes and can be used once.',
  resetNotYou:
    'If you did not ask for it, you need not do anything. Nobody at the clinic will ever ask you for this code.',
  passwordSubject: 'Your password was changed',
  password: 'The password of your account was changed on {when}.',
  passwordNotYou: 'If it was not you, please call us at once.',
} as const;

export const mailText = (code: keyof typeof emails, values?: Values): string =>
  fill(emails[code], values);
