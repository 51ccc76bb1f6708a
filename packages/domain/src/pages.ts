// The pages by name. The service answers each with its app, whose routes and links are made of them by `pathTo`.
// `:name` is one part of a path, `:name?` one that may be missing.

export * as patientPages from './patient-pages.ts';

/** Where the pages of the desk stand. */
export const DESK = '/desk';

export const deskPages = {
  start: '/',
  myDay: '/my-day',
  today: '/day',
  day: '/day/:date',
  providerWeek: '/day/week/:providerId/:date',
  patients: '/patients',
  patient: '/patients/:id',
  messages: '/messages',
  suggestions: '/messages/suggestions',
  schedule: '/schedule',
  closing: '/schedule/closings/:id',
  week: '/schedule/weeks/:providerId',
  money: '/money',
  reports: '/reports',
  setUp: '/setup',
  clinic: '/setup/clinic',
  texts: '/setup/texts',
  text: '/setup/texts/:kind',
  tables: '/setup/tables',
  audit: '/audit',
  print: '/print/:date',
  ownSignIn: '/your-sign-in',
} as const;
