/** Who works when, and closing a day, half a day, or a provider's absence. */
export const schedule = {
  'desk.screen.schedule': 'Schedule',
  'desk.schedule': 'Schedule',

  // closing time
  'desk.close.title': 'Close time',
  'desk.close.about':
    'For an illness, a holiday, or a day on which the clinic stays shut. First you see who is affected: nothing is changed until you press the red button.',
  'desk.close.who': 'Whose time',
  'desk.close.everybody': 'All providers',
  'desk.close.fromDay': 'First day',
  'desk.close.fromTime': 'From',
  'desk.close.toDay': 'Last day',
  'desk.close.toTime': 'Until',
  'desk.close.fromHint': 'Such as 12:00. Empty: from the morning on',
  'desk.close.toHint': 'Such as 17:00. Empty: to the end of the day',
  'desk.close.timeWrong': 'Please enter a time such as 12:00, in steps of five minutes.',
  'desk.close.dayWrong': 'Please choose a day.',
  'desk.close.toBeforeFrom': 'The end must come after the beginning, and after now.',
  'desk.close.foresee': 'Show who is affected',
  'desk.close.foreseeing': 'Looking',
  'desk.close.span': '{from} to {to}',
  'desk.close.ofDay': '{day}, {from} to {to}',
  'desk.close.endOfDay': 'the end of the day',
  'desk.close.wouldBe': 'Closing {span}: {who}',
  'desk.close.nobody':
    'Nobody has booked in this time. Closing it tells nobody, and nothing of it is offered any more.',
  'desk.close.sumCancelled':
    '{n, plural, one {# appointment is cancelled} other {# appointments are cancelled}}.',
  'desk.close.sumRefunds':
    '{n, plural, one {# fee goes back} other {# fees go back}} to the cards they were paid with, {amount} in all.',
  'desk.close.sumReleased':
    '{n, plural, one {# time that a patient is choosing is} other {# times that patients are choosing are}} taken back.',
  'desk.close.sumUnderWay':
    '{n, plural, one {# is} other {# are}} being paid for at this moment, and cancelled once that is over.',
  'desk.close.sumCall':
    '{n, plural, one {# person cannot be reached by email: please call.} other {# people cannot be reached by email: please call.}}',
  'desk.close.meanwhile':
    'Whoever books before you press is cancelled too, and stands in the list that follows.',
  'desk.close.now':
    '{n, plural, =0 {Close this time} one {Close this time and cancel # appointment} other {Close this time and cancel # appointments}}',
  'desk.close.closing': 'Closing',
  'desk.close.change': 'Change the time',
  'desk.close.unknown':
    'The clinic did not answer, so the time may be closed. Press again: nothing is done twice.',
  'desk.close.affected': 'Who is affected',
  'desk.close.when': 'Time',
  'desk.close.provider': 'Provider',
  'desk.close.patient': 'Patient',
  'desk.close.type': 'Type',
  'desk.close.money': 'Money back',
  'desk.close.told': 'Hears of it',
  'desk.close.noMoney': 'None',
  'desk.close.byEmail': 'By email',
  'desk.close.callOn': 'Call {phone}',
  'desk.close.callNoPhone': 'Call: the record has no account',
  'desk.close.notTold': 'Is only choosing: told nothing',
  'desk.close.later': 'By email, once it is booked',
  'desk.close.whatTheyRead': 'What {name} reads',

  // closings
  'desk.closings.title': 'Closed lately',
  'desk.closings.none': 'Nothing has been closed yet.',
  'desk.closings.time': 'Closed time',
  'desk.closings.who': 'Whose',
  'desk.closings.by': 'Closed by',
  'desk.closings.operator': 'The operator',
  'desk.closings.state': 'How far',
  'desk.closings.done':
    'Done, {n, plural, =0 {nobody was affected} one {# affected} other {# affected}}',
  'desk.closings.progress': '{known} of {total}',
  'desk.closing.title': 'Closed: {span}',
  'desk.closing.by': '{who}. Closed by {name} on {when}.',
  'desk.closing.underWay':
    'The time is closed. {known} of {total} are done; this goes on by itself, whether you stay here or not.',
  'desk.closing.isDone':
    '{n, plural, =0 {The time is closed. Nobody was affected.} one {The time is closed, and # is done.} other {The time is closed, and all # are done.}}',
  'desk.closing.progress': 'Progress',
  'desk.closing.patients': 'What became of each patient',
  'desk.closing.outcome': 'Appointment',
  'desk.closing.email': 'Email',
  'desk.closing.back': 'All of the schedule',
  'desk.closing.toCall':
    '{n, plural, one {# person cannot be reached by email: please call.} other {# people cannot be reached by email: please call.}}',
  'desk.outcome.waiting': 'Not yet',
  'desk.outcome.underWay': 'Is being booked: cancelled afterwards',
  'desk.outcome.cancelled': 'Cancelled',
  'desk.outcome.cancelSent': 'Cancelled here, and in the EMR as soon as it answers',
  'desk.outcome.released': 'Taken back while they were choosing',
  'desk.outcome.gone': 'Had been cancelled or moved before',
  'desk.outcome.stays': 'Stands: changed in the EMR. Please look there',
  'desk.emailed.sent': 'Sent',
  'desk.emailed.waiting': 'On its way',
  'desk.emailed.failed': 'Was refused: please call',
  'desk.emailed.none': 'None',
  'desk.refund.none': 'None',
  'desk.refund.coming': '{amount}, on its way',
  'desk.refund.done': '{amount}, given back',
  'desk.refund.failed': '{amount}, not given back: please look at the payment',
} as const;
