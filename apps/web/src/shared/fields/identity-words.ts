import { identity } from '../../messages/en/identity.ts';
import { loadMessages } from '../../messages/t.ts';

// These fields stand in several features; their words come with them.
await loadMessages({ identity });
