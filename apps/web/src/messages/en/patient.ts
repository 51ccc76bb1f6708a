/** Words that several pages of a signed-in patient share. */
export const patient = {
  'shell.replied': 'The clinic has replied to your message.',
  'shell.newReplies': '{count, plural, one {# new reply} other {# new replies}}',
  'shell.inactivityTitle': 'Are you still there?',
  'shell.inactivityWarning':
    "You'll be logged out in one minute to keep your information private. What you have typed on this page may be lost.",
  'shell.inactivityStay': 'Stay logged in',
  'appointment.length': 'Length',
  'appointment.minutes': '{n, plural, one {# minute} other {# minutes}}',
  'appointment.lasts': '{n, plural, one {# minute} other {# minutes}}, until {end}',
  'appointment.inPerson': 'In person',
  'appointment.byPhone': 'By phone',
  'appointment.byVideo': 'By video',
  'appointment.eitherWay': 'In person or by phone',
} as const;
