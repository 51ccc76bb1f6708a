import { appointmentFormsFlows } from './appointment-forms-flows.ts';
import { bookingFlows } from './booking-flows.ts';
import type { Flow } from './flow.ts';
import { patientFlows } from './patient-flows.ts';
import { paymentFlows } from './payment-flows.ts';
import { signUpFlows } from './sign-up-flows.ts';
import { visitorFlows } from './visitor-flows.ts';

/** Every screen and state, but for those that move the clinic's clock. */
export const flows = {
  booking: bookingFlows,
  'what appointments ask for': appointmentFormsFlows,
  payment: paymentFlows,
  'pages of a patient': patientFlows,
  'pages of a visitor': visitorFlows,
  'sign-up and links': signUpFlows,
} satisfies Record<string, readonly Flow[]>;

export { lapsingFlows } from './booking-flows.ts';
