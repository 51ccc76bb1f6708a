import { tokenLogin } from '../../messages/en/token-login.ts';
import { loadMessages } from '../../messages/t.ts';

loadMessages(tokenLogin);
