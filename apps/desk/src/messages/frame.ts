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
  'desk.underWay': 'A change is under way. This page stays until it says what became of it.',
  'desk.changeUnknown':
    'The clinic did not answer, so it is not known whether this is done. Press again: nothing is done twice.',
  'desk.secretUnknown':
    'The clinic did not answer, so it is not known whether this let you in. Try again; a code counts once, so take a new one.',

  'desk.left': 'Pressed on a page that you have left',
  'desk.leftBack': 'Back to that page',
  'desk.leftRead': 'I have read it',

  'desk.notLive': 'Not live:',
  // After 'Not live:'
  'desk.lastUpdated': 'last updated {time}.',

  // above every page, while the EMR does not do all that is asked of it
  'desk.emr.log': 'What is wrong with the EMR',
  'desk.emr.silent': 'The EMR does not answer since {time}',
  'desk.emr.refused': 'The EMR answers, and refuses since {time} what the service asks',
  'desk.emr.refusedKeys': 'The EMR refuses since {time} {keys}',
  'desk.emr.login': 'the SOAP login of the service',
  'desk.emr.token': 'the REST token of the service',
  'desk.emr.both': 'the SOAP login and the REST token of the service',
  'desk.emr.paused': 'Nothing can be booked: not by patients online, and not here.',
  'desk.emr.asOf': 'What is shown is as of {time}.',
  'desk.emr.cure': 'Whoever runs the service connects it again: npm run clinic -- emr connect.',
  'desk.emr.cureSilent': 'See whether the EMR runs. Booking goes on by itself once it answers.',
  'desk.emr.cureRefused': 'Whoever runs the service looks why: npm run clinic -- emr check.',
  'desk.emr.ending': 'The EMR no longer takes {key} from {when} on',
  'desk.emr.toCall':
    '{n, plural, one {# appointment is} other {# appointments are}} booked where the EMR has closed since',
  'desk.emr.toCallAbout': 'Nothing is cancelled by itself: the patients are to be called.',
  'desk.emr.look': 'See whom to call',
  'desk.emr.differ':
    '{n, plural, one {# appointment does} other {# appointments do}} not stand in the EMR as here',
  'desk.emr.differAbout': 'Somebody put another over it there, deleted its row, or took its key.',
  'desk.emr.lookDiffering': 'See which',

  // a part of the page that could not be fetched
  'desk.missing': 'This part of the page could not be loaded',
  'desk.missingWhy':
    'The connection may have failed, or the pages have changed since you opened this one. Reloading the page brings the part back; what you have typed and not sent may be lost.',
  'desk.reload': 'Reload the page',

  // controls
  'desk.ui.loading': 'Loading',
  'desk.ui.failed': 'This could not be loaded.',
  'desk.ui.tryAgain': 'Try again',
  'desk.ui.optional': 'optional',
  'desk.ui.error': 'Error:',
  'desk.ui.errorSummary': 'Please check these fields',
  'desk.ui.show': 'Show',
  'desk.ui.hide': 'Hide',
  'desk.ui.charactersLeft': '{left, plural, one {# character left} other {# characters left}}',
  'desk.ui.charactersOver':
    '{over, plural, one {# character too many} other {# characters too many}}',
  'desk.ui.progress': 'Steps',
  'desk.ui.stepDone': 'done',
  'desk.ui.chooseOne': 'You have changed this too. Choose what to save.',
  'desk.ui.savedNow': '{label}, as saved now:',
  'desk.ui.takeSaved': 'Use what is saved',
  'desk.ui.keepMine': 'Keep mine',
  'desk.ui.chooseFirst': 'Please choose what to save',
  'desk.ui.previousMonth': 'Previous month',
  'desk.ui.nextMonth': 'Next month',
  'desk.ui.day': 'Day',
  'desk.ui.month': 'Month',
  'desk.ui.year': 'Year',

  'desk.changedElsewhere':
    'A colleague has changed this since you opened it. What you have entered is kept.',

  // coming in
  'desk.signIn': 'Sign in',
  'desk.signingIn': 'Signing in',
  'desk.name': 'Name',
  'desk.email': 'Email',
  'desk.password': 'Password',
  'desk.code': 'Code of your app',
  'desk.codeHint': 'Six digits. Without your phone: one of your recovery codes.',
  'desk.captchaLabel': "Check that you're not a bot",
  'desk.captchaChecking': 'Checking your browser. This takes a moment…',
  'desk.captchaDone': "Checked: you're not a bot.",
  'desk.captchaFailed': "We couldn't check that you're not a bot.",
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
  'desk.invitationNotWhole':
    'This address is not the whole link from your invitation: a mail program may have changed or cut it. Please copy the link from the email and paste it below, or ask a manager for a new invitation.',
  'desk.pasteLink': 'The link from the email',
  'desk.pasteHint': 'Copy the link, or the whole email, and paste it here.',
  'desk.pasteOpen': 'Open the link',
  'desk.pasteNone':
    'There is no whole link of ours in this. Please copy the link, or the whole email, once more.',
  'desk.pasteSeveral': 'There are several links in this. Please paste only the newest.',
  'desk.pasteSame': 'This is the link that is open here already.',
  'desk.recoveryCodes': 'Your recovery codes',
  'desk.recoveryCodesAbout':
    'Write them down now: they are not shown again. Each opens once in place of a code.',
  'desk.toSignIn': 'I have written them down',

  // one's own second factor, asked for again
  'desk.factor': 'Please confirm that it is you',
  'desk.factorAbout': 'This needs a code or a passkey of the last ten minutes.',
  'desk.factorConfirm': 'Confirm',
  'desk.factorConfirming': 'Confirming',

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
  'desk.passkeyNameHint': 'By which you know it again, such as “Robin’s phone”.',
  'desk.passkeyAdded': '{name} is added. You get an email about it.',
  'desk.passkeyUnknown':
    'The clinic did not answer, so it is not known whether {name} is added. If it is, the list shows it; if not, add it again.',
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
  'desk.passkeyRemoved': '{name} is removed. You get an email about it.',
  'desk.changePassword': 'Change your password',
  'desk.changePasswordAbout':
    'Everywhere else you are signed out by it, and you get an email about it.',
  'desk.currentPassword': 'Your current password',
  'desk.nextPassword': 'Your new password',
  'desk.changingPassword': 'Changing it',
  'desk.passwordChanged':
    'Your password is changed, and you are signed out everywhere but here. You get an email about it.',
  'desk.passwordUnknown':
    'The clinic did not answer, so it is not known whether your password is changed. Press again with the same: it is not changed twice.',
  'desk.sessions': 'Where you are signed in',
  'desk.sessionUnknown': 'Unknown browser',
  'desk.sessionHere': 'here',
  'desk.sessionLocked': 'locked',
  'desk.sessionTimes': 'Signed in {since}, last active {active}',
  'desk.sessionEnd': 'Sign out there',
  'desk.sessionEndOf': 'Sign out there: {device}, signed in {since}',
  'desk.sessionEnding': 'Signing out',
  'desk.sessionEnded': '{device} is signed out.',
  'desk.sessionsEnd': 'Sign out everywhere else',
  'desk.sessionsEnded': 'You are signed out everywhere but here.',
  'desk.sessionsNone': '{name} is signed in nowhere.',
  'desk.sessionsEndOf': 'Sign out {name} everywhere',
  'desk.sessionsEndedOf': '{name} is signed out everywhere.',

  // the screens
  'desk.screens': 'Screens',
  'desk.screen.day': 'Day',
  'desk.screen.messages': 'Messages',
  'desk.screen.audit': 'Audit',
} as const;
