/** Words of password recovery. */
export const recovery = {
  'recovery.title': 'Forgot Password',
  'recovery.intro': 'Tell us who you are, and we send a code with which you set a new password.',
  'recovery.email': 'Email',
  'recovery.emailMissing': 'Please enter your e-mail address.',
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
  'recovery.found': 'We will send a code to {email}. With it you can set a new password.',
  'recovery.confirm': 'Confirm',
  'recovery.sending': 'Sending…',
  'recovery.cancel': 'Cancel',
  'recovery.emailRefused': 'Error occurred during email transfer.',
  'recovery.emailFailed': 'Server error occurred during email transfer.',

  'recovery.resetTitle': 'Set a new password',
  'recovery.resetIntro':
    'We have sent a code to {email}. It is valid for 15 minutes. Please look in the folder for junk mail too.',
  'recovery.code': 'Code',
  'recovery.codeHint': '8 letters and digits, as in the message.',
  'recovery.codeMissing': 'Please enter the code from the message.',
  'recovery.password': 'New Password',
  'recovery.passwordHint': '8 characters or more.',
  'recovery.passwordConfirm': 'Confirm New Password',
  'recovery.doNotMatch': 'New Password and Confirm New Password do not match.',
  'recovery.submit': 'Set the new password',
  'recovery.submitting': 'Setting…',
  'recovery.otherCode': 'Start again with a new code',
  'recovery.resetRefused': 'An unknown error has occurred.',
  'recovery.resetFailed': 'Unknown error occured.',

  'recovery.doneTitle': 'Your password is changed',
  'recovery.done': 'Everybody who was logged in to your account is logged out now.',
  'recovery.countdown':
    '{left, plural, one {In # second you come to the login page.} other {In # seconds you come to the login page.}}',
  'recovery.toLogin': 'Log in now',
} as const;
