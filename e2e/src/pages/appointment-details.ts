import { Booked } from './booked.ts';
import { Dialog } from './dialog.ts';
import { Payment } from './payment.ts';

/** The modal Appointment Details (§2 Booking step 3). */
export class AppointmentDetails extends Dialog {
  async agree(): Promise<Booked> {
    await this.press('Agree');
    return Booked.arrive(this.page);
  }

  /** The same for an appointment with a fee. */
  async agreeToPay(): Promise<Payment> {
    await this.press('Agree');
    return Payment.arrive(this.page);
  }
}
