/** Words of the pages and dialogs that few patients open. */
export const pages = {
  'page.notFoundTitle': 'Page not found',
  'page.notFound': 'The page you requested is not found.',
  'page.notFoundWays': 'You may have been looking for one of these:',
  'page.registerTitle': 'Sign Up',
  'walkIn.title': 'Walk-in information',
  'walkIn.intro': 'You can come without an appointment during these hours.',
  'walkIn.days': 'Days',
  'walkIn.hours': 'Hours',
  'walkIn.advice':
    'How soon we can see you depends on how many patients are already waiting. Please bring your health card and a photo ID. In an emergency, call 911 or go to the nearest emergency department.',
  'walkIn.book': 'Would you rather have a set time?',
} as const;
