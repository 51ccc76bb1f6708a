/** Terms of Use, version 2.0: a draft for the clinic's counsel, heading by heading. */
export const termsOfUse = {
  'terms.use': 'Who may use this service',
  'terms.use.patients':
    '{clinicName} offers this website so that its patients can book their own appointments. You must be at least 19 years old, or the authorized representative of the patient.',
  'terms.use.onePerson':
    'Each account is for one person. A child needs an account of their own, with their own health card. Booking on behalf of an agency or an institution is not allowed, and such accounts are blocked.',

  'terms.emergency': 'Not for emergencies or medical advice',
  'terms.emergency.call':
    'Do not use this website in an emergency: call 911 or go to the nearest emergency department. Nothing on this website is medical advice.',

  'terms.appointments': 'Appointments',
  'terms.appointments.coming':
    'For an appointment at the clinic, please arrive 15 minutes early, with a photo ID and your care card. For an appointment by phone, keep your phone nearby: our provider will call you. The information you give when you book must be true and complete.',
  'terms.appointments.cancelling':
    'An appointment can be cancelled online up to 6 hours before it starts, unless {highFee} or more was paid for it or it is a private appointment that My Appointments shows as one that cannot be cancelled. A fee that was paid is not refunded when you cancel.',
  'terms.appointments.rescheduling':
    'An appointment can be rescheduled online up to 24 hours before it starts, where My Appointments offers it. The fee you paid moves with it.',

  'terms.fees': 'Fees',
  'terms.fees.kept':
    'Fees are non-refundable. A paid appointment can be rescheduled only through this website. A missed appointment is not rescheduled.',
  'terms.fees.noShow':
    '{noShowFee, select, none {Within 6 hours of its start an appointment cannot be cancelled, and a No Show fee applies if you miss it.} other {Within 6 hours of its start an appointment cannot be cancelled, and a No Show fee of {noShowFee} applies if you miss it.}}',
  'terms.fees.wrongTime':
    'A driver medical that was booked at the wrong time costs {wrongTimeFee}.',

  'terms.disputes': 'Disputes',
  'terms.disputes.mediation':
    'We would like to settle any disagreement by talking. If this does not help, it goes to mediation, which ends 30 days after the mediator is appointed unless both sides agree otherwise. The laws of British Columbia apply.',
  'terms.disputes.questions': 'Questions about these terms: {clinicEmail}.',
} as const;
