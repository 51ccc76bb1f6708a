/** Finding a patient, booking for them, and moving what is booked. */
export const booking = {
  // finding
  'desk.findPatient': 'Find patient',
  'desk.findPatientKeys': 'Find patient (Ctrl K)',
  'desk.findWhom': 'Name, birth date, phone or card number',
  'desk.findHint': 'The beginning of a name will do, and several together: mor 1984-05-17.',
  'desk.find': 'Find',
  'desk.finding': 'Looking',
  'desk.found': 'Patients found',
  'desk.foundNobody': 'Nobody was found. Try fewer words, or a birth date as 1984-05-17.',
  'desk.foundNobodyHere': 'Nobody here fits.',
  'desk.foundNobodyNew': 'New patient',
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

  // booking
  'desk.bookFor': 'Book for {name}',
  'desk.bookUntold': 'They have no account, so no email goes out: tell them when it is.',
  'desk.hasBooked': 'Already booked',
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
    'Held until {until}: {when}, {provider}. The patient is sent the link by email. Once they have paid, it is booked; otherwise they are told that it is not.',
  'desk.freeTimes': 'Free times',
  'desk.freeTimesKeys': 'Arrow keys choose a time, Enter books it.',
  'desk.freeTimesMoveKeys': 'Arrow keys choose a time, Enter moves the appointment there.',
  'desk.noFreeTimes': 'There is no free time. Choose another provider, or another day.',
  'desk.walkIns': 'Walk-in, seen now',
  'desk.otherTime': 'Another time',
  'desk.otherTimeAbout':
    'Also outside of what patients are offered, such as another length. A time that is taken cannot be booked.',
  'desk.otherProvider': 'With',
  'desk.otherProviderChoose': 'Choose a provider',
  'desk.otherDay': 'Day',
  'desk.startsAt': 'Starts at',
  'desk.minutes': 'Minutes',
  'desk.minutesHint': 'Left empty, it is as long as the type.',
  'desk.bookThis': 'Book this time',
  'desk.moveHere': 'Move to this time',
  'desk.booking': 'Booking',
  'desk.moving': 'Moving',
  'desk.bookUnknown':
    'The clinic did not answer, so it is not known whether this is done. Ask again: nothing is done twice.',
  'desk.askAgain': 'Ask again: {what}',
  'desk.askingAgain': 'Asking',
  'desk.rule.oneEachDay': 'The patient has an appointment on this day already.',
  'desk.rule.twoUpcoming': 'The patient has two appointments ahead already.',
  'desk.rule.doctorFamilyOnly': 'This provider sees only patients whose family doctor is here.',
  'desk.rule.doctorNoPcp': 'This provider sees only patients without a family doctor.',
  'desk.rule.primaryDoctorUnknown':
    'Whether the patient’s family doctor is here could not be checked.',
  'desk.rule.doctorNotAvailable': 'This provider cannot be booked, or not by this patient.',
  'desk.rule.slotTooSoon': 'This time begins within half an hour, or is over.',
  'desk.rule.notReschedulable': 'It is less than 24 hours ahead, or cannot be moved.',
  'desk.bookBlocked':
    'Booking is blocked for this patient. To book all the same, you are asked for a reason.',
  'desk.moveBlocked':
    'Booking is blocked for this patient. To move the appointment all the same, you are asked for a reason.',
  'desk.rule.bookingBlocked': 'Booking is blocked for this patient.',
  'desk.rule.typeNotOffered': 'This patient is not offered this type.',
  'desk.rule.slotNotOffered': 'This time, or this length, is not kept for this type.',
  'desk.rule.documentsMissing': 'The patient’s documents are missing.',
  'desk.rule.linkStands':
    'A time is held for this patient until a payment link is paid. Cancel it on the day sheet, or make it due at the clinic there, first.',
  'desk.rule.linkTooSoon':
    'This time begins too soon for a payment link. Make the fee due at the clinic.',
  'desk.rule.paymentUnderWay':
    'The patient’s payment is under way and may take money yet. Try again in a few minutes.',
  'desk.rule.agreementOutdated':
    'The clinic has published another text. Read out what stands here now, and ask again.',
  'desk.rule.recordMissing': 'The EMR has no record of this patient, so nothing is booked.',
  'desk.rule.clinicConfirming':
    'The EMR has not yet said whether this is done. Look at the day in a few minutes before you do it again.',
  'desk.rule.clinicRefuses': 'The EMR did not accept this, and nothing was changed.',
  'desk.rule.clinicBusy':
    'Many people are booking at this moment, and nothing was changed. Try again in a moment.',
  'desk.rule.clinicUnreachable':
    'The EMR cannot be reached right now, and nothing was changed. Please try again later.',
  'desk.rule.slotTaken': 'This time is taken. Choose another.',
  'desk.overrideAbout': '{what}: you may do it all the same. Your answer is recorded.',
  'desk.overrideReason': 'Why?',
  'desk.overrideChoose': 'Choose a reason',
  'desk.override.walkIn': 'The patient is here',
  'desk.override.urgent': 'It is urgent',
  'desk.override.clinician': 'The clinician asked for it',
  'desk.override.documentsSeen': 'The documents were seen here',
  'desk.override.other': 'Agreed with the patient',
  'desk.overrideBook': 'Book all the same',
  'desk.overrideMove': 'Move all the same',
  'desk.booked': 'Booked: {when}, {provider}. The patient is told by email.',
  'desk.bookedDue':
    'Booked: {when}, {provider}. {fee} is due at the clinic. The patient is told by email.',
  'desk.bookedUntold': 'Booked: {when}, {provider}. Nobody is told by email: tell them now.',
  'desk.bookedDueUntold':
    'Booked: {when}, {provider}. {fee} is due at the clinic. Nobody is told by email: tell them now.',
  'desk.movedUntold': 'Moved to {when}, {provider}. Nobody is told by email: tell them now.',
  'desk.moved': 'Moved to {when}, {provider}. The patient is told by email.',
  'desk.readOut': 'Read out to the patient',
  'desk.readOutText': '{title}, version {version}',
  'desk.readOutAgrees': 'The patient agrees',
  'desk.readOutNoting': 'Noting',
  'desk.readOutNoted': 'Noted: read out by you, and the patient agrees.',
  'desk.bookAnother': 'Find another patient',
  'desk.showOnSheet': 'Show the day',

  // moving
  'desk.move': 'Move',
  'desk.moveKeys': 'Drag it on the sheet, or press M there',
  'desk.moveTo': 'Move to {what}',
  'desk.moveTitle': 'Move the appointment of {name}',
  'desk.moveWantedBy': 'Who wants it moved',
  'desk.moveWantedByHint': 'Whom the clinic moves may cancel until it starts, and is paid back.',
  'desk.moveWantedBy.patient': 'The patient',
  'desk.moveWantedBy.clinic': 'The clinic',
  'desk.moveFrom': 'It is on {when}. It keeps its type, its fee and what was answered for it.',

  // a payment link
  'desk.payAtClinic': 'Make it due at the clinic',
  'desk.payingAtClinic': 'Booking',
  'desk.isDueNow': 'It is booked, and the fee is due at the clinic. The patient is told by email.',
  'desk.linkOver':
    'The clinic did not answer, but the payment link is waited for no more: the status and the fee above say what holds.',

  // a fee at the clinic
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
} as const;
