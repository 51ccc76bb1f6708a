import { randomBytes } from 'node:crypto';

/** What a small clinic sets to run the service as built, but for its database and port. */
export const smallClinic = () => ({
  NODE_ENV: 'production',
  PATH: process.env['PATH'],
  PUBLIC_URL: 'https://booking.kerrisdalepractice.ca',
  KEYRING: JSON.stringify({
    current: 'k1',
    index: 'k1',
    keys: { k1: randomBytes(32).toString('base64') },
  }),
  SMTP_URL: 'smtp://127.0.0.1:2525',
  MAIL_FROM: 'Kerrisdale Family Practice <booking@kerrisdalepractice.ca>',
  CLINIC_NAME: 'Kerrisdale Family Practice',
  CLINIC_EMAIL: 'office@kerrisdalepractice.ca',
  CLINIC_PHONE: '604-261-4500',
  CLINIC_ADDRESS: '2130 West 41st Avenue, Vancouver, BC V6M 1Z1',
  WALK_IN_HOURS: 'Saturday: 10am to 1pm',
  BOOKING_FEE: '10.00',
  NO_SHOW_FEE: '50.00',
});
