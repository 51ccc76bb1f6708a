/** Words of the payment step, of its card forms, and of the payment success page. */
export const payment = {
  'pay.title': 'Pay for Appointment',
  'pay.acceptFee': 'I accept the fee',
  'pay.total': 'Total',
  'pay.explained':
    'Your appointment is booked as soon as the fee is paid. The fee is non-refundable. Your card number goes to the card payment provider and never to the clinic.',
  'pay.byCard': 'Pay by card',
  'pay.card': 'Card',
  'pay.number': 'Card number',
  'pay.expiry': 'Expiry (MM/YY)',
  'pay.cvc': 'CVC',
  'pay.payOnline': 'Pay Online',
  'pay.paying': 'Paying…',
  'pay.notPaid': 'Not paid yet',
  'pay.failed': 'Payment processing failed',
  'pay.unknownError': 'An unknown error has occurred. Please try again.',
  'pay.formLoading': 'Loading the card form…',
  'pay.formFailed': 'The card form could not be loaded. You have not been charged.',
  'pay.formNotReady': 'The card form is still loading. Please wait a moment, then try again.',
  'pay.unavailable':
    "We can't take cards online right now. Please call or write to the clinic for help.",
  'pay.receipt': 'You paid {fee}.',
  'pay.receiptOf': 'You paid {fee}. Payment reference: {reference}',

  // the practice form
  'pay.practiceTitle': 'Practice card form',
  'pay.practiceText':
    'No money moves here. Never type a real card number. These practice cards work with any future expiry date and any CVC:',
  'pay.practiceAccepted': 'is accepted',
  'pay.practiceBank': 'asks the practice bank first',
  'pay.practiceDeclined': 'is declined',
  'pay.practiceInsufficient': 'has insufficient funds',
  'pay.practiceExpired': 'has expired',
  'pay.practiceNumber': 'Only the practice card numbers above work. Never type a real card number.',
  'pay.practiceExpiry': 'Please enter an expiry date that has not passed, such as 12/30',
  'pay.practiceCvc': 'Please enter three digits for the CVC',

  // the appointment that was booked, on Booked and on the success page
  'booking.bookedText': '{description} with {doctor} on {when}.',
  'booking.sinceCancelled': 'Appointment cancelled',
  'booking.sinceCancelledText':
    'This appointment has been cancelled since you booked it: {appointment}',
  'booking.sinceMoved': 'Appointment moved',
  'booking.sinceMovedText':
    'This appointment has been moved to another time since you booked it: {appointment}',
  'booking.addToCalendar': 'Add to calendar',
  'booking.bookedFor': 'For {name}.',
  'booking.showMap': 'Show on a map',

  // the success page
  'payment.confirming': 'Confirming your payment...',
  'payment.oneMoment': 'One moment…',
  'payment.success': 'Appointment Booked Successfully!',
  'payment.appointment': '{description} on {when}.',
  'payment.whatsNext': "What's Next",
  'payment.nextEmail': 'You will receive a confirmation email shortly.',
  'payment.nextDetails': 'Check the details in your account, under My Appointments.',
  'payment.nextEarly': 'Arrive 15 minutes early.',
  'payment.nextBring': 'Bring a photo ID and your care card.',
  'payment.nextPhone': 'Keep your phone nearby at that time: our provider will call you.',
  'payment.changes':
    'If you need to make any changes, please call the clinic at least 24 hours ahead.',
  'payment.lookThere': 'Check My Appointments to see your booking',
  'payment.toAppointments': 'Continue to Appointments',
  'payment.failure': 'Payment Confirmation Error',
  'payment.changed': 'Your appointment has changed',
  'payment.undecided': 'Not confirmed yet',
  'payment.failed': 'Payment confirmation failed',
  'payment.unreachable': 'Payment confirmation error. Please contact support.',
  'payment.httpError': 'HTTP error with status {status}',
  'payment.anotherCard':
    'Your time may still be held for you. Return to Home to continue your booking with another card.',
  'payment.contact': 'How to reach the clinic',
  'payment.returnHome': 'Return to Home',
} as const;
