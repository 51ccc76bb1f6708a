/** Coming in, the frame of every page, and the controls. */
export const frame = {
  'desk.title': 'Front desk',
  'desk.skipLink': 'Skip to the main content',
  'desk.practice': 'Practice clinic',
  'desk.practiceBanner': 'Practice clinic: nothing here is real.',
  'desk.notFound': 'There is no such page at the front desk.',
  'desk.toToday': 'Go to today',
  'desk.dayWrong': 'Please enter a day of the calendar, from 1000-01-01 to 9999-12-30.',
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
  'desk.usePasskey': 'Use a passkey',
  'desk.passkeyWaiting': 'Waiting for the passkey',
  'desk.passkeyCancelled':
    'No passkey was shown: the window for it was closed, or nobody answered it in time. You can try again.',
  'desk.passkeyThere': 'This device has a passkey of yours already.',
  'desk.passkeyFailed': 'This browser or device could not do it. Your code works as before.',
  'desk.signOut': 'Sign out',
  'desk.signOutFailed':
    'You may still be signed in, because the clinic did not answer. Try again; until then, keep the screen locked.',
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
  'desk.acceptUnknown':
    'The clinic did not answer, so the account may be set up. Try to sign in with the password that you chose and a new code. If you can, ask a manager to reset your sign-in, so that you get recovery codes. If you cannot, set it up here again.',
  'desk.acceptUsed':
    'This invitation is used up: a press before, whose answer did not come, may have set up the account. Try to sign in with the password that you chose then and a new code. If you can, ask a manager to reset your sign-in, so that you get recovery codes. If you cannot, ask for a new invitation.',
  'desk.recoveryCodes': 'Your recovery codes',
  'desk.recoveryCodesAbout':
    'Write them down now: they are not shown again. Each opens once in place of a code.',
  'desk.toSignIn': 'I have written them down',

  // one's own second factor, asked for again
  'desk.factor': 'Please confirm that it is you',
  'desk.factorAbout': 'This needs a code or a passkey of the last ten minutes.',
  'desk.factorConfirm': 'Confirm',
  'desk.factorConfirming': 'Confirming',
  'desk.factorCancel': 'Leave it',

  // what one signs in with
  'desk.ownSignIn': 'Your sign-in',
  'desk.ownSignInOf': '{name}, your sign-in',
  'desk.ownSignInAbout':
    'Your email, your password and the code of your app always let you in. A passkey counts as a code does: your phone, the fingerprint reader or PIN of a computer, or a security key. It also opens your locked screen.',
  'desk.passkeys': 'Your passkeys',
  'desk.passkeysNone': 'You have none yet.',
  'desk.passkeysNotHere':
    'This browser has no passkeys, or the address of this page is a number in place of a name.',
  'desk.passkeyAdd': 'Add a passkey',
  'desk.passkeyName': 'Name',
  'desk.passkeyNameHint': 'By which you know it again, such as “Robin’s phone”.',
  'desk.passkeyAdded': '{name} is added. You get an email about it.',
  'desk.passkeyCreated': 'Added',
  'desk.passkeyUsed': 'Last used',
  'desk.passkeyUnused': 'Not yet',
  'desk.passkeyActions': 'Actions',
  'desk.passkeyRemove': 'Remove',
  'desk.passkeyRemoveOf': 'Remove {name}',
  'desk.passkeyRemoveTitle': 'Remove {name}?',
  'desk.passkeyRemoveAbout':
    'It opens nothing here any more. Delete it on the device too, or the device goes on offering it.',
  'desk.passkeyRemoving': 'Removing',
  'desk.passkeyKeep': 'Keep it',
  'desk.passkeyRemoved': '{name} is removed. You get an email about it.',

  // the screens
  'desk.screens': 'Screens',
  'desk.screen.day': 'Day',
  'desk.screen.messages': 'Messages',
  'desk.screen.audit': 'Audit',
} as const;
