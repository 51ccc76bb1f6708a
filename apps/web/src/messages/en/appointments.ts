/** Words of My Appointments. */
export const appointments = {
  'appointments.title': 'My Appointments',
  'appointments.bannerPrivate':
    'Private appointments cannot be cancelled and can be rescheduled up to 24 hours before.',
  'appointments.bannerOthers':
    'Paid appointments cannot be cancelled but can be rescheduled up to 24 hours before; non-paid ones can be cancelled or rescheduled up to 6 hours before.',
  'appointments.loading': 'Loading your appointments…',
  'appointments.upcoming': 'Upcoming',
  'appointments.previous': 'Previous',
  'appointments.cancelled': 'Cancelled',
  'appointments.count': '({count})',
  'appointments.noUpcoming': 'No upcoming appointments',
  'appointments.noPrevious': 'No previous appointment history',
  'appointments.noCancelled': 'No cancelled appointments',
  'appointments.book': 'Book an appointment',
  'appointments.older': 'Show appointments from more than 24 months ago',
  'appointments.notRenewed':
    'This list could not be loaded again. It shows your appointments as they were a while ago.',
  'appointments.noDoctor': 'N/A',
  'appointments.typeAndTime': '{type}, {when}',
  'appointments.code': 'Appointment code',
  'appointments.feePaid': 'Fee paid',
  'appointments.receipt': 'Receipt',
  'appointments.noReceipt':
    'There is no receipt: nothing was paid online for this appointment, or what was paid was given back.',
  'appointments.receipts': 'Receipts',
  'appointments.noReceipts': 'No receipts',
  'appointments.receiptPaid': '{amount}, paid on {when}',
  'appointments.receiptClinic': 'Clinic',
  'appointments.receiptPatient': 'Patient',
  'appointments.receiptFor': 'For',
  'appointments.receiptAppointment': '{type}, {when}, {doctor}',
  'appointments.receiptPaidOn': 'Paid on',
  'appointments.receiptReference': 'Reference',
  'appointments.print': 'Print or save as PDF',
  'appointments.dayAtTime': '{day} at {time}',
  'appointments.status.confirming': 'The clinic is confirming your appointment',
  'appointments.status.cancelling':
    'Cancellation sent to the clinic, which has not confirmed it yet',
  'appointments.giveUp': 'Give up this appointment',
  'appointments.givingUp': 'Giving it up…',
  'appointments.givenUp':
    'You have given up the appointment. It is not booked, and you have not been charged.',
  'appointments.giveUpUnknown':
    'The clinic does not answer at the moment. Please try again in a few minutes.',
  'appointments.status.registered': 'Registered at the clinic',
  'appointments.status.rescheduled': 'Moved to another time',
  'appointments.movedTo': 'Moved to {when}',
  'appointments.status.no-show': 'Missed',
  'appointments.cancel': 'Cancel Appointment',
  'appointments.reschedule': 'Reschedule Appointment',

  'appointments.cancelTitle': 'Cancel Appointment',
  'appointments.movedByClinic': 'The clinic moved this appointment.',
  'appointments.cancelQuestion': 'Are you sure you wish to cancel this appointment?',
  'appointments.back': 'Back',
  'appointments.confirmCancel': 'Confirm Cancellation',
  'appointments.cancelling': 'Cancelling…',
  'appointments.cancelFailed': 'An unknown error has occurred',
  'appointments.checking': 'We are checking',
  'appointments.cancelUnknown':
    'We could not reach the clinic. Your appointment may have been cancelled: see My Appointments before you try again.',
  'appointments.cancelDone': 'Your appointment is cancelled.',
  'appointments.nowCancelled': 'This appointment has been cancelled.',
  'appointments.nowChanged': 'This appointment has changed since you opened this page.',
  'appointments.notCancelledMoved':
    'Nothing was cancelled: your appointment had been moved to another time, which stands.',

  'appointments.warning': 'Warning',
  'appointments.rescheduleQuestion': 'Are you sure you want to reschedule your appointment ?',
  'appointments.rescheduleYes': 'Yes, reschedule appointment',
  'appointments.rescheduleNo': 'No, do not reschedule appointment',
} as const;
