import { payment } from '../../../messages/en/payment.ts';
import { loadMessages } from '../../../messages/t.ts';

// Several steps name the fee; the first of them loads these words.
await loadMessages({ payment });
