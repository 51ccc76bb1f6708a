// All that comes after step 1, in one piece: whoever presses there needs the rest.
export { Booked } from './booked/booked.tsx';
export { Confirm } from './confirm/confirm.tsx';
export { Payment } from './payment/payment.tsx';
export { PickSlot } from './slots/pick-slot.tsx';
