/** Coming in, the frame of every page, and the controls. */
export const frame = {
  'desk.title': 'Front desk',
  'desk.skipLink': 'Skip to the main content',
  'desk.practice': 'Practice clinic',
  'desk.practiceBanner': 'Practice clinic: nothing here is real.',
  'desk.notFound': 'There is no such page at the front desk.',
  'desk.toToday': 'Go to today',
  'desk.unreachable': 'The clinic could not be reached. Please check the connection and try again.',

  // controls
  'ui.loading': 'Loading',
  'ui.failed': 'This could not be loaded.',
  'ui.tryAgain': 'Try again',
  'ui.optional': 'optional',
  'ui.error': 'Error:',
  'ui.errorSummary': 'Please check these fields',
  'ui.show': 'Show',
  'ui.hide': 'Hide',
  'ui.charactersLeft': '{left, plural, one {# character left} other {# characters left}}',
  'ui.charactersOver': '{over, plural, one {# character too many} other {# characters too many}}',
  'ui.progress': 'Steps',
  'ui.stepDone': 'done',
  'ui.previousMonth': 'Previous month',
  'ui.nextMonth': 'Next month',
  'ui.day': 'Day',
  'ui.month': 'Month',
  'ui.year': 'Year',

  // coming in
  'desk.signIn': 'Sign in',
  'desk.signingIn': 'Signing in',
  'desk.email': 'Email',
  'desk.password': 'Password',
  'desk.code': 'Code of your app',
  'desk.codeHint': 'Six digits. Without your phone: one of your recovery codes.',
  'desk.signOut': 'Sign out',
  'desk.lock': 'Lock',
  'desk.locked': 'The screen is locked',
  'desk.lockedFor': 'Signed in is {name}.',
  'desk.secret': 'Your password or a new code',
  'desk.open': 'Open',
  'desk.opening': 'Opening',
  'desk.switchPerson': 'Switch person',

  // an invitation
  'desk.invitation': 'Your account at the front desk',
  'desk.invitationFor': 'For {name}, {email}',
  'desk.invitationScan': 'Scan this picture with an app of one-time codes on your phone.',
  'desk.invitationPicture': 'QR code with the key below',
  'desk.invitationKey': 'Or type this key into the app:',
  'desk.newPassword': 'Choose a password',
  'desk.newPasswordHint': 'At least 8 characters, not your name and none of the commonest.',
  'desk.newCode': 'Code that the app shows now',
  'desk.accept': 'Set up the account',
  'desk.accepting': 'Setting up',
  'desk.recoveryCodes': 'Your recovery codes',
  'desk.recoveryCodesAbout':
    'Write them down now: they are not shown again. Each opens once in place of a code.',
  'desk.toSignIn': 'I have written them down',

  // one's own second factor, asked for again
  'desk.factor': 'Please confirm that it is you',
  'desk.factorAbout': 'This needs a code of the last ten minutes.',
  'desk.factorConfirm': 'Confirm',
  'desk.factorConfirming': 'Confirming',
  'desk.factorCancel': 'Leave it',

  // the screens
  'desk.screens': 'Screens',
  'desk.screen.day': 'Day',
  'desk.screen.messages': 'Messages',
  'desk.screen.audit': 'Audit',
} as const;
