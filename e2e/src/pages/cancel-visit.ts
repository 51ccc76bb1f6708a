import { Screen } from './screen.ts';

/** The screen that asks before a visit is cancelled (§2 My Appointments). */
export class CancelVisit extends Screen {
  static readonly heading = 'Cancel Appointment';
}
