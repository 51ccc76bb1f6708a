/** Who works when, and closing a day, half a day, or a provider's absence. */
export const schedule = {
  'desk.schedule.noNames':
    'The providers’ names could not be fetched, so their numbers stand here. {why}',

  // the EMR's schedule
  'desk.emr.title': 'The schedule in the EMR',
  'desk.emr.about':
    'The next two weeks are read again within ten minutes, later days twice a day. Read them now when you have just changed something there.',
  'desk.emr.readNow': 'Read now',
  'desk.emr.reading': 'Asking',
  'desk.emr.isRead':
    'The next two weeks are being read. What has changed is here within half a minute.',
  'desk.emr.isFresh': 'All of the next two weeks was read within the last minute.',
  'desk.emr.outside': 'Booked where the EMR has closed since',
  'desk.emr.outsideNone': 'Nobody is booked where the EMR has closed since.',
  'desk.emr.outsideAbout':
    'Nobody has been told, and nothing is cancelled by itself. Call each of them, then move or cancel the appointment.',
  'desk.emr.open': '{when}: open {patient}’s appointment',
  'desk.emr.differing': 'Not in the EMR as here',
  'desk.emr.differingAbout':
    'What overlaps stays so until you move or cancel one of the two. What the EMR lacks was deleted there, or somebody took its key from the notes: see the patient’s appointments there, and enter it again if it is gone.',
  'desk.emr.inEmr': 'In the EMR',
  'desk.emr.overlapped': 'Another lies over it, {from} to {to}',
  'desk.emr.lacking': 'No row has its key',

  // closing time
  'desk.close.title': 'Close time',
  'desk.close.about':
    'For an illness, a holiday, or a day on which the clinic stays shut. First you see who is affected: nothing is changed until you press the red button.',
  'desk.close.who': 'Whose time',
  'desk.close.whoChoose': 'Choose',
  'desk.close.whoWrong': 'Please choose whose time is closed.',
  'desk.close.fromDay': 'First day',
  'desk.close.toDay': 'Last day',
  'desk.close.fromTime': 'From',
  'desk.close.toTime': 'Until',
  'desk.close.fromHint': 'Such as 12:00. Empty: from the morning on',
  'desk.close.toHint': 'Such as 17:00. Empty: to the end of the day',
  'desk.close.timeWrong': 'Please enter a time such as 12:00, in steps of five minutes.',
  'desk.close.toBeforeFrom': 'The end must come after the beginning, and after now.',
  'desk.close.foresee': 'Show who is affected',
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
  'desk.close.showNames': 'Show names and emails',
  'desk.close.pages': 'Pages of who is affected',
  'desk.close.pageBefore': 'Page before',
  'desk.close.pageNext': 'Next page',
  'desk.close.page': 'Page {n} of {pages}',
  'desk.close.money': 'Money back',
  'desk.close.told': 'Hears of it',
  'desk.close.noMoney': 'None',
  'desk.close.byEmail': 'By email',
  'desk.close.callOn': 'Call {phone}',
  'desk.close.callNoPhone': 'Call: the record has no account',
  'desk.close.notTold': 'Is only choosing: told nothing',
  'desk.close.later': 'By email, once it is booked',
  'desk.close.whatTheyRead': 'What {name} reads',

  // working weeks
  'desk.weeks.title': 'Working weeks',
  'desk.weeks.about': 'Who works when in an ordinary week, and what may be booked then.',
  'desk.week.of': 'Working week of {name}',
  'desk.week.on': 'As it holds on',
  'desk.week.grid': 'Working week',
  'desk.week.sun': 'Sunday',
  'desk.week.mon': 'Monday',
  'desk.week.tue': 'Tuesday',
  'desk.week.wed': 'Wednesday',
  'desk.week.thu': 'Thursday',
  'desk.week.fri': 'Friday',
  'desk.week.sat': 'Saturday',
  'desk.week.quarter': '{day} {time}: {code}',
  'desk.week.noWork': 'No work',
  'desk.week.none': 'No week has been said for this day: nobody works.',
  'desk.week.since': 'This week holds since {day}.',
  'desk.week.next': 'Another follows on {day}.',
  'desk.week.inEmr':
    'The EMR keeps the working weeks. Please change them there: they are shown here soon after.',
  'desk.week.codes': 'What the codes stand for',
  'desk.week.keys':
    'Draw with the mouse, or go with the arrow keys, choose more with Shift, and type the code. Delete takes work away.',
  'desk.week.brush': 'Paint with',
  'desk.week.validFrom': 'Holds from',
  'desk.week.foresee': 'Show what would change',
  'desk.week.preview':
    '{n, plural, =0 {No appointment would stand outside} one {# appointment would stand outside} other {# appointments would stand outside}}',
  'desk.week.stands':
    'What is booked, or held for a payment, stands as it is: nobody is moved, and nobody is told. Nothing is saved yet.',
  'desk.week.outside': 'Appointments outside of the week',
  'desk.week.why': 'Why',
  'desk.week.notOffered': 'Not offered at this time',
  'desk.week.otherLength': 'Would last {n} minutes',
  'desk.week.heldForLink': '{why}. Held until a payment link is paid',
  'desk.week.reach': 'To reach them',
  'desk.week.save': 'Save the week',
  'desk.week.saved': 'Saved. The week holds from {day} on.',
  'desk.week.what': 'What is shown',
  'desk.week.what.week': 'The week',
  'desk.week.what.day': 'One day alone',

  // a single day
  'desk.day.grid': 'Working time of the day',
  'desk.day.asWeek': 'On this day they work as the week says.',
  'desk.day.own':
    'Of this day alone something else was said than the week says. It stands whatever becomes of the week.',
  'desk.day.closed':
    'Closed: {spans}. It stays closed whatever you paint, until it is opened again under Schedule.',
  'desk.day.save': 'Save the day',
  'desk.day.saved': 'Saved. {day} is as you painted it.',
  'desk.day.toWeek': 'As the week says again',
  'desk.day.isLeft': 'Saved. {day} is as the week says again.',
  'desk.day.said': 'Days that differ from the week',

  // what can be stopped
  'desk.close.waits':
    'This reaches many patients. The time is closed at once; for five minutes nobody is cancelled or told, every manager is mailed, and everybody at the front desk can stop it.',
  'desk.close.refused':
    'This would reach very many patients: more than 40 appointments or 14 days, with what you did in the last 24 hours. A manager has to do it. Today and tomorrow you may close by yourself.',

  // statutory holidays
  'desk.holidays.title': 'Statutory holidays',
  'desk.holidays.about':
    'Those of the Employment Standards Act of British Columbia, each closed for every provider. First you see who is affected.',
  'desk.holidays.year': 'Year',
  'desk.holidays.foresee': 'Show what would be closed',
  'desk.holidays.caption': 'Statutory holidays of {year}',
  'desk.holidays.holiday': 'Holiday',
  'desk.holidays.becomes': 'What closing it does',
  'desk.holidays.over': 'Over',
  'desk.holidays.isClosed': 'Closed already',
  'desk.holidays.close':
    '{days, plural, one {Close # day} other {Close # days}}{n, plural, =0 {} one { and cancel # appointment} other { and cancel # appointments}}',
  'desk.holidays.done': '{n, plural, one {# day is} other {# days are}} closed.',
  'desk.holidays.newYear': 'New Year’s Day',
  'desk.holidays.family': 'Family Day',
  'desk.holidays.goodFriday': 'Good Friday',
  'desk.holidays.victoria': 'Victoria Day',
  'desk.holidays.canada': 'Canada Day',
  'desk.holidays.britishColumbia': 'British Columbia Day',
  'desk.holidays.labour': 'Labour Day',
  'desk.holidays.truthAndReconciliation': 'National Day for Truth and Reconciliation',
  'desk.holidays.thanksgiving': 'Thanksgiving Day',
  'desk.holidays.remembrance': 'Remembrance Day',
  'desk.holidays.christmas': 'Christmas Day',

  // closings
  'desk.closings.title': 'Closed lately',
  'desk.closings.none': 'Nothing has been closed yet.',
  'desk.closings.time': 'Closed time',
  'desk.closings.who': 'Whose',
  'desk.closings.by': 'Closed by',
  'desk.closings.state': 'How far',
  'desk.closings.done':
    'Done, {n, plural, =0 {nobody was affected} one {# affected} other {# affected}}',
  'desk.closings.reopened': '(opened again)',
  'desk.closings.progress': '{known} of {total}',
  'desk.closing.title': 'Closed: {span}',
  'desk.closing.by': '{who}. Closed by {name} on {when}.',
  'desk.closing.underWay':
    'The time is closed. {known} of {total} are done; this goes on by itself, whether you stay here or not.',
  'desk.closing.waits':
    'The time is closed. Nobody is cancelled or told before {time}: until then it can be stopped, above.',
  'desk.closing.isDone':
    '{n, plural, =0 {The time is closed. Nobody was affected.} one {The time is closed, and # is done.} other {The time is closed, and all # are done.}}',
  'desk.closing.reopened':
    'Opened again by {name} on {when}: it can be booked from {from} on. What was cancelled stays cancelled.',
  'desk.closing.reopen': 'Open this time again',
  'desk.closing.reopenTitle': 'Open {span} again?',
  'desk.closing.reopenAbout':
    'What still lies ahead of it can be booked again, and open pages of patients show it. Appointments that were cancelled stay cancelled, and nobody is told. What has not been cancelled yet stands.',
  'desk.closing.reopenInEmr':
    'Where an EMR keeps the days of a provider, they are offered once it was read again.',
  'desk.closing.reopenUnknown':
    'The clinic did not answer, so the time may be open. Press again: nothing is done twice.',
  'desk.closing.keepClosed': 'Keep it closed',
  'desk.closing.progress': 'Progress',
  'desk.closing.patients': 'What became of each patient',
  'desk.closing.back': 'All of the schedule',
  'desk.call.title': 'To call',
  'desk.call.nobody': 'Nobody has to be called.',
  'desk.call.everybody': 'Everybody has been reached.',
  'desk.call.reachedOf': '{reached} of {n} reached.',
  'desk.call.print': 'Print whom to call',
  'desk.call.number': 'Number',
  'desk.call.noNumber': 'None is known',
  'desk.call.in.card': 'on the card',
  'desk.call.in.account': 'in the account',
  'desk.call.had': 'What they had',
  'desk.call.last': 'Last call',
  'desk.call.notYet': 'Not yet',
  'desk.call.reachedBefore': 'They had been reached before.',
  'desk.call.all': '{n, plural, one {# call in all} other {# calls in all}}',
  'desk.call.said': '{outcome}. {name}, {when}',
  'desk.call.saidTakenBack': '{said}. Taken back by {name}, {when}',
  'desk.call.note': 'Note a call',
  'desk.call.reached': 'Reached',
  'desk.call.messageLeft': 'Message left',
  'desk.call.noAnswer': 'No answer',
  'desk.call.noted': 'Noted: {outcome}.',
  'desk.call.takeBack': 'Take back',
  'desk.call.isTakenBack': 'The call is taken back.',
  'desk.call.rebook': 'Rebook',
  'desk.call.rebooked': 'Booked anew',
  'desk.call.notRebooked': 'No',
  'desk.call.rebookedTo': '{when}, {type}, {provider}',
  'desk.call.rebookedHeld': '{said}. Held until it is paid',
  'desk.outcome.waiting': 'Not yet',
  'desk.outcome.underWay': 'Is being booked: cancelled afterwards',
  'desk.outcome.cancelled': 'Cancelled',
  'desk.outcome.cancelSent': 'Cancelled here, and in the EMR as soon as it answers',
  'desk.outcome.released': 'Taken back while they were choosing',
  'desk.outcome.gone': 'Had been cancelled or moved before',
  'desk.outcome.kept': 'Not cancelled: the time was opened again before',
  'desk.outcome.stays': 'Stands: it had begun, or was changed in the EMR. Please look there',
  'desk.emailed.sent': 'Sent',
  'desk.emailed.waiting': 'On its way',
  'desk.emailed.failed': 'Was refused. {call}',
  'desk.emailed.past': 'Over a month ago',
  'desk.emailed.none': 'None',
  'desk.refund.none': 'None',
  'desk.refund.coming': '{amount}, on its way',
  'desk.refund.done': '{amount}, given back',
  'desk.refund.failed': '{amount}, not given back: please look at the payment',
} as const;
