/** Words of the fields and forms with which people say who they are. */
export const identity = {
  'identity.birthDate': 'Date of Birth',
  'identity.phone.area': 'Area code',
  'identity.phone.exchange': 'Next 3',
  'identity.phone.line': 'Last 4',

  'identity.email': 'Email',
  'identity.emailMissing': 'Please enter your email address.',
  'identity.resendTitle': 'The link to confirm your email',
  'identity.resendIntro':
    "If you signed up in the last 6 hours, we'll send you the link to confirm your email address again.",
  'identity.resend': 'Send the link again',
  'identity.resending': 'Sending…',
  'identity.resent':
    'If {email} is waiting to be confirmed, its link is on the way. Check your inbox and your junk folder.',
  'identity.resendFailed': "We couldn't send the link. Please try again.",
} as const;
