import type { ClinicIdentity } from './server/config.ts';

/** The practice clinic as its patients see it. Production refuses each of these as its own. */
export const inventedClinic: Omit<ClinicIdentity, 'walkInHours'> = {
  name: 'Harbour View Medical Clinic',
  email: 'booking@harbourview.example',
  phone: '604-555-0100',
  address: '1200 Burrard Street, Vancouver, BC V6Z 2C7',
};
