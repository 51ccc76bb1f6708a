import { Screen } from './screen.ts';

/** The screen that asks before an appointment is cancelled (§2 My Appointments). */
export class CancelAppointment extends Screen {
  static readonly heading = 'Cancel Appointment';
}
