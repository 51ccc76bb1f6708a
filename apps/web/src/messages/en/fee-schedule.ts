/** Fee Schedule: a draft for the clinic's counsel, heading by heading; the amounts stand beside. */
export const feeSchedule = {
  'fees.appointments': 'Appointments',
  'fees.appointments.currency': 'All amounts are in Canadian dollars.',
  'fees.free': 'Free',
  'fees.row.bcCard': 'With a valid BC Services Card',
  'fees.row.otherProvince':
    'With a valid health card of another province (not Quebec): non-refundable booking fee, only car crash appointments',
  'fees.row.noCard': 'Non-resident, invalid BC or other card, or Quebec card',

  'fees.other': 'Other services',
  'fees.row.driverMedical': 'Driver medical exam, booked online (regular {regularFee})',
  'fees.row.wrongTime': 'Driver medical at the wrong time',
  'fees.row.sickNote': 'Sick note',

  'fees.booking': 'Booking fee',
  'fees.booking.kept':
    'The booking fee is non-refundable: {noCardFee} if the BC card has incorrect information, or for a Quebec, other or non-Canadian card; {bookingFee} otherwise; {wrongBirthDateFee} for a wrong date of birth.',

  'fees.changes': 'Changes and missed appointments',
  'fees.changes.kept':
    'Fees are non-refundable. A paid appointment can be rescheduled only through this website, and a missed appointment is not rescheduled.',
  'fees.changes.noShow':
    '{noShowFee, select, none {Within 6 hours of its start an appointment cannot be cancelled and a No Show fee applies.} other {Within 6 hours of its start an appointment cannot be cancelled and a No Show fee of {noShowFee} applies.}}',
} as const;
