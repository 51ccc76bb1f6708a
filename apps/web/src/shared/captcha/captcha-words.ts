import { captcha } from '../../messages/en/captcha.ts';
import { loadMessages } from '../../messages/t.ts';

// Several features use the captcha, so it loads its own words.
await loadMessages({ captcha });
