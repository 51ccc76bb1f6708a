/** Words of the login by a link of the clinic's dashboard. */
export const tokenLogin = {
  'token.title': 'Logging you in',
  'token.working': 'Logging you in…',
  'token.failedTitle': 'This login link did not work',
  'token.refused':
    'The link is no longer valid: it works once, within five minutes. Please use a new one.',
  'token.none':
    'This address is not a whole login link: it may have been changed or cut. Please start again from the clinic site, or paste the link below.',
  'token.unreachable': "We can't reach the clinic right now. Please try again.",
  'token.toDashboard': 'Back to the clinic site',
  'token.toLogin': 'Log in',
} as const;
