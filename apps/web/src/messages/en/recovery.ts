/** Words of password recovery. */
export const recovery = {
  'recovery.title': 'Forgot Password',
  'recovery.intro': "Enter your details and we'll send you a code to reset your password.",
  'recovery.email': 'Email',
  'recovery.emailMissing': 'Please enter your email address.',
  'recovery.birthDateMissing':
    'Please enter your full date of birth: day, month and year. If you need help, write to {email}.',
  'recovery.card': 'Health Card Number',
  'recovery.cardHint': 'Digits only. Leave it empty if your card number has letters.',
  'recovery.captchaMissing': 'Please verify you are not a bot',
  'recovery.next': 'Next',
  'recovery.checking': 'Checking…',
  'recovery.backToLogin': 'Back to Log in',
  'recovery.notValidated': 'Failed validating your information.',
  'recovery.serverError': 'Server error',

  'recovery.foundTitle': 'User Found',
  'recovery.found': "We'll send a code to {email}. Use it to set a new password.",
  'recovery.confirm': 'Confirm',
  'recovery.sending': 'Sending…',
  'recovery.cancel': 'Cancel',
  'recovery.emailRefused': 'Error occurred during email transfer.',
  'recovery.emailFailed': 'Server error occurred during email transfer.',

  'recovery.resetTitle': 'Set a new password',
  'recovery.resetIntro':
    "We've sent a code to {email}. It is valid for 15 minutes. Check your junk folder too.",
  'recovery.code': 'Code',
  'recovery.codeHint': '8 letters and digits, as in the email.',
  'recovery.codeMissing': 'Please enter the code from the email.',
  'recovery.password': 'New Password',
  'recovery.passwordHint': '8 characters or more.',
  'recovery.passwordConfirm': 'Confirm New Password',
  'recovery.doNotMatch': 'New Password and Confirm New Password do not match.',
  'recovery.submit': 'Set new password',
  'recovery.submitting': 'Setting…',
  'recovery.otherCode': 'Start over with a new code',
  'recovery.resetRefused': 'An unknown error has occurred.',
  'recovery.resetFailed': 'Unknown error occured.',

  'recovery.doneTitle': 'Your password has been changed',
  'recovery.done': "You've been logged out on all devices.",
  'recovery.countdown':
    "{left, plural, one {You'll go to the login page in # second.} other {You'll go to the login page in # seconds.}}",
  'recovery.toLogin': 'Log in now',
} as const;
