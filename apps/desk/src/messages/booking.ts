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
  'desk.did.book': 'booked',
  'desk.did.move': 'moved here',
  'desk.did.cancel': 'cancelled',
  'desk.notToldYet': '{whom}, {when}: {did}. No email has gone out yet.',
  'desk.notYetFinal': '{whom}, {when}: {did}. You can undo this for a moment.',
  'desk.undone': 'Undone: {whom}, {when}. Nobody is told of it.',
  'desk.undoOverTold': '{whom}, {when}: {did}. The email goes out now.',
  'desk.undoOver': '{whom}, {when}: {did}. This can no longer be undone.',
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

  // in the panel of an appointment: cancelling, reading out, fees
  'desk.cancelLinkAbout':
    'The patient is told by email that it is not booked and that nothing was charged, and the time is free again.',
  'desk.cancelTitle': 'Cancel the appointment of {name} on {when}?',
  'desk.cancelAbout':
    'The patient is told by email, and a fee is given back in full, once this can no longer be undone. The time is free again at once.',
  'desk.cancelAboutUntold':
    'Its time is free again. Nobody is told by email, because they have no account: tell them.',
  'desk.cancelAboutUntoldKept':
    'A fee that was paid is kept, and its time is free again. Nobody is told by email, because they have no account: tell them.',
  'desk.cancelFeeTaken':
    'The fee that was taken at the clinic does not go back by itself: give it back there, and note it before you cancel.',
  'desk.cancelWantedBy': 'Who wants it cancelled',
  'desk.cancelAboutPatient':
    'The patient is told by email once this can no longer be undone, a fee that was paid is kept, and the time is free again at once. Managers can still refund the fee under Money.',
  'desk.cancelRule.tooLate':
    'It begins within 6 hours or has begun: the patient could not cancel it.',
  'desk.cancelRule.paid': 'Its fee was {fee} or more: the patient could not cancel it.',
  'desk.cancelRule.notCancellable':
    'The patient could not cancel a private appointment like this one.',
  'desk.cancelOverride': 'You may do it all the same. Your answer is recorded.',
  'desk.cancelKeep': 'Keep it',
  'desk.cancelling': 'Cancelling',
  'desk.overrideReason': 'Why?',
  'desk.overrideChoose': 'Choose a reason',
  'desk.override.walkIn': 'The patient is here',
  'desk.override.urgent': 'It is urgent',
  'desk.override.clinician': 'The clinician asked for it',
  'desk.override.documentsSeen': 'The documents were seen here',
  'desk.override.other': 'Agreed with the patient',
  'desk.readOut': 'Read out to the patient',
  'desk.readOutText': '{title}, version {version}',
  'desk.readOutAgrees': 'The patient agrees',
  'desk.readOutNoting': 'Noting',
  'desk.readOutNoted': 'Noted: read out by you, and the patient agrees.',
  'desk.moveWantedBy.patient': 'The patient',
  'desk.moveWantedBy.clinic': 'The clinic',
  'desk.feeDueAmount': '{fee} due at the clinic',
  'desk.feeTakenAmount': '{fee} paid at the clinic, {means}',
  'desk.feeMeans': 'Paid by',
  'desk.feeMeansChoose': 'Choose how',
  'desk.means.cash': 'cash',
  'desk.means.debit': 'debit card',
  'desk.means.credit': 'credit card',
  'desk.means.other': 'another way',
  'desk.takeFee': 'Fee taken',
  'desk.takingFee': 'Noting',
  'desk.feeTakenNoted': '{fee} is noted as paid at the clinic.',
  'desk.feeBack': 'Fee given back',
  'desk.feeBackTitle': 'Was {fee} given back?',
  'desk.feeBackAbout':
    'Give the money back first. This notes that it was, once, and cannot be taken back. The patient gets no email.',
  'desk.feeBackMeans': 'Given back by',
  'desk.feeBackNote': 'Note it',
  'desk.feeBackNoted': '{fee} is noted as given back at the clinic.',
  'desk.feeBackAmount': 'Given back at the clinic, {means}, {when}: {reason}',
  'desk.feeBackUnknown':
    'The clinic did not answer, so it is not known whether this is noted. Press again: it is noted once.',
  'desk.feeWaive': 'Waive the fee',
  'desk.feeWaiveIt': 'Waive it',
  'desk.feeWaiveTitle': 'Waive {fee}?',
  'desk.feeWaiveAbout':
    'The fee is asked no more, and counts in no sum. Your reason is recorded. The patient gets no email.',
  'desk.feeWaivedNoted': '{fee} is waived.',
  'desk.feeWaivedAmount': '{fee} waived, {when}: {reason}',
  'desk.waive.hardship': 'The patient cannot pay',
  'desk.waive.ownMistake': 'A mistake of the clinic',
  'desk.waive.longWait': 'They waited too long',
  'desk.waive.clinician': 'The clinician asked for it',
  'desk.waive.other': 'Another reason',
  'desk.feeNotTaken': 'Not taken after all',
  'desk.feeNotWaived': 'Not waived after all',
  'desk.feeStruck': '{fee} is due again. The trail keeps both notes.',
} as const;
