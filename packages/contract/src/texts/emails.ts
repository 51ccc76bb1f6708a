import { type Locale, type Values, addPart, translate } from '@clinic/texts';

/** The texts of the service's emails. They never say why a patient comes, nor a diagnosis. */
export const emails = {
  // every email
  subject: '{subject} - {clinicName}',
  map: 'Show the clinic on a map',
  phone: 'Phone {phone}',
  email: 'Email {email} (not for medical advice)',
  clinicTime: '{time} British Columbia time (UTC−7 all year)',
  shortTime: '{time} BC time',

  // an appointment
  bookedSubject: 'Your appointment is booked',
  rescheduledSubject: 'Your appointment is rescheduled',
  cancelledSubject: 'Your appointment is cancelled',
  notBookedSubject: 'Your appointment is not booked',
  booked: 'Your appointment is booked:',
  rescheduled: 'Your appointment has a new time:',
  movedByClinic: 'The clinic had to move your appointment. Your appointment has a new time:',
  cancelled: 'Your appointment has been cancelled:',
  notBooked:
    'We are sorry: the clinic could not confirm your appointment. It is not booked, and you have not been charged:',
  payLinkSubject: 'Please pay to book your appointment',
  payLink: 'The clinic holds this time for you. It is booked once you have paid the fee of {fee}:',
  payLinkUntil:
    'The time is held for you until {until}. If it is not paid by then, nothing is booked and nothing is charged.',
  payLinkHere: 'Log in to pay and book',
  linkOverSubject: 'Your appointment is not booked',
  linkOver:
    'The time that the clinic held for you is no longer held. It is not booked, and you have not been charged:',
  notCancelledSubject: 'Your appointment is not cancelled',
  notCancelled:
    'The clinic changed your appointment before your cancellation reached it, so it is not cancelled:',
  stillStands: 'Your appointment on {when} stands as before.',
  standsBeside: 'Another appointment of yours at this time stands: {when}',
  withDoctor: '{when}, with {doctor}',
  lasts: '{n, plural, one {# minute} other {# minutes}}, until {end}',
  movedFrom: 'Previous time: {when}',
  comeToClinic: 'Please arrive 15 minutes early and bring a photo ID and your care card.',
  weCall: 'Our provider will call you.',
  weCallByVideo: 'Our provider will call you by video.',
  paid: 'Payment received: {amount} on {when}',
  reference: 'Reference: {reference}',
  seeAppointments: 'See My Appointments',
  cancelledByClinic: 'We are sorry: the clinic had to cancel your appointment.',
  refundedInFull: 'The fee of {fee} that you paid will be refunded to your card in full.',
  freeInstead: 'These times were free when we wrote this, and may be taken by now:',
  dueAtClinic: 'Please pay the fee of {fee} at the clinic.',
  bookAgain: 'Book another time',

  // documents
  documentRefusedSubject: 'We need your document again',
  cardRefused: 'We could not accept the picture of your health card:',
  pictureIdRefused: 'We could not accept the picture of your photo ID:',
  documentAgain:
    'Appointments that you have booked stand. We ask for the document again when you book one that needs it.',
  documentWhere: 'Read this under My Account',

  // money
  refundSubject: 'Your payment has been refunded',
  refund: 'We have refunded {amount} to the card you paid with.',
  refundWhen: 'It should reach your card in 5 to 10 days.',

  // messages
  answeredSubject: 'The clinic has replied to your message',
  answered: 'The clinic has replied to your message.',
  answeredWhere: 'Log in to read it under My Account',

  // an account
  confirmSubject: 'Please confirm your email address',
  confirm: 'Thank you for signing up. Please confirm your email address.',
  confirmHere: 'Confirm your email address',
  confirmSeveral:
    'This email address was entered in {count} sign-up forms. Please use only the link for the form that you filled in:',
  confirmOne: 'Filled in on {when}:',
  confirmValid: 'The link is valid until {until}.',
  confirmPassword: 'The page it opens asks for the password you chose in the form.',
  confirmNotYou:
    "If you didn't sign up, you don't need to do anything: no account is opened without that password.",
  existsSubject: 'You already have an account',
  exists:
    'Someone, probably you, asked to sign up with this email address. It already has an account with us, and no other was opened.',
  existsLogin: 'Log in, or set a new password with Forgot Password',
  existsNotYou: "If it wasn't you, you don't need to do anything.",
  resetSubject: 'Your code to reset your password',
  reset: 'Your code to reset your password is:',
  resetValid: 'It is valid for 15 minutes and can be used once.',
  resetNotYou:
    "If you didn't ask for it, you don't need to do anything. Nobody at the clinic will ever ask you for this code.",
  passwordSubject: 'Your password was changed',
  password: 'The password for your account was changed on {when}.',
  passwordNotYou: "If it wasn't you, please call us right away.",

  // what the clinic put right, and an invitation to an account
  newEmailSubject: 'Please confirm your new email address',
  newEmail:
    'The clinic has noted this email address for an account with us. It counts once you confirm it.',
  newEmailHere: 'Confirm this email address',
  oldEmailSubject: 'Your email address is being changed',
  oldEmail:
    'On {when} the clinic was asked to write to another email address for an account that has this one. That takes effect on {until}, once the other address is confirmed.',
  oldEmailReleased:
    'On {when} the clinic was asked to write to another email address for an account that has this one. That takes effect as soon as the other address is confirmed.',
  oldEmailReminder:
    'The clinic was asked to write to another email address for an account that has this one. That takes effect on {until}.',
  oldEmailDone:
    'On {when} an account that had this email address got another one. For 7 days you can still stop that.',
  oldEmailOver:
    'The clinic was asked to write to another email address for an account that has this one. That was given up: this address stays.',
  oldEmailOverSubject: 'Your email address is not changed',
  oldEmailDoneSubject: 'Your email address was changed',
  oldEmailStop: 'If this is not right, stop it here, or call us right away',
  oldEmailAnswer: 'Stop it here if it is not right, or confirm it',
  correctedSubject: 'Your details were corrected',
  corrected: 'On {when} the clinic corrected your name, birth date or health card in your account.',
  correctedWhere: 'See your details under My Account',
  correctedNotYou: "If you didn't ask for this, please call us right away.",
  chartDecidedSubject: 'You can book online now',
  chartDecided:
    'The clinic’s front desk has looked at your account. You can book your appointments online now.',
  chartDecidedWhere: 'Log in and book',
  invitedSubject: 'Your account for booking online',
  invited: 'The clinic invites you to an account with which you book your appointments online.',
  invitedHere: 'Open your account',
  linkAsks: 'The page it opens asks for your birth date, and may ask for your health card.',
  linkNotYou:
    "If this isn't for you, you don't need to do anything: nobody can go on without these.",

  // staff
  staffInvitedSubject: 'Your account at the front desk',
  staffInvited: 'Dear {name}, you have been invited to the front desk of the clinic.',
  staffOpen: 'Set your password and your second factor',
  staffValid: 'The link works once, until {until}.',
  staffNotYou: "If you didn't expect this, please tell a manager of the clinic.",
  staffResetSubject: 'Your second factor was reset',
  staffReset:
    'Dear {name}, your password, second factor and recovery codes for the front desk were reset, and you were signed out everywhere.',
  passkeyAddedSubject: 'A passkey was added to your account',
  passkeyAdded:
    'Dear {name}, on {when} a passkey was added to your account at the front desk. It counts as a code of your app does.',
  passkeyRemovedSubject: 'A passkey was removed from your account',
  passkeyRemoved:
    'Dear {name}, on {when} a passkey was removed from your account at the front desk. It opens nothing there any more.',
  staffPasswordSubject: 'Your password was changed',
  staffPassword:
    'Dear {name}, on {when} your password for the front desk was changed, and you were signed out everywhere else.',
  wrongCodesSubject: 'Somebody has your password',
  wrongCodes:
    'Dear {name}, by {when} somebody had given your right password for the front desk several times, and a wrong code with it. Nobody was let in by that.',
  wrongCodesYou: 'If it was you, there is nothing to do: wait for a new code in your app.',
  wrongCodesNotYou:
    "If it wasn't you, somebody knows your password: change it at the front desk, under your name, and tell a manager of the clinic.",
  passkeyNotYou:
    "If this wasn't you, please tell a manager of the clinic at once: they can reset how you sign in.",
  manySubject: 'Front desk: {who} is changing a lot at once',
  manyClosed:
    'Dear {name}, on {when} {who} closed time at the front desk in which {n, plural, =0 {nobody has an appointment} one {# appointment stands} other {# appointments stand}}. They are cancelled, and the patients told, from {until} on. Until then everybody at the front desk can stop it: the button stands above every page.',
  manyChanged:
    'Dear {name}, on {when} {who} went on to cancel or move appointments at the front desk after very many in 24 hours. The audit trail names them.',
  manyExported:
    'Dear {name}, on {when} {who} asked at the front desk for a file that shows {n, plural, one {# person} other {# people}}. They get it from {until} on. Until then everybody at the front desk can stop it: the button stands above every page.',
  manyInvited:
    'Dear {name}, on {when} {who} invited somebody to the front desk as a manager. The invitation is mailed from {until} on. Until then everybody at the front desk can stop it: the button stands above every page.',
  manyInvitedAtOnce:
    'Dear {name}, on {when} {who} invited somebody to the front desk as a manager. Set-up shows who has an account, and closes it.',
  manyOperator: 'the operator of the service',
  manyOnce: 'Of what they do in the hour after this no further email tells you.',
  staffClosedSubject: 'Your account at the front desk is closed',
  staffClosed: 'Dear {name}, your account at the front desk of the clinic has been closed.',
} as const;

addPart('email', emails, 'email.');

export const mailText = (locale: Locale, code: keyof typeof emails, values?: Values): string =>
  translate(locale, `email.${code}`, values);
