/** Words of the header with the dashboard in use. */
export const dashboard = {
  'dashboard.back': 'Back to the clinic site',
  'dashboard.logout': 'Logout',
} as const;
