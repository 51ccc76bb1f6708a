/** How the clinic is booked and used. */
export const reports = {
  'desk.reports.download': 'Download figures (CSV)',
  'desk.reports.downloading': 'Making the file',
  'desk.reports.summary':
    '{bookings, plural, one {# appointment} other {# appointments}} of {patients, plural, one {# patient} other {# patients}} on these days. Hours open: {open}. Hours booked: {booked}.',
  'desk.reports.nothing': 'There is nothing on these days.',
  'desk.reports.asTable': 'Show as a table',
  'desk.reports.asPicture': 'Show as a picture',
  'desk.reports.period': 'Booked on',
  'desk.reports.day': 'Day or month',

  'desk.reports.doors': 'Bookings by who made them',
  'desk.reports.doorsAbout': 'By patients themselves: {patient}. By staff for them: {desk}.',
  'desk.reports.byPatient': 'By the patient',
  'desk.reports.byDesk': 'By staff',

  'desk.reports.lead': 'How far ahead appointments are booked',
  'desk.reports.leadMedian':
    'Half of the bookings were made at most {days, plural, one {# day} other {# days}} ahead.',
  'desk.reports.ahead': 'Ahead',
  'desk.reports.bookings': 'Bookings',
  'desk.reports.lead.within': 'Less than a day',
  'desk.reports.lead.days': '{from, plural, one {# day} other {# days}}',
  'desk.reports.lead.span': '{from} to {to} days',
  'desk.reports.lead.more': '{from} days and more',

  'desk.reports.thirdNext': 'Third next available appointment',
  'desk.reports.thirdNextAbout':
    'As of now, in what patients see: how many days until the third free time. The first two may be gaps that a cancellation left.',
  'desk.reports.wait': 'Days',
  'desk.reports.noThird': 'None within the booking window',

  'desk.reports.use': 'Use of the open time',
  'desk.reports.useAbout':
    'Open are the hours of the schedule. Where an EMR keeps it, they are not known here.',
  'desk.reports.open': 'Open hours',
  'desk.reports.inEmr': 'kept in the EMR',
  'desk.reports.booked': 'Booked hours',
  'desk.reports.percent': 'Booked',
  'desk.reports.percentOf': '{percent} %',

  'desk.reports.demand': 'Demand by weekday and hour',
  'desk.reports.demandAbout':
    'Most is asked for on {weekday} from {hour}: {n, plural, one {# appointment} other {# appointments}}. By the start of the appointment, with those that were cancelled.',
  'desk.reports.weekday': 'Weekday',

  'desk.reports.revenue': 'Revenue',
  'desk.reports.revenueAbout':
    'Paid online: {online}. Taken at the clinic: {atClinic}. Given back: {refunded}.',
  'desk.reports.online': 'Online',
  'desk.reports.atClinic': 'At the clinic',
  'desk.reports.refunded': 'Given back',

  'desk.reports.noShows': 'No-show rate',
  'desk.reports.noShowsAbout':
    'Of {n, plural, one {# patient} other {# patients}} who came or did not, {missed, plural, =0 {all came} one {# did not come} other {# did not come}}.',
  'desk.reports.noShowRate': 'Rate',
  'desk.reports.seen': 'Came',
  'desk.reports.noShow': 'Did not come',

  'desk.reports.changes': 'Cancelled and moved, by whom',
  'desk.reports.changesAbout':
    'Cancelled by patients: {patient}. Cancelled by the clinic: {clinic}.',
  'desk.reports.cancelledByPatient': 'Cancelled by the patient',
  'desk.reports.cancelledByClinic': 'Cancelled by the clinic',
  'desk.reports.movedByPatient': 'Moved by the patient',
  'desk.reports.movedByClinic': 'Moved by staff',
} as const;
