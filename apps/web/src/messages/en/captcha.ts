/** Words of the check for bots. */
export const captcha = {
  'captcha.label': 'Check that you are not a bot',
  'captcha.checking': 'Checking your browser. This takes a moment…',
  'captcha.done': 'Checked. You are not a bot.',
  'captcha.failed': 'We could not check that you are not a bot.',
} as const;
