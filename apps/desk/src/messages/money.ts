/** What was paid, giving it back, and the card company's books. */
export const money = {
  'desk.money.takings': 'Takings by day',
  'desk.money.noTakings': 'Nothing was taken or given back on these days.',
  'desk.money.online': 'Online',
  'desk.money.cash': 'Cash',
  'desk.money.debit': 'Debit card',
  'desk.money.credit': 'Credit card',
  'desk.money.other': 'Another way',
  'desk.money.atClinic': 'At the clinic',
  'desk.money.sum': 'All days',
  'desk.money.payments': 'Payments',
  'desk.money.noPayments': 'There is no such payment on these days.',
  'desk.money.more': 'Only the newest are shown. Choose fewer days.',
  'desk.money.paidAt': 'Paid',
  'desk.money.amount': 'Amount',
  'desk.money.means': 'How',
  'desk.money.state': 'State',
  'desk.money.reference': 'Reference {reference}',
  'desk.money.onlineCard': 'Card, online',
  'desk.money.atClinicBy': 'At the clinic, {means}',
  'desk.money.all': 'All states',
  'desk.money.alarm': 'Look at it at the card company',
  'desk.money.authorised': 'Authorised, not taken yet',
  'desk.money.captured': 'Taken',
  'desk.money.kept': 'Taken, and kept: the patient cancelled',
  'desk.money.backOf': '{amount} given back',
  'desk.money.isNoted': '{amount} of {patient} is noted as given back at the clinic.',
  'desk.money.refunding': 'Refund asked for, not confirmed yet',
  'desk.money.refunded': 'Given back',
  'desk.money.refundFailed': 'Refund failed',
  'desk.money.failed': 'Failed, nothing taken',
  'desk.money.unknown': 'Not settled yet',

  // giving back
  'desk.money.giveBack': 'Give back',
  'desk.money.giveBackOf': 'Give back {amount} of {patient}',
  'desk.money.noteBackOf': 'Fee given back: {amount} of {patient}',
  'desk.money.giveBackTitle': 'Give back {amount}?',
  'desk.money.giveBackAbout':
    '{patient} gets the whole fee back on the card that paid it, and is told by email once the card company has done it. The appointment stays as it is.',
  'desk.money.givingBack': 'Giving back',
  'desk.money.isRefunded': '{amount} was given back to {patient}, who is told by email.',
  'desk.money.isRefunding':
    'The refund of {amount} to {patient} is asked for, and it is not known yet whether the card company has made it. The service goes on asking by itself: do not give the money back in another way.',
  'desk.money.isRefundFailed':
    'The card company could not give {amount} back to {patient}. Look at the payment there.',
  'desk.money.refundUnknown':
    'The clinic did not answer, so it is not known whether the refund is asked for. Press again: it is made once.',

  // reconcile
  'desk.money.reconcile': 'Compare with the card company',
  'desk.money.reconcileAbout':
    'Lays the books of the card company beside ours. What can be settled is settled at once; the service does so by itself, every hour for what is new and once a day for eight days.',
  'desk.money.reconcileDays': 'Days back',
  'desk.money.reconciling': 'Comparing',
  'desk.money.reconciled':
    '{intents} payments at the card company, {payments} here. Taken {taken}, given back {back}.',
  'desk.money.left':
    'After twenty seconds {n, plural, one {# payment was} other {# payments were}} not compared yet. Compare again to go on.',
  'desk.money.noDifferences': 'No differences.',
  'desk.money.differences':
    '{count, plural, one {# difference} other {# differences}}, and what to do about each',
  'desk.money.what': 'Difference',
  'desk.money.payment': 'Payment',
  'desk.money.toDo': 'What to do',
  'desk.money.what.stranger': 'It stands at the card company, and no payment here knows it.',
  'desk.money.what.secondIntent':
    'The card company has the payment twice, and may hold money for this one, too.',
  'desk.money.what.missingIntent': 'The card company does not have it.',
  'desk.money.what.unsettled': 'It was not settled.',
  'desk.money.do.repaired': 'Nothing: it is settled now.',
  'desk.money.do.open': 'Nothing: the service goes on by itself. Compare again in an hour.',
  'desk.money.do.alarm':
    'Look for it in the dashboard of the card company, and tell the operator: nothing settles it by itself.',
  'desk.money.do.stranger':
    'Look for it in the dashboard of the card company. If it was made by hand or by another system, leave it; else tell the operator.',

  // days
  'desk.range': 'Days',
  'desk.range.today': 'Today',
  'desk.range.week': 'Last 7 days',
  'desk.range.month': 'This month',
  'desk.range.lastMonth': 'Last month',
} as const;
