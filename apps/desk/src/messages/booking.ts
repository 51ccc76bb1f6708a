/** Finding a patient, booking for them, and moving what is booked. */
export const booking = {
  // finding
  'desk.findWhom': 'Name, birth date, phone or card number',
  'desk.findHint':
    'The beginning of a name or an email will do, four digits of a phone, and several together: mor 1984-05-17.',
  'desk.find': 'Find',
  'desk.finding': 'Looking',
  'desk.found': 'Patients found',
  'desk.foundNobody': 'Nobody was found. Try fewer words, or a birth date as 1984-05-17.',
  'desk.foundNobodyHere': 'Nobody here fits.',
  'desk.soundsLike': 'Sounds like',
  'desk.findFamily': 'Another of the family: name, birth date, phone or card number',
  'desk.newPatientNamed': 'New patient: {typed}',
  'desk.foundMore': 'There are more. Type more of the name, or a birth date.',
  'desk.bornOn': 'born {date}',
  'desk.chartsAsking': 'Looking in the EMR, too …',
  'desk.chartsFound': 'In the EMR',
  'desk.chartInEmr': 'chart {chart} in the EMR',
  'desk.chartNotBookable': 'Cannot be booked: change the chart in the EMR first.',
  'desk.chartsNobody':
    'Nobody in the EMR fits either. Try fewer words, or a birth date as 1984-05-17.',
  'desk.chartsNoOther': 'Nobody else in the EMR fits.',
  'desk.chartsTooMany': 'Too many in the EMR have such a name. Add more of it, or the birth date.',
  'desk.chartsTooLittle':
    'The EMR was not asked: that takes two letters of a name, a birth date, or a number.',
  'desk.chartsMore': 'The EMR has more. Type more of the name, or a birth date.',
  'desk.chartsAway':
    'The EMR does not answer, so only whom we know here is shown. Others may have a chart there: search again in a minute.',
  'desk.chartsRefused':
    'The EMR refuses to look for patients, so only whom we know here is shown. Please tell whoever looks after the EMR.',
  'desk.chartLikely':
    'Somebody here may be the same person as chart {chart}. Choose them, and the chart is theirs; or say that it is nobody of these.',
  'desk.chartLikelyBack': 'Back to what was found',
  'desk.recordNo': 'record {record}',

  'desk.dropTyped': 'Leave this form?',
  'desk.dropTypedAbout': 'What you have typed is lost.',
  'desk.dropTypedStay': 'Go on typing',
  'desk.dropTypedDo': 'Drop it',

  // booking
  'desk.alerts': 'Alerts',
  'desk.newPatientPhone': 'Phone number',
  'desk.bookFor': 'Book for {name}',
  'desk.bookUntold': 'They have no account, so no email goes out: tell them when it is.',
  'desk.hasBooked': 'Already booked',
  'desk.cancelIt': 'Cancel',
  'desk.cancelOn': 'Cancel {when}',
  'desk.whichType': 'Type',
  'desk.whichProvider': 'Provider',
  'desk.firstFree': 'First free',
  'desk.fromDay': 'From',
  'desk.withFee': '{type}, {fee}',
  'desk.feeBy': 'Fee',
  'desk.feeByHint':
    'With a link the time is held for 24 hours at most, and booked once it is paid.',
  'desk.feeBy.clinic': 'Due at the clinic',
  'desk.feeBy.link': 'Send a payment link',
  'desk.linkSent':
    'Held until {until}: {type}, {when}, {provider}. The patient is sent the link by email. Once they have paid, it is booked; otherwise they are told that it is not.',
  'desk.freeTimes': 'Free times',
  'desk.freeTimesKeys':
    'Arrow keys choose a time, Enter takes it. T leads to the type, P to the provider, D to the day; C cancels the one that is booked.',
  'desk.minutesLong': '{minutes} min',
  'desk.noFreeTimes': 'There is no free time. Choose another provider, or another day.',
  'desk.walkIns': 'Walk-in, seen now',
  'desk.walkInAbout': 'One press books it: {type}.',
  'desk.walkInAboutDue': 'One press books it: {type}, {fee} due at the clinic.',
  'desk.otherTime': 'Another time',
  'desk.otherTimeAbout':
    'Also outside of what patients are offered, such as another length. A time that is taken cannot be booked.',
  'desk.otherProvider': 'With',
  'desk.otherProviderChoose': 'Choose a provider',
  'desk.otherDay': 'Day',
  'desk.startsAt': 'Starts at',
  'desk.minutes': 'Minutes',
  'desk.minutesHint': 'Left empty, it is as long as the type.',
  'desk.chooseThis': 'Choose this time',
  'desk.bookIt': 'Book {what}',
  'desk.bookAt': 'Book {when}: for whom?',
  'desk.bookThis': 'Book this time',
  'desk.bookLink': 'Send the link',
  'desk.otherTimes': 'Choose another time',
  'desk.told': 'Told',
  'desk.toldByEmail': 'by email',
  'desk.toldByYou': 'by you: no email goes out',
  'desk.feeIsNone': 'none',
  'desk.length': 'Length',
  'desk.lengthOfType': 'as long as the type',
  'desk.dayUnread': 'This is no day that can be read. Write 2026-12-04, Dec 4, 4 déc, +3 or fri.',
  'desk.dayWhich': 'Which day is {typed}?',
  'desk.moveHere': 'Move to this time',
  'desk.booking': 'Booking',
  'desk.moving': 'Moving',
  'desk.bookUnknown':
    'The clinic did not answer, so it is not known whether this is done. Ask again: nothing is done twice.',
  'desk.askAgain': 'Ask again: {what}',
  'desk.askingAgain': 'Asking',
  'desk.bookBlocked':
    'Booking is blocked for this patient. To book all the same, you are asked for a reason.',
  'desk.moveBlocked':
    'Booking is blocked for this patient. To move the appointment all the same, you are asked for a reason.',
  'desk.overrideAbout': '{what}: you may do it all the same. Your answer is recorded.',
  'desk.overrideBook': 'Book all the same',
  'desk.overrideMove': 'Move all the same',
  'desk.booked': 'Booked: {type}, {when}, {provider}. The patient is told by email.',
  'desk.bookedDue':
    'Booked: {type}, {when}, {provider}. {fee} is due at the clinic. The patient is told by email.',
  'desk.bookedUntold':
    'Booked: {type}, {when}, {provider}. Nobody is told by email: tell them now.',
  'desk.bookedDueUntold':
    'Booked: {type}, {when}, {provider}. {fee} is due at the clinic. Nobody is told by email: tell them now.',
  'desk.movedUntold':
    'Moved to {when}, {provider}: {type}. Nobody is told by email: tell them now.',
  'desk.moved': 'Moved to {when}, {provider}: {type}. The patient is told by email.',
  'desk.undo': 'Undo',
  'desk.undoing': 'Undoing …',
  'desk.undoOf': 'Undo: {whom}, {when}',
  'desk.notToldYet': '{whom}, {when}: no email has gone out yet.',
  'desk.notYetFinal': '{whom}, {when}: you can undo this for a moment.',
  'desk.undone': 'Undone: {whom}, {when}. Nobody is told of it.',
  'desk.undoOverTold': '{whom}, {when}: the email goes out now.',
  'desk.undoOver': '{whom}, {when}: this can no longer be undone.',
  'desk.undoRead': 'I have read this',
  'desk.bookAnother': 'Find another patient',
  'desk.showOnSheet': 'Show the day',

  // moving
  'desk.moveTo': 'Move to {what}',
  'desk.movedFrom': 'Until now',
  'desk.moveTitle': 'Move the appointment of {name}',
  'desk.moveWantedBy': 'Who wants it moved',
  'desk.moveWantedByHint': 'Whom the clinic moves may cancel until it starts, and is paid back.',
  'desk.moveFrom': 'It is on {when}. It keeps its type, its fee and what was answered for it.',
  'desk.override.clinicMoved': 'The clinic had cancelled it',

  // a payment link

  // a fee at the clinic
} as const;
