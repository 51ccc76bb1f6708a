/** What stands above every page behind the sign-in, and what the day sheet says like other pages. */
export const everyPage = {
  // the screens, with those of `frame`
  'desk.unread': '{n, plural, one {# new} other {# new}}',
  'desk.screen.myDay': 'My day',
  'desk.money': 'Money',
  'desk.screen.patients': 'Patients',
  'desk.reports': 'Reports',
  'desk.screen.schedule': 'Schedule',
  'desk.setUp': 'Set-up',

  // what can still be stopped, and what is gone from the EMR
  'desk.close.everybody': 'The whole clinic: all providers',
  'desk.close.span': '{from} to {to}',
  'desk.close.ofDay': '{day}, {from} to {to}',
  'desk.close.endOfDay': 'the end of the day',
  'desk.gone.title':
    'Gone from the EMR: {n, plural, one {# appointment} other {# appointments}}. Keep, or cancelled?',
  'desk.gone.about':
    'Somebody deleted it there, and our booking stands. Pasting it there again answers, too.',
  'desk.gone.when': '{when}, {provider}',
  'desk.gone.until': 'Without an answer it is cancelled at {time}, and its patient is told.',
  'desk.gone.waits': 'So many went at once that none is cancelled without an answer.',
  'desk.gone.keptShort': 'Keep',
  'desk.gone.keptDo': 'Keep the appointment {when}',
  'desk.gone.kept': 'Kept: {when}. Please enter it in the EMR again.',
  'desk.gone.cancelledShort': 'Cancelled',
  'desk.gone.cancelledDo': 'Cancelled: the appointment {when}',
  'desk.gone.cancelled': 'Cancelled: {when}. The patient is told, and paid back in full.',
  'desk.gone.more': 'And {n} more.',
  'desk.stop.log': 'What can still be stopped',
  'desk.stop.look': 'Look at it',
  'desk.stop.stopping': 'Stopping',
  'desk.stop.close.title': 'Closed: {span}',
  'desk.stop.close.about':
    '{name} closed this time ({who}). {n, plural, =0 {Nobody has} one {# person has} other {# have}} an appointment in it. Nobody is cancelled or told before {time}.',
  'desk.stop.close.now': 'Stop: open {span} again',
  'desk.stop.close.stopped': 'Stopped. {span} is open again. Nobody was cancelled or told.',
  'desk.stop.export.title': 'A file of the audit trail that shows {n} people',
  'desk.stop.export.about': '{name} asked for it, and gets it at {time}.',
  'desk.stop.export.now': 'Stop the file of {n} people',
  'desk.stop.export.stopped': 'Stopped. {name} does not get the file.',
  'desk.stop.invite.title': 'A new manager: {who}',
  'desk.stop.invite.about': '{name} invited {who} ({email}). The invitation is mailed at {time}.',
  'desk.stop.invite.now': 'Stop the invitation of {who}',
  'desk.stop.invite.stopped': 'Stopped. {who} is not invited.',
  'desk.waits.export.waiting':
    'Asked for on {asked}, {n} people: ready at {time}, unless somebody stops it.',
  'desk.waits.export.ready': 'Asked for on {asked}, {n} people: ready until tomorrow, {time}.',
  'desk.waits.export.stopped': 'Asked for on {asked}, {n} people: stopped by {who} at {time}.',
  'desk.waits.invite.waiting':
    '{name} ({email}): the invitation is mailed at {time}, unless somebody stops it.',
  'desk.waits.invite.done': '{name} ({email}): the invitation was mailed at {time}.',
  'desk.waits.invite.stopped':
    '{name} ({email}): stopped by {who} at {time}. They are not invited.',
  'desk.waits.invite.failed':
    '{name} ({email}): not invited. The address had an account by then, or whoever asked was no manager any more.',
  'desk.closings.operator': 'The operator',
  'desk.closings.byOperator': 'the operator',

  // forms and fees
  'desk.money.reason': 'Why?',
  'desk.money.reasonChoose': 'Choose a reason',
  'desk.money.reason.notGiven': 'The patient was not seen',
  'desk.money.reason.mistake': 'It was charged by mistake',
  'desk.money.reason.goodwill': 'Out of goodwill',
  'desk.money.reason.other': 'Another reason',
  'desk.saving': 'Saving',
  'desk.leaveIt': 'Leave it',
  'desk.from': 'From',
  'desk.to': 'To',
  'desk.provider': 'Provider',
  'desk.day': 'Day',
  'desk.looking': 'Looking',
  'desk.isSaved': '{name} is saved.',
  'desk.newest': 'Newest',
  'desk.older': 'Older',
} as const;
