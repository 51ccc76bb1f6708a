/** Words of the booking flow (§2 Booking steps 1 to 3, booked). */
export const booking = {
  'booking.title': 'Book Appointment',
  'booking.stepType': 'Type',
  'booking.stepTime': 'Time',
  'booking.stepConfirm': 'Confirm',
  'booking.stepPay': 'Pay',
  'booking.stepDone': 'Done',
  'booking.next': 'Next',
  'booking.back': 'Back',
  'booking.lost': 'Your choices are kept.',

  // step 1
  'booking.chooseType': 'Please choose appointment type:',
  'booking.rescheduleTitle': 'Reschedule {description} Appointment',
  'booking.type': 'Appointment type',
  'booking.typeLocked': 'The type stays as it is when you reschedule.',
  'booking.noTypes':
    'No appointment type is open for you online. Please contact the clinic to book.',
  'booking.noFee': 'No fee',
  'booking.inPerson': 'In person',
  'booking.byPhone': 'By phone',
  'booking.online': 'Online',
  'booking.about.O': 'See a doctor or nurse practitioner at the clinic.',
  'booking.about.P': 'A doctor or nurse practitioner calls you.',
  'booking.about.PP': 'A doctor calls you. For visits that are not covered.',
  'booking.about.V': 'See a doctor at the clinic. For visits that are not covered.',
  'booking.about.I': 'After a crash that you have reported to the auto insurer.',
  'booking.about.D': 'The examination and the form for your driver licence.',
  'booking.about.M': 'The examination that immigration asks for.',
  'booking.about.G': 'Other examinations for immigration.',
  'booking.about.F': 'More of a medication that you already take.',
  'booking.medicationHint':
    'Medication refills are handled on a separate site. Next takes you there.',
  'booking.day': 'Day',
  'booking.dayHint': 'The first day to look at. You can book up to 90 days ahead.',
  'booking.openCalendar': 'Choose from a calendar',
  'booking.calendarTitle': 'Choose a day',
  'booking.chooseThisDay': 'Show this day',
  'booking.dayChosen': '{day}',
  'booking.doctor': 'Doctor',
  'booking.earliest': 'Earliest available doctor',
  'booking.earliestHint': 'Shows the times of everybody who is free that day.',
  'booking.doctorNote': 'Note: {comment}',
  'booking.notAvailable': 'Not available',
  'booking.practitionerOnly':
    'A nurse practitioner gives in-person visits and phone consultations. Choose another doctor to see all types.',
  'booking.anyDoctor': 'Show all types again',
  'booking.checking': 'Checking...',
  'booking.typeMissing': 'Please choose the appointment type first.',
  'booking.doctorMissing': 'Please choose a doctor or the earliest available doctor.',
  'booking.loadFailed': 'The doctors could not be loaded.',
  'booking.notOpenTitle': 'Online booking of this type is not open yet',
  'booking.notOpenEarly':
    'You can look at the times for {description}, but please call or write to the clinic to book one.',
  'booking.notOpenLate':
    'We cannot finish this booking online yet. Please call or write to the clinic: they will book this time with you.',
  'booking.notOpenKept': 'This time stays held for you until {time}.',
  'booking.notOpenOther': 'Choose another type',

  // step 2
  'booking.slotsTitle': 'Booking {what}',
  'booking.slotsTitleReschedule': 'Reschedule {what}',
  'booking.withDoctor': '{what} with {name}',
  'booking.withInstruction': '{what}: {instruction}',
  'booking.comeToClinic': 'Come to the clinic',
  'booking.providerWillCall': 'Our provider will call you',
  'booking.provider': 'Provider {name}',
  'booking.nextDay': 'Next Day',
  'booking.nextDays': 'Next 5 Days',
  'booking.dayBefore': 'Day before',
  'booking.daysBefore': '5 days before',
  'booking.scrollDown': 'Please scroll down to view more.',
  'booking.patience': 'Please be patient. This may take a while.',
  'booking.freeOn': 'Free times on {day}',
  'booking.freeFrom': 'Free times from {from} to {to}',
  'booking.pacificTime': 'All times are Pacific time.',
  'booking.freeCount': '{count, plural, one {# free time.} other {# free times.}}',
  'booking.columns': 'Show one day or provider',
  'booking.columnCount': '{count}',
  'booking.columnSpoken':
    '{head}, {count, plural, =0 {no free times} one {# free time} other {# free times}}',
  'booking.morning': 'Morning',
  'booking.afternoon': 'Afternoon',
  'booking.evening': 'Evening',
  'booking.noTimes': 'No free times',
  'booking.chip': '{time}, {day}, {provider}',
  'booking.chipTaken': '{time}, {day}, {provider}, just taken by somebody else',
  'booking.chipKeys': 'Use the arrow keys to move between the times of a column.',
  'booking.holding': 'Keeping {time} for you…',
  'booking.empty':
    'There are no appointments available for the parameters you selected. Please choose another day, doctor or appointment type.',
  'booking.nextAvailable': 'Next available: {day}, {time} with {doctor}',
  'booking.warning': 'Warning',
  'booking.noneOnDay':
    'No appointments available on {date}. Do you want to search for an appointment on a DIFFERENT day?',
  'booking.noneInRange':
    'No appointments available on {date}. Do you want to search for an appointment on a DIFFERENT date range?',
  'booking.range': '{from} - {to}',
  'booking.yes': 'Yes',
  'booking.no': 'No',
  'booking.searchFailed': 'The free times could not be loaded.',
  'booking.primaryUnknown':
    'We could not check your family doctor at our clinic. The times of doctors who only see patients with an active doctor at our clinic are not shown.',

  // your visit
  'booking.yourVisit': 'Your visit',
  'booking.visitType': 'Type',
  'booking.visitWhen': 'Time',
  'booking.visitWho': 'Provider',
  'booking.visitFee': 'Fee',
  'booking.visitBring': 'Please bring',
  'booking.visitReady': 'Please be ready',
  'booking.visitCancelling': 'Cancelling',
  'booking.notChosen': 'Not chosen yet',
  'booking.fromDay': 'From {day}',
  'booking.bringCards': 'Your health card and a photo ID. Arrive 15 minutes early.',
  'booking.phoneReady': 'Keep your phone near you and free.',
  'booking.cancelRule': 'Up to 6 hours before, in My Appointments.',
  'booking.cancelRuleFee': 'Up to 6 hours before, in My Appointments. The fee is not given back.',
  'booking.cancelRulePaid': 'Not possible once paid. You can reschedule up to 24 hours before.',
  'booking.feeKept': 'Nothing more to pay',
  'booking.moving': 'You are moving your visit. It stays booked until the new time is confirmed.',

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
  'booking.holdLapsed': 'This time is no longer held for you. It may still be free.',
  'booking.holdAgain': 'Hold it again',
  'booking.slotLost': 'Somebody else has just taken this time. Please choose another one.',
  'booking.holdFailed': 'We could not keep this time for you. Please try again.',

  // step 3
  'booking.confirmTitle': 'Confirm your appointment',
  'booking.when': 'Time',
  'booking.who': 'Provider',
  'booking.patient': 'Patient',
  'booking.what': 'Type',
  'booking.privacyTitle': 'Privacy',
  'booking.privacy':
    'Only the patient, a guardian or immediate family may book this appointment. Booking for anybody else is not allowed.',
  'booking.reason.reason.label': 'Reason for the visit',
  'booking.reason.reason.name': 'reason for the visit',
  'booking.reason.reason.placeholder': 'For example: cough for two weeks',
  'booking.reason.reason.hint':
    'A few words help the doctor to prepare. Only the clinic reads them.',
  'booking.reason.claimNumber.label': 'Injury claim number',
  'booking.reason.claimNumber.name': 'injury claim number',
  'booking.reason.claimNumber.placeholder': 'For example: AB123456',
  'booking.reason.claimNumber.hint': 'The injury claim number, not the vehicle claim number.',
  'booking.reason.licenceNumber.label': 'Driver licence number',
  'booking.reason.licenceNumber.name': 'driver licence number',
  'booking.reason.licenceNumber.placeholder': 'For example: 1234567',
  'booking.reason.licenceNumber.hint': 'The number on your driver licence.',
  'booking.reasonEmpty': 'Please enter {label}',
  'booking.reasonTooShort': 'The minimum length of {label} is {n}',
  'booking.reasonTooLong': 'The maximum length of {label} is {n}',
  'booking.working': 'One moment…',
  'booking.bookingNow': 'Booking…',
  'booking.notBooked': 'Not booked yet',
  'booking.tryAgainKept': 'What you entered is kept. You can try again.',
  'booking.demographicFailed': 'Get demographic failed.',
  'booking.secondValidation': 'Error occurred on second validation.',
  'booking.stateFailed': 'Cannot get selected appointment state.',
  'booking.createFailed': 'Error ocurred while booking the appointment.',
  'booking.oldNotCancelled':
    'Appiontment rescheduled successfully but failed to cancel previous appointment, please cancel the appointment in my appointment tab.',

  // Appointment Details
  'booking.details': 'Appointment Details',
  'booking.detailsIntro': 'Please read this before you book:',
  'booking.detailsAccount':
    'This appointment is for {name} only. One appointment is for one person.',
  'booking.detailsEarly':
    'Please arrive 15 minutes early and bring your health card and a photo ID.',
  'booking.detailsPhone':
    'Our provider will call the phone number in your account. The call can come a little before or after the time.',
  'booking.detailsCancel':
    'You can cancel or reschedule in My Appointments: cancel up to 6 hours before, reschedule up to 24 hours before.',
  'booking.detailsCancelFee':
    'You can cancel or reschedule in My Appointments: cancel up to 6 hours before, reschedule up to 24 hours before. The fee is not given back.',
  'booking.detailsCancelPaid':
    'Once paid it cannot be cancelled, and the fee is not given back. You can reschedule in My Appointments up to 24 hours before.',
  'booking.detailsNoShow': 'If you do not come and have not cancelled, a No Show fee may apply.',
  'booking.detailsSoon':
    'This appointment starts within 6 hours. It cannot be cancelled, and a No Show fee applies if you do not come.',
  'booking.detailsSoonFee':
    'This appointment starts within 6 hours. It cannot be cancelled, and a No Show fee of {fee} applies if you do not come.',
  'booking.agree': 'Agree',
  'booking.cancel': 'Cancel',

  // booked
  'booking.booked': 'Appointment booked',
  'booking.rescheduled': 'Appointment rescheduled',
  'booking.paid': 'Payment Received',
  'booking.bookedText': 'Your {description} with {doctor} is on {when}.',
  'booking.bookedMail': 'We have sent a confirmation to {email}.',
  'booking.bookedCancel':
    'If you cannot come, please cancel in My Appointments at least 6 hours before, so that somebody else can have the time.',
  'booking.bookedCancelFee':
    'If you cannot come, please cancel in My Appointments at least 6 hours before. The fee is not given back.',
  'booking.bookedCancelPaid':
    'A paid visit like this one cannot be cancelled. You can reschedule it in My Appointments up to 24 hours before.',
  'booking.bookedNoCancel': 'This visit starts soon and can no longer be cancelled online.',
  'booking.addToCalendar': 'Add to calendar',
  'booking.whatNext': 'What next',
  'booking.nextMail': 'Look out for the confirmation in your e-mail.',
  'booking.nextEarly': 'Arrive 15 minutes early.',
  'booking.nextBring': 'Bring your health card and a photo ID.',
  'booking.nextPhone': 'Keep your phone near you at that time: our provider will call you.',
  'booking.returnHome': 'Return to Home',
  'booking.toAppointments': 'See My Appointments',
  'booking.calendarSummary': 'Appointment at {clinic}',
  'booking.calendarText': '{when}, Pacific time. Questions: {phone}, {email}',

  // continue
  'booking.continueTitle': 'Continue your booking',
  'booking.continueText':
    '{description} with {doctor} on {when}. This time is held for you until {until}.',
  'booking.continue': 'Continue',
  'booking.giveBack': 'Give this time back',
} as const;
