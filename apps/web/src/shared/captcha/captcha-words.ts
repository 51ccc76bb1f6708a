import { captcha } from '../../messages/en/captcha.ts';
import { loadMessages } from '../../messages/t.ts';

// The check stands in several features; its words come with it.
await loadMessages({ captcha });
