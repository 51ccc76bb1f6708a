import { payment } from '../../../messages/en/payment.ts';
import { loadMessages } from '../../../messages/t.ts';

// Several steps speak of the fee; its words come with the first of them.
await loadMessages({ payment });
