import { Screen } from './screen.ts';

/** The practice bank's 3-D Secure page. */
export class PracticeBank extends Screen {
  static readonly heading = 'Practice bank';
}

/** §2 Payment success page: success. */
export class PaymentSuccess extends Screen {
  static readonly heading = 'Appointment Booked Successfully!';
}

/** §2 Payment success page: failure. */
export class PaymentFailure extends Screen {
  static readonly heading = 'Payment Confirmation Error';
}
