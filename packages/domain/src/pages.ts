// The paths that are pages: the service answers each with 200, and the apps have a route for each. `:name` is
// one part of a path, `:name?` one that may be missing.

export const PATIENT_PAGES = [
  '/',
  '/login',
  '/register',
  '/resetPassword',
  '/account',
  '/appointments',
  '/walkin',
  '/booking/payment/success',
  '/auth',
  '/auth/:token/:selectedAppType?',
  '/confirm/account',
  '/confirm/change',
] as const;
export type PatientPage = (typeof PATIENT_PAGES)[number];

/** Below '/desk'. */
export const DESK_PAGES = [
  '/',
  '/day',
  '/day/:date',
  '/patients',
  '/patients/:id',
  '/messages',
  '/messages/suggestions',
  '/schedule',
  '/schedule/closings/:id',
  '/schedule/weeks/:providerId',
  '/money',
  '/reports',
  '/setup',
  '/setup/clinic',
  '/setup/texts',
  '/setup/texts/:kind',
  '/setup/tables',
  '/audit',
  '/your-sign-in',
] as const;
export type DeskPage = (typeof DESK_PAGES)[number];
