/** Words of the booking flow from the type to the end. */
export const booking = {
  'booking.title': 'Book Appointment',
  'booking.stepType': 'Type',
  'booking.stepTime': 'Time',
  'booking.stepConfirm': 'Confirm',
  'booking.stepPay': 'Pay',
  'booking.stepDone': 'Done',
  'booking.next': 'Next',
  'booking.back': 'Back',

  // step 1
  'booking.chooseType': 'Please choose appointment type:',
  'booking.rescheduleTitle': 'Reschedule {description} Appointment',
  'booking.type': 'Appointment type',
  'booking.bookAnew': 'Book an appointment',
  'booking.dayTaken': 'You already have an appointment on {day}.',
  'booking.notGiven': 'Nurse practitioners do not offer this type of appointment.',
  'booking.movingWhat':
    'You are moving {description} with {doctor} on {when}. It stays booked until the new time is confirmed.',
  'booking.typeLocked': "You can't change the type when you reschedule.",
  'booking.typeHint': 'Next, you choose the day and the doctor.',
  'booking.otherTypes': 'Other types ({count})',
  'booking.changeType': 'Change type',
  'booking.noTypes':
    'No appointment types are available to you online. Please contact the clinic to book.',
  'booking.noFee': 'No fee',
  'booking.online': 'Online',
  'booking.about.O': 'See a doctor or nurse practitioner at the clinic.',
  'booking.about.P': 'A doctor or nurse practitioner calls you.',
  'booking.about.PP': "A doctor calls you. For care that your health plan doesn't cover.",
  'booking.about.V': "See a doctor at the clinic. For care that your health plan doesn't cover.",
  'booking.about.I': 'After a crash that you have reported to ICBC.',
  'booking.about.D': 'The exam and the form for your driver licence.',
  'booking.about.M': 'The exam required for your immigration application.',
  'booking.about.G': 'Other exams for your immigration application.',
  'booking.about.F': 'Renew a medication you already take.',
  'booking.medicationHint':
    'Medication refills are handled on a separate site. Select Next to go there.',
  'booking.day': 'Day',
  'booking.dayHint':
    'Show times from this day on. You can book up to 90 days ahead. A dot marks a day with available times.',
  'booking.dayOpen': 'times available',
  'booking.dayFull': 'no times available',
  'booking.openCalendar': 'Choose from a calendar',
  'booking.calendarTitle': 'Choose a day',
  'booking.chooseThisDay': 'Show this day',
  'booking.doctor': 'Doctor',
  'booking.earliest': 'Earliest available doctor',
  'booking.earliestHint': 'See every doctor with an opening that day.',
  'booking.doctorNote': 'Note: {comment}',
  'booking.notAvailable': 'Not available',
  'booking.practitionerOnly':
    'Nurse practitioners offer in-person visits and phone consultations only. Choose another doctor to see all types.',
  'booking.anyDoctor': 'Show all types',
  'booking.checking': 'Checking...',
  'booking.typeMissing': 'Please choose the appointment type first.',
  'booking.doctorMissing': 'Please choose a doctor or the earliest available doctor.',
  'booking.loadFailed': "We couldn't load the doctors.",

  // the same again
  'booking.againTitle': 'Same as last time?',
  'booking.againWhat': '{description} with {doctor}',
  'booking.again': 'Book again',
  'booking.againLooking': 'Looking for the next available time…',
  'booking.againNone': 'Choose your time on the next page.',

  // step 2
  'booking.slotsTitle': 'Booking {what}',
  'booking.slotsTitleReschedule': 'Reschedule {what}',
  'booking.withDoctor': '{what} with {name}',
  'booking.withInstruction': '{what}: {instruction}',
  'booking.comeToClinic': 'Come to the clinic',
  'booking.providerWillCall': 'Our provider will call you',
  'booking.holding': 'Holding {time} for you…',
  'booking.nextAvailable': 'Next available: {day}, {time} with {doctor}',
  'booking.warning': 'Warning',
  'booking.yes': 'Yes',
  'booking.no': 'No',
  'booking.paused':
    'Times as of {time}. We cannot reach the clinic’s system right now: you can look around, but nothing can be booked. Please try again later or call the clinic.',
  'booking.pausedRefused':
    'Times as of {time}. The clinic’s system does not accept bookings from this page right now: you can look around, but nothing can be booked. Please call the clinic.',

  // what stands beside the steps
  'booking.yourAppointment': 'Your appointment',
  'booking.appointmentType': 'Type',
  'booking.appointmentWhen': 'Time',
  'booking.appointmentWho': 'Provider',
  'booking.appointmentFee': 'Fee',
  'booking.appointmentBring': 'Please bring',
  'booking.appointmentReady': 'Please be ready',
  'booking.appointmentChanges': 'Changes',
  'booking.notChosen': 'Not chosen yet',
  'booking.fromDay': 'From {day}',
  'booking.bringCards': 'Your health card and a photo ID. Arrive 15 minutes early.',
  'booking.phoneReady': 'Keep your phone nearby and the line free.',
  'booking.eitherReady':
    'If you come to the clinic, bring your health card and a photo ID and arrive 15 minutes early. If we call you, keep your phone nearby and the line free.',
  'booking.feeKept': 'Nothing more to pay',
  'booking.moving':
    'You are moving your appointment of {when}. It stays booked until the new time is confirmed.',

  // the hold
  'booking.heldLabel': 'Held for you',
  'booking.untilTime': 'until {time}',
  'booking.noLongerHeld': 'no longer',
  'booking.heldUntil': 'Held for you until {time}',
  'booking.heldLeft': '{minutes}:{seconds} left',
  'booking.heldSoon':
    'This time is held for you for {minutes, plural, =0 {less than a minute} one {one more minute} other {# more minutes}}.',
  'booking.keepLonger': 'Keep it longer',
  'booking.keeping': 'Keeping…',
  'booking.holdLapsed': 'This time is no longer held for you. It may still be available.',
  'booking.holdMoved':
    'You are holding another time, perhaps in another tab or on another device. This time is no longer held for you.',
  'booking.holdReleased':
    'This time was released, perhaps in another tab or on another device. It may still be available.',
  'booking.holdAgain': 'Hold it again',
  'booking.slotLost': 'This time is no longer available. Please choose another.',
  'booking.alreadyYours': 'You have already booked this time: see My Appointments.',
  'booking.youHave': 'You have {description} on {when}.',
  'booking.holdFailed': "We couldn't hold this time for you. Please try again.",
  'booking.holdUnknown':
    'We could not reach the clinic. This time may be held for you: please try again to find out.',

  // step 3
  'booking.confirmTitle': 'Confirm your appointment',
  'booking.weAreChecking': 'We are checking',
  'booking.checkingText':
    "We haven't received the clinic's answer. Please wait while we check what happened to your appointment. Nothing will be booked or paid twice.",
  'booking.checkAgain': 'Check again',
  'booking.outcomeUnknown':
    'We could not reach the clinic. Your appointment may have been booked: see My Appointments before you book again.',

  // booked
  'booking.booked': 'Appointment booked',
  'booking.rescheduled': 'Appointment rescheduled',
  'booking.paid': 'Payment Received',
  'booking.toAppointments': 'See My Appointments',

  // continue
  'booking.continueTitle': 'Continue your booking',
  'booking.continueText':
    '{description} with {doctor} on {when}. This time is held for you until {until}.',
  'booking.payTitle': 'Pay to book this time',
  'booking.payText':
    'The clinic holds {description} with {doctor} on {when} for you, until {until}. It is booked once you have paid its fee. If you do not, nothing is booked and nothing is charged.',
  'booking.continue': 'Continue',
  'booking.giveBack': 'Release this time',
  'booking.givingBack': 'Releasing this time…',
  'booking.released': 'The time is released.',
  'booking.stillHeld':
    "We don't know yet whether the time was released. Please try again in a moment.",
} as const;
