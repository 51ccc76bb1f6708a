import { register } from '../../messages/en/register.ts';
import { loadMessages } from '../../messages/t.ts';

await loadMessages({ register });
