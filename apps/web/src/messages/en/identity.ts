/** Words of the fields and forms with which people say who they are. */
export const identity = {
  'identity.birthDate': 'Date of Birth',
  'identity.day': 'Day',
  'identity.month': 'Month',
  'identity.year': 'Year',
  'identity.choose': 'Please choose',
  'identity.phone.area': 'Area code',
  'identity.phone.exchange': 'Next 3',
  'identity.phone.line': 'Last 4',

  'identity.email': 'Email',
  'identity.emailMissing': 'Please enter your e-mail address.',
  'identity.resendTitle': 'The link to confirm your e-mail',
  'identity.resendIntro':
    'If you signed up in the last 6 hours, we send you the link to confirm your e-mail address again.',
  'identity.resend': 'Send the link again',
  'identity.resending': 'Sending…',
  'identity.resent':
    'If {email} waits to be confirmed, its link is on its way. Please look in your inbox, and in the folder for junk mail.',
  'identity.resendFailed': 'The link could not be sent. Please try again.',
} as const;
