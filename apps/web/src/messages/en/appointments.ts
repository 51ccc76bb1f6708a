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
  'appointments.noDoctor': 'N/A',
  'appointments.code': 'Appointment code',
  'appointments.feePaid': 'Fee paid',
  'appointments.dayAtTime': '{day} at {time}',
  'appointments.status.registered': 'Registered at the clinic',
  'appointments.status.rescheduled': 'Moved to another time',
  'appointments.status.no-show': 'Missed',
  'appointments.cancel': 'Cancel Appointment',
  'appointments.reschedule': 'Reschedule Appointment',

  'appointments.cancelTitle': 'Cancel Appointment',
  'appointments.cancelQuestion': 'Are you sure you wish to cancel this appointment?',
  'appointments.back': 'Back',
  'appointments.confirmCancel': 'Confirm Cancellation',
  'appointments.cancelling': 'Cancelling…',
  'appointments.cancelFailed': 'An unknown error has occurred',
  'appointments.checking': 'We are checking',
  'appointments.cancelUnknown':
    'We could not reach the clinic. Your appointment may have been cancelled: see My Appointments before you try again.',
  'appointments.cancelDone': 'Your appointment is cancelled.',

  'appointments.warning': 'Warning',
  'appointments.rescheduleQuestion': 'Are you sure you want to reschedule your appointment ?',
  'appointments.rescheduleYes': 'Yes, reschedule appointment',
  'appointments.rescheduleNo': 'No, do not reschedule appointment',
} as const;
