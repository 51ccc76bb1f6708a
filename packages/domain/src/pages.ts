// The pages by name. The service answers each with its app, whose routes and links are made of them. `:name` is one
// part of a path, `:name?` one that may be missing.

export const patientPages = {
  booking: '/',
  login: '/login',
  signUp: '/register',
  recovery: '/resetPassword',
  account: '/account',
  appointments: '/appointments',
  walkIn: '/walkin',
  paid: '/booking/payment/success',
  tokenLogin: '/auth',
  tokenLink: '/auth/:token/:selectedAppType?',
  accountLink: '/confirm/account',
  addressChange: '/confirm/change',
} as const;

/** Where the pages of the desk stand. */
export const DESK = '/desk';

export const deskPages = {
  start: '/',
  today: '/day',
  day: '/day/:date',
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
  ownSignIn: '/your-sign-in',
} as const;

type Parameter<Page extends string> = Page extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameter<Rest>
  : Page extends `${string}:${infer Name}`
    ? Name extends `${infer Optional}?`
      ? Optional
      : Name
    : never;

/** The path to a page with parameters, and the query behind it. */
export function pathTo<Page extends string>(
  page: Page,
  params: Readonly<Record<Parameter<Page>, string>>,
  query: Readonly<Record<string, string>> = {},
): string {
  const path = page.replaceAll(/:(\w+)\??/g, (_, name: Parameter<Page>) =>
    encodeURIComponent(params[name]),
  );
  const search = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return [path, ...(search.length > 0 ? [search.join('&')] : [])].join('?');
}
