/** Words of the login page and of a session that ended. */
export const auth = {
  'auth.title': 'Log in',
  'auth.intro': 'Log in to book, view or cancel your appointments.',
  'auth.email': 'Email',
  'auth.password': 'Password',
  'auth.submit': 'Log in',
  'auth.submitting': 'Logging in…',
  'auth.forgot': 'Forgot Password',
  'auth.signUp': 'Sign Up',
  'auth.newHere': 'New to online booking?',
  'auth.resend': 'Send the link again',
  'auth.failed': "We couldn't log you in.",
  'auth.inactivity': "You've been logged out due to inactivity",
  'auth.ended': 'Your session has ended. Please log in again.',
  'auth.loggedOut': "You're logged out.",
  'auth.dashboard': 'Taking you to the clinic site…',
  'auth.toDashboard': 'Back to the clinic site',
} as const;
