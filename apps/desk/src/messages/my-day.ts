/** A clinician's own day. */
export const myDay = {
  'desk.own.week': 'My week',
  'desk.own.list': 'Your patients',
  'desk.own.keys':
    'Arrow keys go from one patient to another, Enter shows why one comes. A notes that they arrived, R that they are in the room, S that they were seen.',
  'desk.own.keysShort': 'A arrived, R in the room, S seen, Enter why they come',
  'desk.own.none': 'You have no patients today.',
  'desk.own.counts':
    '{ahead, plural, one {# patient to be seen} other {# patients to be seen}}, {waiting, plural, =0 {nobody waits} one {# waits} other {# wait}}',
  'desk.own.slot': '{type}, {minutes} min',
  'desk.own.late': '{n} min late',
  'desk.own.waits': 'waits {n} min',
  'desk.own.inRoom': 'for {n} min',
  'desk.own.noteOf': '{what}: {name}',
  'desk.own.noted': '{name}: {what}.',

  'desk.own.forDesk': 'For the front desk',
  'desk.own.onTime': 'On time',
  'desk.own.minLate': '{n} min late',
  'desk.own.lateSaid': 'The front desk sees that you run {n} min late, until midnight.',
  'desk.own.onTimeSaid': 'The front desk sees that you are on time.',

  'desk.own.book': 'Book a follow-up',
  'desk.own.wish': 'Note a follow-up',
  'desk.own.wishTitle': 'A follow-up of {name}',
  'desk.own.wishAbout':
    'It stands on their card as due until it is booked. Nobody is told: the front desk books it when they leave or call.',
  'desk.own.wishWhen': 'When',
  'desk.own.wishWhen.any': 'At any time',
  'desk.own.wishWhen.weeks': 'In {n, plural, one {# week} other {# weeks}}',
  'desk.own.wishWhen.months': 'In {n, plural, one {# month} other {# months}}',
  'desk.own.wishFrom': 'From {day} on, with you.',
  'desk.own.wishNoted': 'Noted: a follow-up of {name}.',
  'desk.own.openRecord': 'Record',
} as const;
