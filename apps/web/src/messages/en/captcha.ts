/** Words of the check for bots. */
export const captcha = {
  'captcha.label': "Check that you're not a bot",
  'captcha.checking': 'Checking your browser. This takes a moment…',
  'captcha.done': "Checked: you're not a bot.",
  'captcha.failed': "We couldn't check that you're not a bot.",
} as const;
