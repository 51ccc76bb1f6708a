/** Words of My Appointments (§2 My Appointments). */
export const appointments = {
  'appointments.title': 'My Appointments',
} as const;
