import { recovery } from '../../messages/en/recovery.ts';
import { loadMessages } from '../../messages/t.ts';

loadMessages(recovery);
