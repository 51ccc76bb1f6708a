import { pharmacies } from '../../messages/en/pharmacies.ts';
import { loadMessages } from '../../messages/t.ts';

// The picker stands in several features; its words come with it.
await loadMessages({ pharmacies });
