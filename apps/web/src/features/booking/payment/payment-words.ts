import { confirm } from '../../../messages/en/confirm.ts';
import { payment } from '../../../messages/en/payment.ts';
import { loadMessages } from '../../../messages/t.ts';

// The steps from confirm on share these words; the first of them loads them.
await loadMessages({ confirm, payment });
